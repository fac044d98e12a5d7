import { standingIn } from '../lib/shares.ts';
import { rewriteMessage } from './accept/rewrite.ts';
import { insertMessage, insertMessages } from './accept/rows.ts';
import type { Base } from './base.ts';
import type { DraftMessage, Drafts } from './state/acceptance.ts';
import { fallbackFor, linkFallback } from './state/fallback.ts';
import { messageId, type MessageRow } from './state/message.ts';
import { lastSweptSeq } from './storage/retention.ts';

/** Queues and postpones messages, and gives them their numbers. Its changes are part of the commit that is being made. */
export class Messages {
  readonly #base: Base;
  #nextSeq: number;

  constructor(base: Base) {
    this.#base = base;
    const { claims, sql } = base;
    const { last } = sql.exec<{ last: number | null }>('SELECT max(seq) AS last FROM messages').one();
    this.#nextSeq = Math.max(last ?? 0, claims.cursor, lastSweptSeq(sql)) + 1;
  }

  /** The number of the next message. */
  get nextSeq(): number {
    return this.#nextSeq;
  }

  /**
   * Counts the rows of messages that were written, in the order of their numbers. `receivedAt`: the time of their
   * webhook (ms). Writes nothing: if it threw, the same numbers would be used again and messages lost.
   */
  written(rows: readonly MessageRow[], receivedAt: number): void {
    const { claims } = this.#base;
    this.#nextSeq = Math.max(this.#nextSeq, (rows.at(-1)?.seq ?? 0) + 1);
    claims.queue.accepted(rows.map((row) => ({ row, receivedAt })));
    claims.counters.countedTo(this.#nextSeq);
  }

  /** Queues a message that was sent by hand, and returns its id; null if there is no space for it. */
  send(message: DraftMessage, configVersion: number): string | null {
    const { clock, tag } = this.#base;
    const origin = { event: null, source: null, since: clock(), configVersion };
    const seq = this.queue({ drafts: [message], origin });
    return seq === null ? null : messageId(seq, tag);
  }

  /**
   * Queues messages that come from no webhook; `also` writes in the same transaction and gets the first one's number.
   * Returns that number; null if there is no space.
   */
  queue({ drafts, origin }: Drafts, also?: (seq: number) => void): number | null {
    const { escapes, storage, guard, tag, reuse, links, clock } = this.#base;
    if (guard.level().state === 'full') return null;
    const first = this.#nextSeq;
    const context = { sql: storage.sql, tag, now: clock(), nextSeq: first, reuse, links };
    const rows = storage.transactionSync(() => {
      also?.(first);
      const queued = insertMessages(context, drafts, origin);
      escapes.watch(queued);
      return queued;
    });
    this.#queued(rows, context.now);
    return first;
  }

  /**
   * Writes the fallback of a message that is dead, in the transaction that records this. Memory learns of it by
   * `queued`, once that transaction stands. Returns null if there is none.
   */
  fallBack(row: MessageRow): { readonly seq: number; readonly queued: () => void } | null {
    const { escapes, storage, reuse, clock } = this.#base;
    const { sql } = storage;
    const now = clock();
    const next = fallbackFor(row, this.#nextSeq, now);
    if (next === null) return null;
    insertMessage({ sql, now, reuse }, next);
    // Whatever throws before `queued`. If the transaction fails, this number is left out.
    this.#nextSeq = next.seq + 1;
    linkFallback(sql, row.seq, next.seq);
    escapes.follow(row.seq, next.seq);
    escapes.watch([next]);
    return { seq: next.seq, queued: () => this.#queued([next], now) };
  }

  /** Writes something newer into a message that waits; `also` writes in the same transaction. Returns its number. */
  replace(seq: number, { drafts: [draft], origin }: Drafts, also: () => void): number {
    const { storage, claims, links, clock } = this.#base;
    storage.transactionSync(() => {
      also();
      if (draft !== undefined) rewriteMessage(storage.sql, { seq }, draft, origin, links);
    });
    claims.queue.changed(clock());
    return seq;
  }

  /** Has a message wait until a time (ms). If that has passed, the message may go at once. */
  postpone(row: Pick<MessageRow, 'seq' | 'standing'>, at: number): void {
    const { claims, sql } = this.#base;
    sql.exec('UPDATE messages SET next_at = ? WHERE seq = ?', at, row.seq);
    claims.queue.dueAt(at, standingIn(row));
  }

  #queued(rows: readonly MessageRow[], now: number): void {
    const { claims, tail } = this.#base;
    this.written(rows, now);
    for (const { source } of rows) claims.counters.queued(source, 1, now);
    for (const row of rows) tail.changed(row, 'queued');
  }
}

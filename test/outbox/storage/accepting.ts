import { commitAcceptance, type Committed } from '../../../src/outbox/accept/commit.ts';
import { insertMessages } from '../../../src/outbox/accept/rows.ts';
import { newEventId } from '../../../src/lib/id.ts';
import type { AcceptedEvent } from '../../../src/outbox/state/acceptance.ts';
import { lastSweptSeq, SWEEP_START, sweepStep } from '../../../src/outbox/storage/retention.ts';
import { Reuse } from '../../../src/outbox/storage/reuse.ts';
import { accepted, column, commitContext, DAY, draft, HOUR, sameBytes, START } from '../support.ts';

export const RETENTION = 30 * DAY;

/** Rows that were accepted at `START` have expired, and so did their claims; the last sweep was an hour ago. */
export const NOW = START + RETENTION + 2 * HOUR;

let ids = 0;
/** Ids of one moment are in the order of their making. */
export function newId(at: number): string {
  ids += 1;
  return newEventId(at, sameBytes).slice(0, -8) + String(ids).padStart(8, '0');
}

/** Accepts events as an outbox does, and sweeps it, at moments that the test gives. */
export class Accepting {
  readonly sql: SqlStorage;
  readonly #storage: DurableObjectStorage;
  #reuse: Reuse;
  nextSeq = 1;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.sql = storage.sql;
    this.#reuse = new Reuse(this.sql);
  }

  #context(now: number) {
    return { ...commitContext(this.sql, this.nextSeq, now), reuse: this.#reuse };
  }

  accept(at: number, extra: Partial<AcceptedEvent> = {}, messages = [draft()]): Committed {
    const event = accepted({ id: newId(at), receivedAt: at, ...extra });
    const committed = this.#storage.transactionSync(() =>
      commitAcceptance(this.#context(at), { event, messages }),
    );
    this.nextSeq += committed.queued.length;
    return committed;
  }

  keyed = (at: number, key: string): Committed => this.accept(at, { dedupe: { key, windowMs: HOUR } });

  byHand(at: number): void {
    const origin = { event: null, source: null, since: at, configVersion: 1 };
    insertMessages(this.#context(at), [draft()], origin);
    this.nextSeq += 1;
  }

  finish(state = 'sent'): void {
    this.sql.exec('UPDATE messages SET state = ?', state);
  }

  sweep(at: number): void {
    const context = { sql: this.sql, now: at, before: at - RETENTION - DAY, isSending: () => false };
    for (let from = sweepStep(context, SWEEP_START); from !== null;) from = sweepStep(context, from);
    this.#reuse.swept(at, RETENTION);
  }

  restart(): void {
    this.#reuse = new Reuse(this.sql);
    const { last } = this.sql.exec<{ last: number | null }>('SELECT max(seq) AS last FROM messages').one();
    this.nextSeq = Math.max(last ?? 0, lastSweptSeq(this.sql)) + 1;
  }

  /** The first column of a query's rows. */
  column = (query: string): readonly unknown[] => column(this.sql, query);

  get events(): readonly unknown[] {
    return this.column('SELECT id FROM events ORDER BY id');
  }

  get seqs(): readonly unknown[] {
    return this.column('SELECT seq FROM messages ORDER BY seq');
  }

  get claims(): readonly unknown[] {
    return this.column('SELECT key FROM dedupe_claims ORDER BY key');
  }
}

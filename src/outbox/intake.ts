import { refusalOf, BUSY, countAdmitted, refusedReceipt } from './accept/admission.ts';
import { commitAcceptance } from './accept/commit.ts';
import { GroupCommit } from './accept/group.ts';
import type { Incidents } from './incidents/incidents.ts';
import { insertMessage, insertMessages } from './accept/rows.ts';
import type { SourceLimits } from './accept/source-limits.ts';
import type { Heartbeats } from './notify/heartbeat.ts';
import type { Delivery } from './delivery.ts';
import type { Overflow } from './overflow/overflow.ts';
import type { Schedule } from './schedule.ts';
import type { Claims } from './send/claims.ts';
import type { Dispatch } from './send/dispatch.ts';
import { rewriteMessage } from './overflow/waiting-digest.ts';
import { fallbackFor, linkFallback } from './state/fallback.ts';
import { messageId, type MessageRow } from './state/message.ts';
import type { Acceptance, DraftMessage, Drafts, Receipt } from './state/acceptance.ts';
import { lastSweptSeq } from './storage/retention.ts';
import type { Reuse } from './storage/reuse.ts';
import { heldBytes, storedBytes } from './state/bytes.ts';
import type { StorageGuard } from './storage/storage-guard.ts';
import type { StorageWatch } from './storage/storage-watch.ts';
import type { Tail, CommittedEvent } from './tail/tail.ts';

interface IntakeDeps {
  readonly storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync' | 'sync'>;
  /** The outbox's random tag, part of each message id. */
  readonly tag: string;
  readonly reuse: Reuse;
  readonly claims: Claims;
  readonly dispatch: Pick<Dispatch, 'recordEnded' | 'claimDue'>;
  readonly limits: SourceLimits;
  readonly heartbeats: Heartbeats;
  readonly guard: StorageGuard;
  readonly storageWatch: StorageWatch;
  readonly schedule: Schedule;
  readonly delivery: Delivery;
  readonly tail: Tail;
  readonly incidents: Incidents;
  readonly overflow: () => Pick<Overflow, 'look'>;
}

/** Accepts events and messages. The same steps follow each commit, see {@link #follow}. */
export class Intake {
  readonly #deps: IntakeDeps;
  readonly #group: GroupCommit<Acceptance, Receipt>;
  #nextSeq: number;

  constructor(deps: IntakeDeps) {
    this.#deps = deps;
    const { storage, claims, dispatch } = deps;
    this.#group = new GroupCommit({
      // Ended calls first, so that their connections are free for what is claimed at the end.
      begin: () => dispatch.recordEnded(),
      end: () => {
        dispatch.claimDue();
        void deps.overflow().look();
      },
      commit: (acceptances) => this.#commit(acceptances),
      flushed: () => storage.sync(),
      sizeOf: heldBytes,
      refused: ({ event }) => refusedReceipt(event.id, BUSY),
    });
    const { last } = storage.sql.exec<{ last: number | null }>('SELECT max(seq) AS last FROM messages').one();
    this.#nextSeq = Math.max(last ?? 0, claims.cursor, lastSweptSeq(storage.sql)) + 1;
  }

  /** Accepts an event; concurrent calls share a commit. Resolves when it is on disk. */
  accept(acceptance: Acceptance): Promise<Receipt> {
    return this.#group.add(acceptance);
  }

  /** Makes another commit, for what is to be recorded or claimed. */
  askForCommit(): void {
    this.#group.ask();
  }

  /** The same; resolves when it is on disk. */
  nextCommit(): Promise<void> {
    return this.#group.next();
  }

  /** Queues a message that was sent by hand, and returns its id; null: there is no space for it. */
  send(message: DraftMessage, configVersion: number): string | null {
    const origin = { event: null, source: null, since: Date.now(), configVersion };
    const seq = this.queue({ drafts: [message], origin });
    this.keepCounters();
    return seq === null ? null : messageId(seq, this.#deps.tag);
  }

  /**
   * Queues messages that no webhook brings; `also` writes in the same transaction and gets the first one's number. Returns that number;
   * null: there is no space.
   */
  queue({ drafts, origin }: Drafts, also?: (seq: number) => void): number | null {
    const { storage, guard, tag, reuse } = this.#deps;
    if (guard.level().state === 'full') return null;
    const now = Date.now();
    const first = this.#nextSeq;
    const context = { sql: storage.sql, tag, now, nextSeq: first, reuse };
    const queued = storage.transactionSync(() => {
      also?.(first);
      return insertMessages(context, drafts, origin);
    });
    this.#follow([], queued, now);
    return first;
  }

  /** Queues what is sent for a message that is dead, if there is anything; `record` writes in the same transaction. */
  fallBack(row: MessageRow, record: () => void): void {
    const { storage, reuse } = this.#deps;
    const { sql } = storage;
    const now = Date.now();
    const next = fallbackFor(row, this.#nextSeq, now);
    storage.transactionSync(() => {
      record();
      if (next === null) return;
      insertMessage({ sql, now, reuse }, next);
      linkFallback(sql, row.seq, next.seq);
    });
    if (next === null) return;
    this.#deps.incidents.fellBack(row.seq, next.seq);
    this.#follow([], [next], now);
  }

  /** Writes something newer into a message that waits; `also` writes in the same transaction. Returns its number. */
  replace(seq: number, { drafts: [draft], origin }: Drafts, also: () => void): number {
    const { storage, delivery } = this.#deps;
    storage.transactionSync(() => {
      also();
      if (draft !== undefined) rewriteMessage(storage.sql, seq, draft, origin);
    });
    delivery.wake(Date.now());
    this.keepCounters();
    return seq;
  }

  /** To be called in the commit that changed what they count. */
  keepCounters(): void {
    this.#deps.claims.keepCounters();
  }

  /** Writes a group of acceptances in one commit; all or none. */
  #commit(acceptances: readonly Acceptance[]): readonly Receipt[] {
    const { storage, tag, guard, limits, reuse, incidents } = this.#deps;
    const { sql } = storage;
    const now = Date.now();
    const arrivals = incidents.arrivals(now);
    let nextSeq = this.#nextSeq;
    let bytesLeft = guard.bytesLeft();
    const answered = limits.within(() =>
      storage.transactionSync(() =>
        acceptances.map((acceptance): Receipt | CommittedEvent => {
          const context = { sql, tag, now, nextSeq, reuse, arrivals };
          const refusal = refusalOf(context, { limits, bytesLeft }, acceptance);
          if (refusal !== null) return refusedReceipt(acceptance.event.id, refusal);
          const committed = commitAcceptance(context, acceptance);
          bytesLeft -= storedBytes(acceptance);
          guard.accepted(storedBytes(acceptance));
          countAdmitted(limits, acceptance, committed, now);
          nextSeq += committed.queued.length;
          return { acceptance, committed };
        }),
      ),
    );
    arrivals.apply();
    const accepted = answered.filter((one) => 'acceptance' in one);
    this.#follow(accepted, [], now);
    return answered.map((one) => ('acceptance' in one ? one.committed.receipt : one));
  }

  /** What follows a commit of events, or of a message sent by hand, in this order. */
  #follow(accepted: readonly CommittedEvent[], byHand: readonly MessageRow[], now: number): void {
    const { claims, delivery, schedule, storageWatch, tail } = this.#deps;
    const added = accepted.flatMap(({ acceptance, committed }) =>
      committed.queued.map((row) => ({ row, receivedAt: acceptance.event.receivedAt })),
    );
    // Before anything else: if something below threw, the same numbers would be used again and messages lost.
    this.#nextSeq += added.length + byHand.length;
    claims.counters.countedTo(this.#nextSeq);
    for (const { source } of byHand) claims.counters.queued(source, 1, now);
    for (const one of accepted) this.#count(one, now);
    tail.accepted(accepted);
    for (const row of byHand) tail.changed(row, 'queued');
    if (added.length > 0) delivery.accepted(added, now);
    if (byHand.length > 0) delivery.wake(now);
    schedule.keepAlive(now);
    storageWatch.look();
  }

  #count(
    { acceptance: { event }, committed: { receipt, isNew, queued } }: CommittedEvent,
    now: number,
  ): void {
    const { claims, heartbeats, schedule } = this.#deps;
    const { counters } = claims;
    if (receipt.duplicate) counters.duplicate(event.source, now);
    // Its owner gets to know soon that the source is back.
    if (heartbeats.isSilent(event.source)) schedule.soon(now);
    if (!isNew) return;
    counters.event(event);
    counters.queued(event.source, queued.length, now);
    // A restart counts events by their messages, and this event has none.
    if (queued.length === 0) counters.keepNow();
  }
}

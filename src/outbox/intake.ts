import {
  refusalOf,
  BUSY,
  countAdmitted,
  heldBytes,
  refusedReceipt,
  storedBytes,
} from './accept/admission.ts';
import { commitAcceptance } from './accept/commit.ts';
import { GroupCommit } from './accept/group.ts';
import { insertMessages } from './accept/rows.ts';
import type { SourceLimits } from './accept/source-limits.ts';
import type { Heartbeats } from './notify/heartbeat.ts';
import type { Schedule } from './schedule.ts';
import type { Claims } from './send/claims.ts';
import type { Acceptance, DraftMessage, Quota, Receipt, Refusal } from './state/acceptance.ts';
import { lastSweptSeq } from './storage/retention.ts';
import type { StorageGuard } from './storage/storage-guard.ts';
import type { StorageWatch } from './storage/storage-watch.ts';
import type { Tail, TakenEvent } from './tail/tail.ts';

export interface IntakeDeps {
  readonly storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync' | 'sync'>;
  /** The outbox's random tag, part of each message id. */
  readonly tag: string;
  readonly claims: Claims;
  readonly limits: SourceLimits;
  readonly heartbeats: Heartbeats;
  readonly guard: StorageGuard;
  readonly storageWatch: StorageWatch;
  readonly schedule: Schedule;
  readonly tail: Tail;
}

/** Takes events and messages over: each commit is followed by the same steps, in {@link #follow}. */
export class Intake {
  readonly #deps: IntakeDeps;
  readonly #group: GroupCommit<Acceptance, Receipt>;
  #nextSeq: number;

  constructor(deps: IntakeDeps) {
    this.#deps = deps;
    const { storage, claims } = deps;
    this.#group = new GroupCommit({
      commit: (acceptances) => this.#commit(acceptances),
      flushed: () => storage.sync(),
      sizeOf: heldBytes,
      refused: ({ event }) => refusedReceipt(event.id, BUSY),
    });
    const { last } = storage.sql.exec<{ last: number | null }>('SELECT max(seq) AS last FROM messages').one();
    this.#nextSeq = Math.max(last ?? 0, claims.cursor, lastSweptSeq(storage.sql)) + 1;
  }

  /** Takes an event over; calls that come at the same time share a commit. The answer comes when it is on disk. */
  accept(acceptance: Acceptance): Promise<Receipt> {
    return this.#group.add(acceptance);
  }

  /** Queues a message that no webhook asked for, and gives its id; null: there is no space for it. */
  send(message: DraftMessage, configVersion: number): string | null {
    const { storage, guard, tag } = this.#deps;
    if (guard.level().state === 'full') return null;
    const now = Date.now();
    const context = { sql: storage.sql, tag, now, nextSeq: this.#nextSeq };
    const origin = { event: null, source: null, since: now, configVersion };
    const [id = null] = storage.transactionSync(() => insertMessages(context, [message], origin));
    this.#follow([], 1, now);
    return id;
  }

  /** Takes a webhook into account whose event another object of the account keeps; else says why it is not taken. */
  admit(source: string, quota: Quota): Refusal | null {
    const { storage, limits } = this.#deps;
    const now = Date.now();
    return limits.within(() =>
      storage.transactionSync(() => {
        const over = limits.over(source, quota, now);
        if (over === null) limits.take(source, quota, now);
        return over;
      }),
    );
  }

  /** Part of the commit that changed what they count. */
  keepCounters(): void {
    const { claims } = this.#deps;
    claims.counters.countedTo(this.#nextSeq);
    claims.keepCounters();
  }

  /** Writes a group of acceptances in one commit; all or none. */
  #commit(acceptances: readonly Acceptance[]): readonly Receipt[] {
    const { storage, tag, guard, limits } = this.#deps;
    const { sql } = storage;
    const now = Date.now();
    let nextSeq = this.#nextSeq;
    let bytesLeft = guard.bytesLeft();
    const answered = limits.within(() =>
      storage.transactionSync(() =>
        acceptances.map((acceptance): Receipt | TakenEvent => {
          const context = { sql, tag, now, nextSeq };
          const refusal = refusalOf(context, { limits, bytesLeft }, acceptance);
          if (refusal !== null) return refusedReceipt(acceptance.event.id, refusal);
          const committed = commitAcceptance(context, acceptance);
          // It is another object's.
          if (committed.receipt.keeper !== undefined) return committed.receipt;
          bytesLeft -= storedBytes(acceptance);
          countAdmitted(limits, acceptance, committed, now);
          nextSeq += committed.queued;
          return { acceptance, committed };
        }),
      ),
    );
    const taken = answered.filter((one) => 'acceptance' in one);
    this.#follow(taken, 0, now);
    return answered.map((one) => ('acceptance' in one ? one.committed.receipt : one));
  }

  /** What follows a commit of events, or of a message sent by hand, in this order. */
  #follow(taken: readonly TakenEvent[], byHand: 0 | 1, now: number): void {
    const { claims, schedule, storageWatch, tail } = this.#deps;
    const firstSeq = this.#nextSeq;
    const added = taken.reduce((sum, { committed }) => sum + committed.queued, 0) + byHand;
    // Before anything else: were a number given twice because something below threw, messages would be lost.
    this.#nextSeq += added;
    if (added > 0) schedule.wake(now);
    schedule.keepAlive(now);
    if (byHand > 0) claims.counters.queued(null, byHand);
    for (const one of taken) this.#count(one, now);
    this.keepCounters();
    storageWatch.look();
    tail.accepted(taken, firstSeq);
    if (byHand > 0) tail.queued(firstSeq);
  }

  #count({ acceptance: { event }, committed: { receipt, isNew, queued } }: TakenEvent, now: number): void {
    const { claims, heartbeats, schedule } = this.#deps;
    const { counters } = claims;
    if (receipt.duplicate && event.isHome) counters.duplicate(event.source, now);
    // It is back.
    if (heartbeats.isSilent(event.source)) schedule.soon(now);
    if (!isNew) return;
    counters.event(event);
    counters.queued(event.source, queued);
    // Nothing but the event's row tells of it, and nobody could find that in time.
    if (queued === 0) counters.keepNow();
  }
}

import type { Incidents } from './incidents/incidents.ts';
import type { Messages } from './messages.ts';
import type { Heartbeats } from './notify/heartbeat.ts';
import type { Counters } from './counters/counters.ts';
import type { Acceptance, Receipt } from './state/acceptance.ts';
import { storedBytes } from './state/bytes.ts';
import type { Reuse } from './storage/reuse.ts';
import type { StorageGuard } from './storage/storage-guard.ts';
import type { CommittedEvent, Tail } from './tail/tail.ts';
import { countAdmitted, refusalOf, refusedReceipt } from './accept/admission.ts';
import { commitAcceptance } from './accept/commit.ts';
import type { SourceLimits } from './accept/source-limits.ts';

interface IntakeDeps {
  readonly storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;
  /** The outbox's random tag, part of each message id. */
  readonly tag: string;
  readonly reuse: Reuse;
  readonly limits: SourceLimits;
  readonly guard: StorageGuard;
  readonly messages: Messages;
  readonly incidents: Pick<Incidents, 'arrivals'>;
  readonly counters: Counters;
  readonly tail: Tail;
  readonly heartbeats: Heartbeats;
  /** A bound left something out of an event. */
  readonly onLeftOut: (source: string, reason: string) => void;
  /** A source that was silent is back. */
  readonly onBack: () => void;
  readonly clock: () => number;
}

/** The stage of a commit that takes events in. */
export class Intake {
  readonly #deps: IntakeDeps;

  constructor(deps: IntakeDeps) {
    this.#deps = deps;
  }

  /** Writes a group of events with their claims, messages and items: all or none. Memory follows. */
  accept(acceptances: readonly Acceptance[]): readonly Receipt[] {
    const { incidents, limits, storage, clock } = this.#deps;
    const now = clock();
    const arrivals = incidents.arrivals(now);
    const answered = limits.within(() =>
      storage.transactionSync(() => this.#write(acceptances, arrivals, now)),
    );
    // First: if something below threw, the same numbers would be used again and messages lost.
    const accepted = answered.filter((one) => 'acceptance' in one);
    for (const { acceptance, committed } of accepted)
      this.#deps.messages.written(committed.queued, acceptance.event.receivedAt);
    arrivals.apply();
    for (const one of accepted) this.#count(one, now);
    this.#deps.tail.accepted(accepted);
    return answered.map((one) => ('acceptance' in one ? one.committed.receipt : one));
  }

  #write(
    acceptances: readonly Acceptance[],
    arrivals: ReturnType<Incidents['arrivals']>,
    now: number,
  ): readonly (Receipt | CommittedEvent)[] {
    const { storage, tag, guard, limits, reuse, messages } = this.#deps;
    let { nextSeq } = messages;
    let bytesLeft = guard.bytesLeft();
    return acceptances.map((acceptance) => {
      const context = { sql: storage.sql, tag, now, nextSeq, reuse, arrivals };
      const refusal = refusalOf(context, { limits, bytesLeft }, acceptance);
      if (refusal !== null) return refusedReceipt(acceptance.event.id, refusal);
      const committed = commitAcceptance(context, acceptance);
      bytesLeft -= storedBytes(acceptance);
      guard.accepted(storedBytes(acceptance));
      countAdmitted(limits, acceptance, committed, now);
      nextSeq += committed.queued.length;
      return { acceptance, committed };
    });
  }

  #count(
    { acceptance: { event, leftOut }, committed: { receipt, isNew, queued } }: CommittedEvent,
    now: number,
  ): void {
    const { counters, heartbeats, onBack, onLeftOut } = this.#deps;
    if (receipt.duplicate) counters.duplicate(event.source, now);
    // Its owner gets to know soon.
    if (heartbeats.isSilent(event.source)) onBack();
    if (!isNew) return;
    if (leftOut !== undefined) onLeftOut(event.source, leftOut);
    counters.event(event);
    counters.queued(event.source, queued.length, now);
    // A start counts events by their messages, and this event has none.
    if (queued.length === 0) counters.keepNow();
  }
}

import type { AccountPolicy } from '../../config/compiled/config.ts';
import type { Series } from '../../counts/series.ts';
import type { Counters } from '../counters/counters.ts';
import { restoreCounters } from '../counters/restore.ts';
import { standingIn } from '../../lib/shares.ts';
import type { Calls } from '../state/calls.ts';
import { nextAttempt, parseAttempts, type MessageRow } from '../state/message.ts';
import { Checkpoint } from './checkpoint.ts';
import { claimMessages, type ClaimRules } from './claim.ts';
import { contactAt, Contacts } from './contacts.ts';
import { Flight, type Claimed } from './flight.ts';
import type { InFlight } from './flight.ts';
import { Pace, type PastSend } from './pace.ts';
import { Queue } from './queue.ts';

interface ClaimsDeps {
  readonly storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;
  /** The number of calls that the run may still make. */
  readonly calls: Calls;
  readonly clock: () => number;
  readonly random: () => number;
}

/** Checks that are called with messages to be claimed, in the same commit. */
type ClaimChecks = Required<Pick<ClaimRules, 'review' | 'isSuppressed' | 'end'>>;

/** Claims messages for sending. The checkpoint has the claim before any call goes out. */
export class Claims {
  readonly #deps: ClaimsDeps;
  readonly #checkpoint: Checkpoint;
  #queue: Queue;
  readonly flight: Flight;
  readonly pace: Pace;
  readonly contacts: Contacts;
  readonly counters: Counters;
  /** Their counts over time. */
  readonly series: Series;

  constructor(deps: ClaimsDeps) {
    this.#deps = deps;
    const { sql } = deps.storage;
    this.#checkpoint = new Checkpoint(deps.storage);
    const { last, readSends } = this.#checkpoint;
    this.flight = new Flight(sql, last?.flight ?? []);
    this.#queue = this.#openQueue(last?.cursor ?? 0);
    this.contacts = new Contacts(sql);
    // A new outbox has its whole burst: the first refill cuts the bucket to its size.
    this.pace = new Pace({
      tokens: last?.tokens ?? Number.MAX_SAFE_INTEGER,
      at: last?.at ?? deps.clock(),
      past: readSends,
    });
    const restored = restoreCounters(sql, last?.flight ?? [], deps.clock());
    this.counters = restored.counters;
    this.series = restored.series;
  }

  /** The waiting messages; a new object after a fault. */
  get queue(): Queue {
    return this.#queue;
  }

  /** No fresh message up to this number waits. New numbers are higher, even when the table is empty. */
  get cursor(): number {
    return this.#queue.cursor;
  }

  /**
   * Returns the earliest time at which its receiver's cap lets a message through: `now` if the receiver has not reached
   * it.
   */
  opensFor(row: MessageRow, { perRecipient }: Pick<AccountPolicy, 'perRecipient'>, now: number): number {
    const to = { phone: row.phone, standing: standingIn(row) };
    const at = (ahead: number): number => this.pace.nextSendToAt(perRecipient, to, now, ahead);
    return at(0) > now ? at(this.#queue.turns.ahead(row)) : now;
  }

  /**
   * Returns the earliest time at which its receiver may get its first message: `now` if the receiver had one, or the
   * message is urgent.
   */
  contactFor(row: MessageRow, { newContacts }: AccountPolicy, now: number): number {
    const { phone } = row;
    const standing = standingIn(row);
    if (newContacts === null || phone === null || standing === 'urgent' || this.contacts.isKnown(phone))
      return now;
    const { perDay } = newContacts;
    const left = this.contacts.left(standing, perDay, this.#going, now);
    return contactAt(
      standing === 'open' ? Infinity : perDay,
      left,
      this.#queue.turns.newBefore(phone, standing),
      now,
    );
  }

  get #going(): readonly (string | null)[] {
    return this.flight.calls.map(({ phone }) => phone);
  }

  /**
   * Claims messages that may be sent now, `capacity` at most. If the claim fails, the queue is read again, since
   * messages were taken out of it.
   */
  claim(policy: AccountPolicy, capacity: ClaimRules['capacity'], checks: ClaimChecks): readonly Claimed[] {
    const cursor = this.cursor;
    try {
      return this.#claimNext(policy, capacity, checks);
    } catch (thrown) {
      this.#reopenQueue(cursor);
      throw thrown;
    }
  }

  /** Takes messages in the order of sending, and writes their claim. */
  #claimNext(
    policy: AccountPolicy,
    capacity: ClaimRules['capacity'],
    checks: ClaimChecks,
  ): readonly Claimed[] {
    const { storage, clock, random } = this.#deps;
    const now = clock();
    const { newContacts } = policy;
    this.contacts.use(newContacts !== null, now);
    const ready = claimMessages({
      ...(newContacts !== null && {
        contacts: { ...newContacts, known: this.contacts, going: this.#going },
      }),
      storage,
      queue: this.#queue,
      policy,
      pace: this.pace,
      now,
      capacity,
      ...checks,
    });
    const claimed = ready.map((one) => {
      const { seq, phone, attempts } = one.row;
      return { ...one, entry: { seq, n: nextAttempt(parseAttempts(attempts)), at: now, phone } };
    });
    const entries = claimed.map(({ entry }) => entry);
    const sends = claimed.map(({ row, entry }) => ({ ...entry, standing: standingIn(row) }));
    const { tokens } = this.pace;
    try {
      // Before the checkpoint is written, which has the tokens.
      for (const send of sends) this.pace.record(send, policy.rate, random());
      if (entries.length > 0) this.#write([...this.#underWay, ...entries], sends);
    } catch (thrown) {
      this.pace.forget(tokens);
      throw thrown;
    }
    for (const entry of entries) this.flight.add(entry);
    return claimed;
  }

  #write(flight: readonly InFlight[], claimed: readonly PastSend[] = []): void {
    const { cursor, pace, counters } = this;
    this.#checkpoint.write(
      { at: this.#deps.clock(), cursor, tokens: pace.tokens, flight },
      claimed,
      counters,
    );
  }

  /** The messages in flight, and those that were in flight when the object stopped. */
  get #underWay(): readonly InFlight[] {
    return [...this.flight.calls, ...this.flight.interrupted];
  }

  /** Reads the waiting messages again: the tables are authoritative. */
  #reopenQueue(cursor: number): void {
    this.#queue = this.#openQueue(cursor);
  }

  /** The receivers of interrupted calls are busy as well: the record of such a call, which may fail at first, frees them. */
  #openQueue(cursor: number): Queue {
    const { sql } = this.#deps.storage;
    const queue = new Queue({ sql, cursor, isInFlight: (seq) => this.flight.has(seq) });
    for (const entry of this.#underWay) queue.turns.hold(entry);
    return queue;
  }

  /**
   * The platform refused the call, so the message waits as before. The run makes no further claims; the next one
   * continues.
   */
  putBack(entry: InFlight): void {
    this.#deps.calls.exhaust();
    this.flight.remove(entry);
    this.#reopenQueue(Math.min(this.cursor, entry.seq - 1));
    // It must not count as in flight after a crash: the checkpoint is written at the end of this commit.
    this.counters.keepNow();
  }

  /** To be called before rows are deleted: a start counts changes after the checkpoint from rows. */
  keepForSweep(): void {
    if (this.counters.isChanged || this.counters.mustKeep) this.#write(this.#underWay);
  }

  /** Writes the counters in the surrounding commit if they must be kept. */
  keepCounters(): void {
    if (this.counters.mustKeep) this.#write(this.#underWay);
  }
}

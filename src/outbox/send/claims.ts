import type { AccountPolicy } from '../../config/config.ts';
import type { Series } from '../../counts/series.ts';
import type { Counters } from '../counters/counters.ts';
import type { Calls } from '../state/calls.ts';
import { nextAttempt, parseAttempts, type MessageRow } from '../state/message.ts';
import { claimMessages } from './claim.ts';
import { DispatchLog } from './dispatch-log.ts';
import { Flight, type Claimed } from './flight.ts';
import type { InFlight } from './in-flight.ts';
import type { Claim } from './log-rows.ts';
import { Pace } from './pace.ts';
import { Queue } from './queue.ts';
import type { Ready } from './ready-rows.ts';
import { restoreCounters } from './recount.ts';

interface ClaimsDeps {
  readonly sql: SqlStorage;
  /** How many calls the run may still make. */
  readonly calls: Calls;
  /** Called with a message that was too old to be sent, in the same commit. */
  readonly onExpired: (row: MessageRow) => void;
  /** See {@link ClaimRules.review}. */
  readonly review: (row: MessageRow) => MessageRow | null;
  readonly clock: () => number;
  readonly random: () => number;
}

/** Writes a claim's text into the row of a message that is being recorded; null: none is. */
export type Host = ((claim: string) => void) | null;

/** Claims messages for sending. A claim is written before any call goes out, see `dispatch-log.ts`. */
export class Claims {
  readonly #deps: ClaimsDeps;
  readonly #log: DispatchLog;
  #queue: Queue;
  readonly flight: Flight;
  readonly pace: Pace;
  readonly counters: Counters;
  /** What they count by time. */
  readonly series: Series;
  /** Messages whose rows say that they are claimed, and that are not, yet. */
  readonly #marked = new Set<number>();

  constructor(deps: ClaimsDeps) {
    this.#deps = deps;
    this.#log = new DispatchLog(deps.sql);
    const last = this.#log.last();
    this.flight = new Flight(deps.sql, last?.flight ?? []);
    this.#queue = this.#openQueue(last?.cursor ?? 0);
    // A new outbox has its whole burst: the first refill cuts the bucket to its size.
    this.pace = new Pace({
      tokens: last?.tokens ?? Number.MAX_SAFE_INTEGER,
      at: last?.at ?? deps.clock(),
      past: { read: this.#log.readSends, count: () => this.#log.countSends() },
    });
    const restored = restoreCounters(deps.sql, this.#log, deps.clock());
    this.counters = restored.counters;
    this.series = restored.series;
  }

  /** The waiting messages; another object after a fault. */
  get queue(): Queue {
    return this.#queue;
  }

  /** No fresh message up to this number waits. New numbers are higher, even when the table is empty. */
  get cursor(): number {
    return this.#queue.cursor;
  }

  /** The earliest moment at which its receiver's cap lets a message through: `now` while the receiver is not at it. */
  opensFor(row: MessageRow, { perRecipient }: Pick<AccountPolicy, 'perRecipient'>, now: number): number {
    const at = (ahead: number): number => this.pace.nextSendToAt(perRecipient, row.phone, now, ahead);
    return at(0) > now ? at(this.#queue.turns.ahead(row)) : now;
  }

  /** Messages were accepted in the commit that is being made. */
  accepted(messages: readonly Ready[]): void {
    this.#queue.accepted(messages);
    for (const { row } of messages) if (row.claimed !== null) this.#marked.add(row.seq);
  }

  /** Whether messages that are accepted now may be claimed in their own rows. */
  get mayMark(): boolean {
    return this.#log.tail.mayFollow(this.#queue.newest) && this.flight.interrupted.length === 0;
  }

  /** Whether rows of messages say what is claimed: before any of them may be deleted, the counters must be kept. */
  get isInRows(): boolean {
    return this.#log.tail.after !== null;
  }

  /**
   * Claims what may be sent now, `capacity` messages at most. When the claim fails, the queue is read again, since
   * messages were taken out of it.
   */
  claim(policy: AccountPolicy, capacity: number, host: Host = null): readonly Claimed[] {
    const cursor = this.cursor;
    try {
      return this.#claimNext(policy, capacity, host);
    } catch (thrown) {
      this.#reopenQueue(cursor);
      throw thrown;
    }
  }

  /** Takes messages in the order of sending, and writes their claim. */
  #claimNext(policy: AccountPolicy, capacity: number, host: Host): readonly Claimed[] {
    const { sql, clock, random } = this.#deps;
    const now = clock();
    const ready = claimMessages({
      sql,
      queue: this.#queue,
      policy,
      pace: this.pace,
      now,
      capacity,
      calls: this.#deps.calls.forMessages,
      onExpired: (row) => this.#expire(row),
      review: this.#deps.review,
    });
    const isInRows = this.#mayBeInRows(ready, host);
    const claimed = ready.map((one) => {
      const { seq, phone, attempts, created_at: createdAt } = one.row;
      const at = isInRows && this.#marked.has(seq) ? createdAt : now;
      return { ...one, entry: { seq, n: nextAttempt(parseAttempts(attempts)), at, phone } };
    });
    const isMarked = (one: Claimed): boolean => isInRows && this.#marked.has(one.row.seq);
    const marked = claimed.filter(isMarked);
    for (const { entry } of marked) this.pace.record(entry, policy.rate, 0);
    // Their rows say what they leave.
    if (marked.length > 0) this.pace.settle(Math.min(...marked.map(({ row }) => row.claimed ?? Infinity)));
    for (const one of claimed) if (!isMarked(one)) this.pace.record(one.entry, policy.rate, random());
    const entries = claimed.map(({ entry }) => entry);
    if (entries.length > 0) this.#write(entries, now, isInRows ? host : 'log');
    for (const entry of entries) this.flight.add(entry);
    this.keepCounters();
    return claimed;
  }

  /** Whether no row of the log is needed: rows of messages say what is claimed, all of it and no more. */
  #mayBeInRows(ready: readonly Ready[], host: Host): boolean {
    if (this.counters.mustKeep || !this.#log.tail.mayFollow(this.#queue.newest)) return false;
    const marked = ready.filter(({ row }) => this.#marked.has(row.seq)).length;
    return marked === this.#marked.size && (marked === ready.length || host !== null);
  }

  #write(entries: readonly InFlight[], at: number, to: Host | 'log'): void {
    if (to === 'log') return this.#writeLog([...this.flight.unsettled, ...entries], entries);
    const after = this.#after(at);
    const { tail } = this.#log;
    const others = entries.filter(({ seq }) => !this.#marked.has(seq));
    if (others.length > 0 && to !== null) tail.ride(others, after, to);
    const marked = entries.filter(({ seq }) => this.#marked.has(seq));
    if (marked.length > 0) tail.add(marked, after);
    this.#marked.clear();
  }

  /** Writes a row of the log. What it says is in flight, and not the rows of messages up to now. */
  #writeLog(flight: readonly InFlight[], claimed: readonly InFlight[] = []): void {
    const at = claimed[0]?.at ?? this.#deps.clock();
    const text = (): string => this.counters.keep(this.flight.openAttempts(claimed));
    this.#log.write({ ...this.#after(at), flight }, { text, isDue: this.counters.mustKeep });
    this.#marked.clear();
  }

  #after(at: number): Omit<Claim, 'flight'> {
    return { at, cursor: this.cursor, tokens: this.pace.tokens, newest: this.#queue.newest };
  }

  /**
   * To be called at the end of each commit: messages that were not claimed, although their rows say so, must not count
   * as in flight after a crash.
   */
  settleMarks(): void {
    if (this.#marked.size === 0) return;
    this.#writeLog(this.#open);
  }

  /** What is in flight, or was when the object stopped. */
  get #open(): readonly InFlight[] {
    return [...this.flight.unsettled, ...this.flight.interrupted];
  }

  /** Reads the waiting messages again: the tables are the truth. */
  #reopenQueue(cursor: number): void {
    this.#queue = this.#openQueue(cursor);
    for (const entry of this.flight.calls) this.#queue.turns.hold(entry);
  }

  #openQueue(cursor: number): Queue {
    return new Queue({ sql: this.#deps.sql, cursor, isInFlight: (seq) => this.flight.has(seq) });
  }

  /** The platform refused the call, so the message waits as before. The run claims no more; the next one continues. */
  putBack(entry: InFlight): void {
    this.#deps.calls.exhaust();
    this.flight.remove(entry);
    this.#reopenQueue(Math.min(this.cursor, entry.seq - 1));
    try {
      // After a crash it must not count as in flight.
      this.#writeLog(this.flight.unsettled);
    } catch (thrown) {
      this.flight.add(entry);
      this.#reopenQueue(this.cursor);
      throw thrown;
    }
  }

  /** Writes the counters in the surrounding commit if they must be kept. */
  keepCounters(): void {
    if (!this.counters.mustKeep) return;
    const bare = { ...this.#after(this.#deps.clock()), flight: this.#open };
    this.#log.carry(this.counters.keep(this.flight.openAttempts([])), bare);
    this.#marked.clear();
  }

  #expire(row: MessageRow): void {
    this.counters.reached(row.source, 'expired', this.#deps.clock());
    this.#deps.onExpired(row);
  }
}

import type { AccountPolicy } from '../../config/config.ts';
import type { Counters } from '../counters/counters.ts';
import type { Calls } from '../state/calls.ts';
import { nextAttempt, parseAttempts, type MessageRow } from '../state/message.ts';
import { claimMessages } from './claim.ts';
import { DispatchLog, type InFlight } from './dispatch-log.ts';
import { Flight, type Claimed } from './flight.ts';
import { Pace } from './pace.ts';
import { Queue } from './queue.ts';
import { restoreCounters } from './recount.ts';

interface ClaimsDeps {
  readonly sql: SqlStorage;
  /** How many calls the run may still make. */
  readonly calls: Calls;
  /** Called with a message that was too old to be sent, in the same commit. */
  readonly onExpired: (row: MessageRow) => void;
  readonly clock: () => number;
  readonly random: () => number;
}

/** Claims messages for sending. A claim is one row, written before any call goes out. A restart reads the last one. */
export class Claims {
  readonly #deps: ClaimsDeps;
  readonly #log: DispatchLog;
  #queue: Queue;
  readonly flight: Flight;
  readonly pace: Pace;
  readonly counters: Counters;

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
    this.counters = restoreCounters(deps.sql, this.#log);
  }

  /** The waiting messages; another object after a fault. */
  get queue(): Queue {
    return this.#queue;
  }

  /** No fresh message up to this number waits. New numbers are higher, even when the table is empty. */
  get cursor(): number {
    return this.#queue.cursor;
  }

  /**
   * Claims what may be sent now, `capacity` messages at most. When the claim fails, the queue is read again, since
   * messages were taken out of it.
   */
  claim(policy: AccountPolicy, capacity: number): readonly Claimed[] {
    const cursor = this.cursor;
    try {
      return this.#claimNext(policy, capacity);
    } catch (thrown) {
      this.#reopenQueue(cursor);
      throw thrown;
    }
  }

  /** Takes messages in the order of sending, and writes their claim. */
  #claimNext(policy: AccountPolicy, capacity: number): readonly Claimed[] {
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
    });
    const claimed = ready.map((one) => {
      const { seq, phone, attempts } = one.row;
      return { ...one, entry: { seq, n: nextAttempt(parseAttempts(attempts)), at: now, phone } };
    });
    for (const { entry } of claimed) this.pace.record(entry, policy.rate, random());
    if (claimed.length > 0) {
      const entries = claimed.map(({ entry }) => entry);
      const flight = [...this.flight.calls, ...entries];
      const text = (): string => this.counters.keep(this.flight.openAttempts(entries));
      const carried = { text, isDue: this.counters.mustKeep };
      this.#log.write({ at: now, cursor: this.cursor, tokens: this.pace.tokens, flight }, carried);
    }
    this.keepCounters();
    for (const { entry } of claimed) this.flight.add(entry);
    return claimed;
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
    const { calls, clock } = this.#deps;
    calls.exhaust();
    this.flight.remove(entry);
    const cursor = Math.min(this.cursor, entry.seq - 1);
    this.#reopenQueue(cursor);
    // After a crash it must not count as in flight.
    this.#log.write({ at: clock(), cursor, tokens: this.pace.tokens, flight: this.flight.calls });
  }

  /** Writes the counters in the surrounding commit if they must be kept. */
  keepCounters(): void {
    if (!this.counters.mustKeep) return;
    const bare = { at: this.#deps.clock(), cursor: this.cursor, tokens: this.pace.tokens };
    this.#log.carry(this.counters.keep(this.flight.openAttempts([])), bare);
  }

  #expire(row: MessageRow): void {
    this.counters.reached(row.source, 'expired');
    this.#deps.onExpired(row);
  }
}

import type { AttemptResult, NoCall } from '../../gateway/client.ts';
import type { AttemptKey } from '../counters/counters.ts';
import { nextAttempt, parseAttempts } from '../state/message.ts';
import type { InFlight } from './in-flight.ts';
import type { Ready } from './ready-rows.ts';

/** A message whose call may go out: the claim is written. */
export interface Claimed extends Ready {
  readonly entry: InFlight;
}

/** A call that has its answer and is not recorded yet. */
export interface EndedCall extends Claimed {
  readonly startedAt: number;
  readonly result: AttemptResult | NoCall;
}

/** The calls that are under way, and those that were under way when the object stopped. */
export class Flight {
  readonly #sql: SqlStorage;
  readonly #calls = new Map<number, InFlight>();
  readonly #ended: EndedCall[] = [];
  #interrupted: readonly InFlight[];
  /** Its call has ended, and its row is written at the end of the commit. */
  recording: InFlight | null = null;
  #fault: unknown = null;

  /** `last`: what was in flight by the newest claim. */
  constructor(sql: SqlStorage, last: readonly InFlight[]) {
    this.#sql = sql;
    this.#interrupted = last.filter((entry) => this.isUnrecorded(entry));
  }

  get size(): number {
    return this.#calls.size;
  }

  get calls(): readonly InFlight[] {
    return [...this.#calls.values()];
  }

  /** The calls that were under way when the object stopped: it is unknown whether they arrived. */
  get interrupted(): readonly InFlight[] {
    return this.#interrupted;
  }

  /** Whether this message's call is under way, or was under way when the object stopped, or its row is yet to be written. */
  has(seq: number): boolean {
    return (
      this.#calls.has(seq) ||
      this.recording?.seq === seq ||
      this.#interrupted.some((entry) => entry.seq === seq)
    );
  }

  /** The messages whose calls are under way, or were under way when the object stopped. */
  seqs(): readonly number[] {
    return [...new Set([...this.#calls.keys(), ...this.#interrupted.map(({ seq }) => seq)])];
  }

  /** The attempts that have no record yet, and those of the claim that is being made. */
  openAttempts(claimed: readonly InFlight[]): readonly AttemptKey[] {
    // A fault may have come after the attempt was recorded.
    const interrupted = this.#interrupted.filter((entry) => this.isUnrecorded(entry));
    return [...this.#calls.values(), ...interrupted, ...claimed].map(({ seq, n }) => [seq, n]);
  }

  add(entry: InFlight): void {
    this.#calls.set(entry.seq, entry);
  }

  remove({ seq }: InFlight): void {
    this.#calls.delete(seq);
  }

  end(call: EndedCall): void {
    this.#ended.push(call);
  }

  /** The calls that have ended since this was last called. */
  takeEnded(): readonly EndedCall[] {
    return this.#ended.splice(0);
  }

  /**
   * A call threw, or could not be recorded: a bug, or a full disk. The message must not stay in flight for ever, so it
   * is treated as if the object had stopped.
   */
  interrupt(entry: InFlight, thrown: unknown): void {
    this.#interrupted = [...this.#interrupted, entry];
    this.#calls.delete(entry.seq);
    this.fail(new Error('an attempt could not be made or recorded', { cause: thrown }));
  }

  /** Keeps a fault for {@link throwFault}. */
  fail(thrown: unknown): void {
    this.#fault ??= thrown;
  }

  /** All interrupted calls are recorded now. */
  settled(): void {
    this.#interrupted = [];
  }

  /** Throws what a call threw, so that the alarm logs it and comes back later. */
  throwFault(): void {
    const fault = this.#fault;
    this.#fault = null;
    if (fault !== null) throw fault;
  }

  /** Whether an attempt has no record in its message's row. */
  isUnrecorded({ seq, n }: InFlight): boolean {
    const row = this.#sql
      .exec<{ attempts: string }>('SELECT attempts FROM messages WHERE seq = ?', seq)
      .toArray()[0];
    return row !== undefined && nextAttempt(parseAttempts(row.attempts)) <= n;
  }
}

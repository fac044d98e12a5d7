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
  /** Calls whose records could not be written, and what writes them. All that follows from them is done. */
  readonly unwritten = new Map<InFlight, () => void>();
  /** Calls that have ended and could not be recorded at all: still under way, as far as everything else knows. */
  readonly #again = new Set<InFlight>();
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

  /** The calls without a row that says how they ended: what a claim says is in flight. */
  get unsettled(): readonly InFlight[] {
    return [...this.#calls.values(), ...this.#halfWritten];
  }

  get #halfWritten(): readonly InFlight[] {
    return [...(this.recording === null ? [] : [this.recording]), ...this.unwritten.keys()];
  }

  /** Whether there is something to record although no call has ended: another commit has to try. */
  get isBehind(): boolean {
    return this.#interrupted.length + this.unwritten.size + this.#again.size > 0;
  }

  /** The calls that were under way when the object stopped: it is unknown whether they arrived. */
  get interrupted(): readonly InFlight[] {
    return this.#interrupted;
  }

  /** Whether this message's call is under way, or was under way when the object stopped, or its row is yet to be written. */
  has(seq: number): boolean {
    return (
      this.#calls.has(seq) ||
      this.#interrupted.some((entry) => entry.seq === seq) ||
      this.#halfWritten.some((entry) => entry.seq === seq)
    );
  }

  /** The messages of these. */
  seqs(): readonly number[] {
    return [...new Set([...this.unsettled, ...this.#interrupted].map(({ seq }) => seq))];
  }

  /** The attempts that have no record yet, and those of the claim that is being made. */
  openAttempts(claimed: readonly InFlight[]): readonly AttemptKey[] {
    // A fault may have come after the attempt was recorded.
    const interrupted = this.#interrupted.filter((entry) => this.isUnrecorded(entry));
    return [...this.unsettled, ...interrupted, ...claimed].map(({ seq, n }) => [seq, n]);
  }

  add(entry: InFlight): void {
    this.#calls.set(entry.seq, entry);
  }

  remove(entry: InFlight): void {
    this.#calls.delete(entry.seq);
    this.#again.delete(entry);
  }

  end(call: EndedCall): void {
    this.#ended.push(call);
  }

  /** The calls that have ended since this was last called. */
  takeEnded(): readonly EndedCall[] {
    return this.#ended.splice(0);
  }

  /** A call that has ended could not be recorded: a bug, or a full disk. The next commit tries again. */
  endAgain(call: EndedCall, thrown: unknown): void {
    this.#ended.push(call);
    this.#again.add(call.entry);
    this.fail(new Error('an attempt could not be recorded', { cause: thrown }));
  }

  /** Whether it could not be recorded before. */
  isAgain(entry: InFlight): boolean {
    return this.#again.has(entry);
  }

  /**
   * A call threw: a bug. The message must not stay in flight for ever, so it is treated as if the object had stopped.
   */
  interrupt(entry: InFlight, thrown: unknown): void {
    this.#interrupted = [...this.#interrupted, entry];
    this.#calls.delete(entry.seq);
    this.fail(new Error('an attempt could not be made', { cause: thrown }));
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

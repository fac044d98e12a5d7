import type { AttemptResult, NoCall } from '../../gateway/client.ts';
import { minTime } from '../../lib/time.ts';
import { nextAttempt, parseAttempts } from '../state/message.ts';
import type { Ready } from './ready-rows.ts';

/** The time for which a message rests after a fault (ms). */
export const FAULT_MS = 30_000;

/** A message in flight: its number, the attempt's number, the time when it was claimed (ms), and its receiver. */
export interface InFlight {
  readonly seq: number;
  readonly n: number;
  readonly at: number;
  readonly phone: string | null;
}

/** A message whose call may go out: the claim is written. */
export interface Claimed extends Ready {
  readonly entry: InFlight;
}

/** A call that has its answer and is not recorded yet. */
export interface EndedCall extends Claimed {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly result: AttemptResult | NoCall;
}

/** The calls that are under way, and those that were under way when the object stopped. */
export class Flight {
  readonly #sql: SqlStorage;
  readonly #calls = new Map<number, InFlight>();
  /** Calls that have ended. For all other code, they are still under way. */
  readonly #ended: EndedCall[] = [];
  /** The messages whose records could not be written, and by when they are tried again (ms). */
  readonly #late = new Map<number, number>();
  #interrupted: readonly InFlight[];
  #fault: unknown = null;

  /** `last`: the messages in flight by the newest claim. */
  constructor(sql: SqlStorage, last: readonly InFlight[]) {
    this.#sql = sql;
    this.#interrupted = last.filter((entry) => this.isUnrecorded(entry));
  }

  get size(): number {
    return this.#calls.size;
  }

  /** The number of calls, without those whose record could not be written. */
  get open(): number {
    return [...this.#calls.keys()].filter((seq) => !this.#late.has(seq)).length;
  }

  get calls(): readonly InFlight[] {
    return [...this.#calls.values()];
  }

  /** True if there is something to record that was not tried yet. */
  get isBehind(): boolean {
    const entries = [...this.#interrupted, ...this.#ended.map(({ entry }) => entry)];
    return entries.some(({ seq }) => !this.#late.has(seq));
  }

  /** The time by which a record that could not be written is tried again (ms); null if there is none. */
  get lateAt(): number | null {
    return minTime([...this.#late.values()]);
  }

  /** The calls that were under way when the object stopped: it is unknown whether they arrived. */
  get interrupted(): readonly InFlight[] {
    return this.#interrupted;
  }

  /** True if this message's call is under way, or was when the object stopped. */
  has(seq: number): boolean {
    return this.#calls.has(seq) || this.#interrupted.some((entry) => entry.seq === seq);
  }

  /** The numbers of these messages. */
  seqs(): readonly number[] {
    return [...this.#calls.keys(), ...this.#interrupted.map(({ seq }) => seq)];
  }

  add(entry: InFlight): void {
    this.#calls.set(entry.seq, entry);
  }

  remove(entry: InFlight): void {
    this.#calls.delete(entry.seq);
    this.#late.delete(entry.seq);
  }

  end(call: EndedCall): void {
    this.#ended.push(call);
  }

  /** The calls that have ended and are not recorded. */
  takeEnded(): readonly EndedCall[] {
    return this.#ended.splice(0);
  }

  /**
   * A record could not be written: a bug, or a full disk. Each later commit tries again, and one is made at {@link lateAt}.
   * True if the fault is to be reported: once in that time.
   */
  recordLater({ seq }: InFlight, now: number): boolean {
    const isNew = (this.#late.get(seq) ?? 0) <= now;
    if (isNew) this.#late.set(seq, now + FAULT_MS);
    return isNew;
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

  /** An interrupted call is recorded now. */
  settled({ seq }: InFlight): void {
    this.#interrupted = this.#interrupted.filter((entry) => entry.seq !== seq);
    this.#late.delete(seq);
  }

  /** Throws the exception of a call, so that the alarm logs it and comes back later. */
  throwFault(): void {
    const fault = this.#fault;
    this.#fault = null;
    if (fault !== null) throw fault;
  }

  /** True if an attempt has no record in its message's row. */
  isUnrecorded({ seq, n }: InFlight): boolean {
    const row = this.#sql
      .exec<{ attempts: string }>('SELECT attempts FROM messages WHERE seq = ?', seq)
      .toArray()[0];
    return row !== undefined && nextAttempt(parseAttempts(row.attempts)) <= n;
  }
}

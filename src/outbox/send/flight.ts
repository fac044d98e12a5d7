import type { AttemptResult, NoCall } from '../../gateway/client.ts';
import { minTime } from '../../lib/time.ts';
import { messageRow, nextAttempt, parseAttempts } from '../state/message.ts';
import type { Ready } from './queue.ts';

/** The time for which a message rests after a fault (ms). */
export const FAULT_MS = 30_000;

/** The result of a call that was under way when the object stopped: it is unknown whether it arrived. */
export const INTERRUPTED: AttemptResult = { outcome: 'uncertain', code: 'interrupted', duration_ms: 0 };

/** A call as the checkpoint has it: its message, the number of the attempt, and the time when it was claimed (ms). */
export interface InFlight {
  readonly seq: number;
  readonly n: number;
  readonly at: number;
}

/** A call: its claim is written, it ends, and it is recorded, which may have to wait. */
export interface Call extends Ready, InFlight {
  ended: CallEnd | null;
  /** By when its record, which could not be written, is tried again (ms); null if it was not tried yet. */
  againAt: number | null;
}

/** The end of a call: the times when it began and ended (ms), and its result. */
export interface CallEnd {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly result: AttemptResult | NoCall;
}

/** The calls that have no record yet. Each keeps its receiver busy, and its connection. */
export class Flight {
  readonly #calls = new Map<number, Call>();
  #fault: unknown = null;

  /** `last`: the messages in flight by the newest claim. Those without a record were interrupted. */
  constructor(sql: SqlStorage, last: readonly InFlight[]) {
    for (const { seq, n, at } of last) {
      const row = messageRow({ sql }, seq);
      if (row === null || nextAttempt(parseAttempts(row.attempts)) > n) continue;
      const ended = { startedAt: at, endedAt: at, result: INTERRUPTED };
      this.#calls.set(seq, { row, receivedAt: row.created_at, seq, n, at, ended, againAt: null });
    }
  }

  get size(): number {
    return this.#calls.size;
  }

  /** The number of calls, without those whose record could not be written. */
  get open(): number {
    return this.calls.filter(({ againAt }) => againAt === null).length;
  }

  get calls(): readonly Call[] {
    return [...this.#calls.values()];
  }

  /** The calls that have ended: each commit records them, or tries again. */
  get ended(): readonly (Call & { readonly ended: CallEnd })[] {
    return this.calls.filter((call): call is Call & { ended: CallEnd } => call.ended !== null);
  }

  /** True if there is something to record that was not tried yet. */
  get isBehind(): boolean {
    return this.ended.some(({ againAt }) => againAt === null);
  }

  /** The time by which a record that could not be written is tried again (ms); null if there is none. */
  get lateAt(): number | null {
    return minTime(this.calls.map(({ againAt }) => againAt));
  }

  has(seq: number): boolean {
    return this.#calls.has(seq);
  }

  seqs(): readonly number[] {
    return [...this.#calls.keys()];
  }

  add(call: Call): void {
    this.#calls.set(call.seq, call);
  }

  remove({ seq }: Call): void {
    this.#calls.delete(seq);
  }

  /** A record could not be written. It is tried again at {@link lateAt}; true if the fault is to be reported. */
  recordLater(call: Call, now: number): boolean {
    const isNew = (call.againAt ?? 0) <= now;
    if (isNew) call.againAt = now + FAULT_MS;
    return isNew;
  }

  /** Keeps a fault for {@link throwFault}. */
  fail(thrown: unknown): void {
    this.#fault ??= thrown;
  }

  /** Throws the exception of a call, so that the alarm logs it and comes back later. */
  throwFault(): void {
    const fault = this.#fault;
    this.#fault = null;
    if (fault !== null) throw fault;
  }
}

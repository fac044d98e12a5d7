import { inTime } from './timeout.ts';

/**
 * One call at a time for all who need its answer. A request that is cancelled takes its call with it: no wait is longer
 * than `ms`, and nobody joins a call that is as old.
 */
export class SingleFlight<Value> {
  readonly #ms: number;
  readonly #late: string;
  #underWay: { readonly at: number; readonly answer: Promise<Value> } | null = null;

  /** `late`: the message of the error when the answer does not come in time. */
  constructor(ms: number, late: string) {
    this.#ms = ms;
    this.#late = late;
  }

  /** The answer of the call under way, or of a new one. `now`: when the caller's request came, in ms. */
  run(now: number, call: () => Promise<Value>): Promise<Value> {
    const { answer } = this.#joinable(now) ?? this.#begin(now, call);
    return inTime(this.#ms, answer, this.#late);
  }

  /** Requests do not get here in the order in which they came: only a far earlier time is a clock that was set back. */
  #joinable(now: number): { readonly answer: Promise<Value> } | null {
    const known = this.#underWay;
    return known !== null && Math.abs(now - known.at) < this.#ms ? known : null;
  }

  #begin(now: number, call: () => Promise<Value>): { readonly answer: Promise<Value> } {
    const begun = { at: now, answer: call() };
    this.#underWay = begun;
    const end = (): void => {
      if (this.#underWay === begun) this.#underWay = null;
    };
    begun.answer.then(end, end);
    return begun;
  }
}

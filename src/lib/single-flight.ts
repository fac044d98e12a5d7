import { inTime } from './timeout.ts';

/**
 * Shares one call among all callers who need its answer. A cancelled request also cancels its call. So no wait is
 * longer than `ms`, and nobody joins a call that is older than that.
 */
export class SingleFlight<Value> {
  readonly #ms: number;
  readonly #late: string;
  #underWay: { readonly at: number; readonly answer: Promise<Value> } | null = null;

  /** `late`: the message of the error if the answer does not come in time. */
  constructor(ms: number, late: string) {
    this.#ms = ms;
    this.#late = late;
  }

  /** Returns the answer of the call in progress, or of a new one. `now`: the time of the caller's request (ms). */
  run(now: number, call: () => Promise<Value>): Promise<Value> {
    const { answer } = this.#joinable(now) ?? this.#begin(now, call);
    return inTime(this.#ms, answer, this.#late);
  }

  /**
   * Requests may get here in another order than they came. Only a much earlier time means that a clock was set back.
   */
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

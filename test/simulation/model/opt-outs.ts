import type { Report } from './report.ts';

/** A receiver has opted out. Times in ms. */
export interface OptOut {
  readonly phone: string;
  readonly requestedAt: number;
  /** The time when the relay said that it is so. Infinity if it has not. */
  addedAt: number;
  /** The time when somebody asked that it ends. */
  endsFrom: number;
  /** The time when the relay said that it has. */
  endedAt: number;
}

interface Call {
  readonly phone: string;
  readonly text: string;
  readonly at: number;
}

export class OptOuts {
  readonly #report: Report;
  readonly #isTransactional: (text: string) => boolean;
  readonly #inForceBy: (from: number) => number;
  readonly #all: OptOut[] = [];

  /**
   * `isTransactional`: whether a message of this text is sent all the same. `inForceBy`: when a change that was made then is in force
   * everywhere.
   */
  constructor(
    report: Report,
    isTransactional: (text: string) => boolean,
    inForceBy: (from: number) => number,
  ) {
    this.#report = report;
    this.#isTransactional = isTransactional;
    this.#inForceBy = inForceBy;
  }

  begins(phone: string, at: number): OptOut {
    const one = { phone, requestedAt: at, addedAt: Infinity, endsFrom: Infinity, endedAt: Infinity };
    this.#all.push(one);
    return one;
  }

  called({ phone, text, at }: Call): void {
    const isOut = this.#all.some(
      (one) => one.phone === phone && at > this.#inForceBy(one.addedAt) && at < one.endsFrom,
    );
    if (isOut && !this.#isTransactional(text))
      this.#report('nobody who has opted out gets a message', `${phone}: ${text}`);
  }

  /** True if a message that was accepted after this may end without being sent. */
  maySuppress({ phone, text }: Omit<Call, 'at'>, from: number): boolean {
    return (
      !this.#isTransactional(text) &&
      this.#all.some((one) => one.phone === phone && this.#inForceBy(one.endedAt) >= from)
    );
  }
}

/** Amounts that came at about the same time: the times of the first and the last (ms), and their sum. */
interface Grain {
  readonly first: number;
  readonly last: number;
  readonly amount: number;
}

/** Times (ms) and amounts, oldest first. A sum is stored in this form. */
export type Amounts = readonly (readonly [at: number, amount: number])[];

/**
 * The sum of the amounts in the last `windowMs`. The amounts of a grain leave the window together, at the time of the
 * last one. So the sum is never too small, and the number of grains in a window is bounded.
 */
export class SlidingSum {
  readonly #windowMs: number;
  readonly #grainMs: number;
  #grains: Grain[];
  #total: number;

  constructor({ windowMs, grainMs }: { windowMs: number; grainMs: number }, amounts: Amounts = []) {
    this.#windowMs = windowMs;
    this.#grainMs = grainMs;
    this.#grains = amounts.map(([at, amount]) => ({ first: at, last: at, amount }));
    this.#total = this.#grains.reduce((sum, { amount }) => sum + amount, 0);
  }

  /** Adds an amount. A negative `amount` undoes the last addition. */
  add(amount: number, now: number): void {
    if (amount === 0) return;
    this.#forget(now);
    this.#total += amount;
    const newest = this.#grains.at(-1);
    if (newest === undefined || now - newest.first >= this.#grainMs)
      this.#grains.push({ first: now, last: now, amount });
    else
      this.#grains[this.#grains.length - 1] = {
        first: newest.first,
        last: Math.max(newest.last, now),
        amount: newest.amount + amount,
      };
  }

  total(now: number): number {
    this.#forget(now);
    return this.#total;
  }

  /**
   * The time until the sum is at most `max` (ms), if nothing is added. 0 if it is already; a whole window if it never
   * will be.
   */
  waitFor(max: number, now: number): number {
    let rest = this.total(now);
    if (rest <= max) return 0;
    for (const { last, amount } of this.#grains) {
      rest -= amount;
      if (rest <= max) return last + this.#windowMs - now;
    }
    return this.#windowMs;
  }

  /** The content of the window, in the form in which it is stored. */
  amounts(now: number): Amounts {
    this.#forget(now);
    return this.#grains.map(({ last, amount }) => [last, amount]);
  }

  #forget(now: number): void {
    const from = this.#grains.findIndex(({ last }) => last > now - this.#windowMs);
    if (from === 0) return;
    this.#grains = from < 0 ? [] : this.#grains.slice(from);
    this.#total = this.#grains.reduce((sum, { amount }) => sum + amount, 0);
  }
}

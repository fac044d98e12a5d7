/** Amounts that came at about the same time: when the first and the last came (ms), and their sum. */
interface Grain {
  readonly first: number;
  readonly last: number;
  readonly amount: number;
}

/** Times (ms) and amounts, oldest first: the form in which a sum is stored. */
export type Amounts = readonly (readonly [at: number, amount: number])[];

/**
 * The sum of what came in the last `windowMs`. Amounts of one grain leave the window together, with the last of them.
 * So the sum is never too small, and a window has a bounded number of grains.
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

  /** A negative `amount` undoes what was just added. */
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
   * The time until the sum is at most `max` (ms), if nothing more comes. 0: it is already; a whole window if it never
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

  /** The content of the window, to be stored. */
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

/** What came within about the same time: when the first and the last of it did (ms), and how much it is. */
interface Grain {
  readonly first: number;
  readonly last: number;
  readonly amount: number;
}

/** How much came by when (ms), oldest first: a sum as it is kept. */
export type Amounts = readonly (readonly [at: number, amount: number])[];

/**
 * How much came in the last so many ms. What came within one grain leaves the window together, when the last of it
 * does, so that the sum is never too small, and a window holds a bounded number of grains however much comes.
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

  /** `amount` below zero takes back what was just added. */
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

  /** How long until the sum is at most `max` (ms), if nothing more comes: 0 now, and a whole window for what never is. */
  waitFor(max: number, now: number): number {
    let rest = this.total(now);
    if (rest <= max) return 0;
    for (const { last, amount } of this.#grains) {
      rest -= amount;
      if (rest <= max) return last + this.#windowMs - now;
    }
    return this.#windowMs;
  }

  /** What is in the window, to be kept. */
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

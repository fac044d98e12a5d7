import { inTime } from './wait.ts';

/** Drops the oldest of `limit` values. For values that take longer to make than to look up. */
export function createCache<T>(limit: number): (key: string, make: () => T) => T {
  const values = new Map<string, T>();
  return function cached(key, make) {
    const known = values.get(key);
    if (known !== undefined) return known;
    const made = make();
    const [oldest] = values.keys();
    if (values.size >= limit && oldest !== undefined) values.delete(oldest);
    values.set(key, made);
    return made;
  };
}

/** Calls `make` once for each name, at its first use. Later calls return the same answer. */
export function memoized<Answer>(make: (name: string) => Answer): (name: string) => Answer {
  const made = createCache<Answer>(Infinity);
  return (name) => made(name, () => make(name));
}

/** Shares one call among its callers. No wait is longer than `ms`, and nobody joins an older call: a cancelled request cancels its call. */
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
    // Requests may get here in another order than they came. A much earlier time: a clock was set back.
    const known = this.#underWay;
    if (known !== null && Math.abs(now - known.at) < this.#ms)
      return inTime(this.#ms, known.answer, this.#late);
    const begun = { at: now, answer: call() };
    this.#underWay = begun;
    const end = (): void => {
      if (this.#underWay === begun) this.#underWay = null;
    };
    begun.answer.then(end, end);
    return inTime(this.#ms, begun.answer, this.#late);
  }
}

/** Facts that are no part of the code, which starts sooner without them: `config/compiled/facts.ts` reads them. */
export class FactsOn<Value> {
  /** Null until they are read. */
  known: Value | null = null;
  readonly #what: string;

  constructor(what: string) {
    this.#what = what;
  }

  inUse(): Value {
    if (this.known !== null) return this.known;
    throw new Error(`the ${this.#what} have not been read: await \`loadConfig\` or \`readFacts\` first`);
  }
}

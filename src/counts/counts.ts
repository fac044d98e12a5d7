/**
 * By kind and labels, separated by spaces, such as `event shop routed`. Plain data: it is stored in a row, and part of
 * RPCs.
 */
export type Totals = Readonly<Record<string, number>>;

/** The kind that keeps the newest time (ms) in place of a sum. */
export const LAST = 'last';

/** The kinds whose first label is a source, or stands for several. */
export const OF_SOURCES = ['event', 'duplicate', 'message'] as const;

export type CountPath =
  | readonly ['event' | 'message', source: string, state: string]
  | readonly ['duplicate' | typeof LAST, source: string]
  | readonly ['rejection', source: string, reason: string]
  | readonly ['attempt', outcome: string]
  | readonly ['took', outcome: string, bucket: string]
  | readonly ['latency', bucket: string]
  | readonly ['escape', outcome: 'taken' | 'failed']
  | readonly ['digest'];

/** Sums that only grow. No name of a source, account or outcome contains a space. */
export class Counts {
  readonly #sums: Map<string, number>;

  constructor(totals: Totals = {}) {
    this.#sums = new Map(Object.entries(totals));
  }

  add(amount: number, ...path: CountPath): void {
    const key = path.join(' ');
    this.#sums.set(key, (this.#sums.get(key) ?? 0) + amount);
  }

  get size(): number {
    return this.#sums.size;
  }

  get(...path: CountPath): number {
    return this.#sums.get(path.join(' ')) ?? 0;
  }

  of(kind: CountPath[0]): readonly (readonly [labels: readonly string[], sum: number])[] {
    return [...this.#sums].flatMap(([key, sum]) => {
      const [first, ...labels] = key.split(' ');
      return first === kind ? [[labels, sum] as const] : [];
    });
  }

  toJSON(): Totals {
    return Object.fromEntries(this.#sums);
  }
}

export const byLabel = <Label extends string>(labels: readonly Label[], count: (label: Label) => number) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has a property for each label.
  Object.fromEntries(labels.map((label) => [label, count(label)])) as Record<Label, number>;

/** Upper bounds of the duration of a call to the gateway, in seconds. An account's `timeout` is at most two minutes. */
export const ATTEMPT_BOUNDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60, 120] as const;

/** Upper bounds of the time from the webhook to the gateway's acceptance, in seconds: at once, at a pace, or after retries. */
export const LATENCY_BOUNDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 900, 3_600, 21_600, 86_400] as const;

/** Prometheus's name of the bucket for values above the last bound. */
const INFINITE = '+Inf';

/** Returns the bucket of a value. Its name is its bound, since a later deploy may insert other buckets. */
export function bucketOf(bounds: readonly number[], value: number): string {
  const bound = bounds.find((one) => value <= one);
  return bound === undefined ? INFINITE : String(bound);
}

/**
 * The number of values in each bucket, in the order of the bounds, with `+Inf` last; each includes those before it. `le`:
 * its upper bound. `countOf`: the number of values in this bucket alone.
 */
export function histogram(bounds: readonly number[], countOf: (le: string) => number, sum: number) {
  let count = 0;
  const buckets = [...bounds.map(String), INFINITE].map((le) => ({ le, count: (count += countOf(le)) }));
  return { buckets, sum, count };
}

export type Histogram = ReturnType<typeof histogram>;

/** The value below which this share lies, by linear interpolation within its bucket; null if there are none. */
export function quantile({ buckets, count }: Histogram, share: number): number | null {
  if (count === 0) return null;
  const rank = share * count;
  let lower = { bound: 0, count: 0 };
  for (const { le, count: upTo } of buckets) {
    if (le === INFINITE) break;
    const bound = Number(le);
    if (upTo >= rank)
      return lower.bound + ((bound - lower.bound) * (rank - lower.count)) / (upTo - lower.count);
    lower = { bound, count: upTo };
  }
  // The value is above the last bound. By how much is unknown.
  return lower.bound;
}

/** Upper bounds of how long a call to the gateway takes, in seconds; an account's `timeout` ends at two minutes. */
export const ATTEMPT_BOUNDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60, 120] as const;

/** Upper bounds of the time from the webhook to the gateway's yes, in seconds: at once, paced, or after retries. */
export const LATENCY_BOUNDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 900, 3_600, 21_600, 86_400] as const;

/** What Prometheus calls the bucket of all that is larger than the last bound. */
const INFINITE = '+Inf';

/** How many values fell into each bucket: `le` is its upper bound. */
export interface Histogram {
  /** In the order of the bounds, `+Inf` last; each holds those of the buckets before it as well. */
  readonly buckets: readonly { readonly le: string; readonly count: number }[];
  readonly sum: number;
  readonly count: number;
}

/** The bucket of a value. Kept by its bound, not by its place: a later deploy may put others between them. */
export function bucketOf(bounds: readonly number[], value: number): string {
  const bound = bounds.find((one) => value <= one);
  return bound === undefined ? INFINITE : String(bound);
}

/** `countOf`: how many values fell into just this bucket. */
export function histogram(
  bounds: readonly number[],
  countOf: (le: string) => number,
  sum: number,
): Histogram {
  let count = 0;
  const buckets = [...bounds.map(String), INFINITE].map((le) => ({ le, count: (count += countOf(le)) }));
  return { buckets, sum, count };
}

/** The value below which this share of all values lies, by a straight line within its bucket; null of none. */
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
  // Longer than the longest bound: nobody knows how much.
  return lower.bound;
}

/** A time (ms since the epoch) as ISO 8601, in UTC. */
export const iso = (ms: number): string => new Date(ms).toISOString();

/** The earliest of these times (ms). Null stands for never, in `times` and in the result. */
export const earliest = (times: readonly (number | null)[]): number | null =>
  times.reduce((first, at) => (first === null || (at !== null && at < first) ? at : first), null);

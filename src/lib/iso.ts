/** A time (ms since the epoch) as ISO 8601, in UTC. */
export const iso = (ms: number): string => new Date(ms).toISOString();

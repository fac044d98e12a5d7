/** A version is one row of the registry, and a SQLite row in a Durable Object has at most 2 MB. */
export const MAX_SET_BYTES = 1_500_000;

/** A version is one row of the registry, and SQLite rows in a Durable Object end at 2 MB. */
export const MAX_SET_BYTES = 1_500_000;

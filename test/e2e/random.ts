/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** A whole number from `min` to `max`, both possible. */
  between(min: number, max: number): number;
}

/** Marsaglia's xorshift32: enough to choose moments by. */
export function seeded(seed: number): Random {
  // Its state must not be 0, and small seeds should not begin alike.
  let state = (Math.imul(seed, 0x9e37_79b1) ^ 0x5bd1_e995) | 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  return { between: (min, max) => min + Math.floor(next() * (max - min + 1)) };
}

/** The seed of this run: `SEED` where it is set, else a new one. */
export function seedOfRun(): number {
  const text = process.env['SEED'];
  if (text === undefined || text === '') return Math.floor(Math.random() * 2 ** 31);
  const seed = Number(text);
  if (!Number.isSafeInteger(seed)) throw new Error(`SEED must be a whole number, not ${text}`);
  return seed;
}

import { createCache } from './cache.ts';

/** Calls `make` once for each name, at its first use. Later calls return the same answer. */
export function memoized<Answer>(make: (name: string) => Answer): (name: string) => Answer {
  const made = createCache<Answer>(Infinity);
  return (name) => made(name, () => make(name));
}

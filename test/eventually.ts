import { vi } from 'vitest';

/**
 * What `look` gives once it no longer throws: what happens beside an answer is not there with it. The limit is for what never
 * comes; no machine is so slow.
 */
export const eventually = <T>(look: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(look, { timeout: 30_000, interval: 20 });

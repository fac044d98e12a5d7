import { vi } from 'vitest';

/**
 * Returns the result of `look` once it no longer throws: work beside an answer may not be done when the answer comes.
 * The limit is for work that never ends; no machine is that slow.
 */
export const eventually = <T>(look: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(look, { timeout: 30_000, interval: 20 });

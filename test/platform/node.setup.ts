/** What workerd's Web Crypto has beyond the standard, and the facts that come to an isolate with its configuration. */
import { timingSafeEqual } from 'node:crypto';
import { afterAll, vi } from 'vitest';
import '../../cli/facts.ts';

Object.assign(crypto.subtle, { timingSafeEqual });

// Files share a process: a clock that one has stopped would stop for the next.
const timer = (): unknown => Reflect.get(globalThis, 'setTimeout');
const realTimer = timer();
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  if (timer() !== realTimer)
    throw new Error('This file leaves a stopped clock: restore its mocks before `vi.useRealTimers()`.');
});

/** What workerd or a browser has and Node has not, and the facts that come to an isolate with its configuration. */
import { timingSafeEqual } from 'node:crypto';
import { afterAll, vi } from 'vitest';
import '../../cli/facts.ts';
import { turn } from '../eventually.ts';

Object.assign(crypto.subtle, { timingSafeEqual });
// A pause is a turn of the event loop, however long it would be: no test waits.
Object.assign(globalThis, { scheduler: { wait: turn } });
Object.assign(globalThis, { localStorage: { getItem: () => null }, addEventListener: () => undefined });

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

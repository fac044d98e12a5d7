import { describe, expect, it } from 'vitest';
import { withTimeout } from '../../src/lib/timeout.ts';

const MINUTE = 60_000;

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

describe('withTimeout', () => {
  it('gives what the work gives', async () => {
    await expect(withTimeout(MINUTE, () => Promise.resolve(7))).resolves.toBe(7);
    await expect(withTimeout(MINUTE, () => Promise.reject(new Error('its own')))).rejects.toThrow('its own');
  });

  it('aborts with a TimeoutError, as fetch() is used to', async () => {
    await expect(withTimeout(1, untilAborted)).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('leaves no timer behind when the work is done: the platform allows 10,000 of them', async () => {
    for (let call = 0; call < 25_000; call += 1) await withTimeout(MINUTE, () => Promise.resolve());
    await expect(withTimeout(MINUTE, () => Promise.resolve('still'))).resolves.toBe('still');
  });
});

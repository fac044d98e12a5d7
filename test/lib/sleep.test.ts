import { afterEach, describe, expect, it, vi } from 'vitest';
import { sleep } from '../../src/lib/sleep.ts';
import { turn } from '../eventually.ts';

const HOUR = 3_600_000;

describe('sleep', () => {
  afterEach(() => vi.useRealTimers());

  it('ends by itself after its time, and not before', async () => {
    vi.useFakeTimers();
    const ended = vi.fn();
    const sleeping = sleep(HOUR, new AbortController().signal).then(ended);
    await vi.advanceTimersByTimeAsync(HOUR - 1);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await sleeping;
  });

  it('ends as soon as it is called off, before or after it began', async () => {
    await expect(sleep(HOUR, AbortSignal.abort())).resolves.toBeUndefined();
    const caller = new AbortController();
    const sleeping = sleep(HOUR, caller.signal);
    caller.abort();
    await expect(sleeping).resolves.toBeUndefined();
  });

  it('leaves no timer behind when it is called off: the platform allows 10,000 of them', async () => {
    for (let turn = 0; turn < 25_000; turn += 1) {
      const caller = new AbortController();
      const sleeping = sleep(HOUR, caller.signal);
      caller.abort();
      await sleeping;
    }
    const caller = new AbortController();
    const last = sleep(HOUR, caller.signal);
    const first = await Promise.race([last.then(() => 'over'), turn().then(() => 'asleep')]);
    expect(first).toBe('asleep');
    caller.abort();
    await expect(last).resolves.toBeUndefined();
  });
});

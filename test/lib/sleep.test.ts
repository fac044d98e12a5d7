import { describe, expect, it } from 'vitest';
import { sleep } from '../../src/lib/sleep.ts';

const HOUR = 3_600_000;

describe('sleep', () => {
  it('ends by itself', async () => {
    await expect(sleep(1, new AbortController().signal)).resolves.toBeUndefined();
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
    const first = await Promise.race([last.then(() => 'over'), scheduler.wait(1).then(() => 'asleep')]);
    expect(first).toBe('asleep');
    caller.abort();
    await expect(last).resolves.toBeUndefined();
  });
});

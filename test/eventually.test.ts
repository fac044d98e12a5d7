import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventually, lookUntil, turn } from './eventually.ts';

const counting = () => {
  let looks = 0;
  return () => (looks += 1);
};

describe('what a test waits for', () => {
  afterEach(() => vi.useRealTimers());

  it('is the value, as soon as looking for it no longer throws', async () => {
    const look = counting();
    const third = eventually(() => {
      const n = look();
      if (n < 3) throw new Error('not yet');
      return n;
    });
    await expect(third).resolves.toBe(3);
  });

  it('ends in the last error when the time is over', async () => {
    const never = eventually(() => Promise.reject(new Error('not there')), { withinMs: 0 });
    await expect(never).rejects.toThrow('not there');
  });

  it('is the value for which a condition holds, or the last one when the time is over', async () => {
    await expect(lookUntil(counting(), (n) => n === 3)).resolves.toBe(3);
    await expect(lookUntil(counting(), (n) => n === 3, { withinMs: 0 })).resolves.toBe(1);
  });

  it('ends at once when looking for what a condition is about throws', async () => {
    const broken = lookUntil(
      () => Promise.reject(new Error('broken')),
      () => false,
    );
    await expect(broken).rejects.toThrow('broken');
  });

  it('comes although the test has faked the clock', async () => {
    vi.useFakeTimers();
    await expect(lookUntil(counting(), (n) => n === 3)).resolves.toBe(3);
    await expect(lookUntil(counting(), () => false, { withinMs: 1, eachMs: 1 })).resolves.toBeGreaterThan(0);
    await turn();
  });
});

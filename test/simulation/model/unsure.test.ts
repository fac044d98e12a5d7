import { describe, expect, it } from 'vitest';
import { UnsureCalls } from './unsure.ts';

const NOON = Date.UTC(2026, 0, 1, 12);
const MINUTE = 60_000;

/** True if a call at noon is unsure, after its object was lost so long after it (ms). */
const isUnsure = (lostAfterMs: number, fullSince: number | null = null): boolean => {
  const calls = new UnsureCalls();
  calls.called({
    at: NOON,
    phone: '49151',
    says: [{ key: 'k1', status: 'firing', isNew: true }],
    isShown: true,
    isUncertain: false,
    isRefused: false,
  });
  calls.lost(NOON + lostAfterMs, fullSince);
  return calls.since('49151', ['k1'], NOON);
};

describe('a call', () => {
  it('is unsure if its object was lost soon after it', () => {
    expect([isUnsure(5_000), isUnsure(MINUTE)]).toEqual([true, false]);
  });

  it('is unsure if the disk has been full since, however long after it the object was lost', () => {
    expect(isUnsure(10 * MINUTE, NOON + 1_000)).toBe(true);
    expect(isUnsure(10 * MINUTE, NOON + 5 * MINUTE)).toBe(false);
  });
});

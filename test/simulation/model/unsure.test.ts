import { expect, it } from 'vitest';
import { MINUTE, NOON, PHONE } from './history.ts';
import { UnsureCalls } from './unsure.ts';

it.each<[lostAfterMs: number, fullSince: number | null, isUnsure: boolean]>([
  [5_000, null, true],
  [MINUTE, null, false],
  // The disk has been full since then.
  [10 * MINUTE, NOON + 1_000, true],
  [10 * MINUTE, NOON + 5 * MINUTE, false],
])(
  'a call is unsure if its object was lost soon after it, or could not write since (%i, %s: %s)',
  (after, full, isUnsure) => {
    const calls = new UnsureCalls();
    const says = [{ key: 'k1', status: 'firing', isNew: true }] as const;
    calls.called({ at: NOON, phone: PHONE, says, isShown: true, isUncertain: false, isRefused: false });
    calls.lost(NOON + after, full);
    expect(calls.since(PHONE, ['k1'], NOON)).toBe(isUnsure);
  },
);

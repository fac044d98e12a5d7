import { expect, it } from 'vitest';
import { perSecond } from '../../src/lib/per-second.ts';

const passed = (lets: (now: number) => boolean, times: readonly number[]) => times.map((now) => lets(now));

it('lets N through in a second, and as many in the next', () => {
  expect(passed(perSecond(2), [0, 10, 20, 999, 1_000, 1_001, 1_002])).toEqual([
    true,
    true,
    false,
    false,
    true,
    true,
    false,
  ]);
});

it('begins anew when the clock goes back', () => {
  expect(passed(perSecond(1), [5_000, 5_001, 4_000, 4_001])).toEqual([true, false, true, false]);
});

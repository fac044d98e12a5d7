import { describe, expect, it } from 'vitest';
import { GroupInterval } from './group-interval.ts';
import { NOON, PHONE } from './history.ts';
import type { ShownAlert } from './statement.ts';

const INTERVAL_S = 120;
const SECOND = 1_000;

/** `expired`: when an incident expired, in seconds after noon. */
const startModel = (expired: readonly number[] = []) => {
  const rules: string[] = [];
  const mayHaveEnded = (from: number, to: number): boolean =>
    expired.some((s) => NOON + s * SECOND > from && NOON + s * SECOND <= to);
  return {
    rules,
    model: new GroupInterval((rule) => void rules.push(rule), INTERVAL_S * SECOND, mayHaveEnded),
  };
};

/** A message that is shown N seconds after noon. */
const shownAfter = (s: number, how: Partial<ShownAlert> = {}): ShownAlert => ({
  at: NOON + s * SECOND,
  phone: PHONE,
  says: [{ key: 'k1', status: 'firing', isNew: true }],
  isShown: true,
  isUncertain: false,
  isRefused: false,
  ...how,
});

/** The rules that are broken when messages come at noon, after 100 s, as it is said, and after 110 s. */
function broken(how: Partial<ShownAlert>, setBackMs = 0): readonly string[] {
  const { rules, model } = startModel();
  for (const one of [shownAfter(0), shownAfter(100, how), shownAfter(110)]) model.called(one, setBackMs);
  return rules;
}

const TOO_SOON = 'a group is notified once in its interval';

describe('the interval of a group', () => {
  it('is kept between two messages for a receiver that open or repeat something', () => {
    expect(broken({})).toEqual([TOO_SOON, TOO_SOON]);
    expect(broken({ phone: 'another' })).toEqual([TOO_SOON]);
  });

  it('is over once an incident may have expired, and was the last of the group', () => {
    const { rules, model } = startModel([105]);
    for (const s of [0, 100, 110]) model.called(shownAfter(s), 0);
    expect(rules).toEqual([TOO_SOON]);
  });

  it('is over once a message only resolves', () => {
    expect(broken({ says: [{ key: 'k1', status: 'resolved', isNew: false }] })).toEqual([]);
  });

  it('does not hold back what may not have arrived', () => {
    expect(broken({ isShown: false })).toEqual([]);
    expect(broken({ isUncertain: true })).toEqual([]);
  });

  it('is shorter by what the clocks were wrong', () => {
    expect(broken({ phone: 'another' }, 10 * SECOND)).toEqual([]);
  });

  it.each([-1, 1])('is forgotten with an object that was lost %i s after the message', (lostS) => {
    const { rules, model } = startModel();
    if (lostS < 0) model.lost(NOON + lostS * SECOND);
    model.called(shownAfter(0), 0);
    if (lostS > 0) model.lost(NOON + lostS * SECOND);
    model.called(shownAfter(10), 0);
    expect(rules).toEqual([]);
  });
});

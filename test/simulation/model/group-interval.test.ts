import { expect, it } from 'vitest';
import { GroupInterval } from './group-interval.ts';
import { NOON, PHONE } from './history.ts';
import type { ShownAlert } from './statement.ts';

const SECOND = 1_000;
const TOO_SOON = 'a group is notified once in its interval';

interface Conditions {
  /** When an incident may have expired, in seconds after noon. */
  readonly expired?: number;
  readonly setBackMs?: number;
  /** When an object is lost, in seconds after noon. */
  readonly lost?: number;
}

/** The rules that are broken when messages come so many seconds after noon, the second as it is said. */
function broken(
  how: Partial<ShownAlert>,
  { expired = NaN, setBackMs = 0, lost }: Conditions = {},
): readonly string[] {
  const rules: string[] = [];
  const at = NOON + expired * SECOND;
  const model = new GroupInterval(
    (rule) => void rules.push(rule),
    120 * SECOND,
    (from, to) => at > from && at <= to,
  );
  const says = [{ key: 'k1', status: 'firing', isNew: true }] as const;
  const shown = { phone: PHONE, says, isShown: true, isUncertain: false, isRefused: false };
  for (const [index, s] of [0, 100, 110].entries()) {
    if (lost !== undefined && index === (lost < 0 ? 0 : 1)) model.lost(NOON + lost * SECOND);
    model.called({ ...shown, at: NOON + s * SECOND, ...(index === 1 && how) }, setBackMs);
  }
  return rules;
}

const BEN: Partial<ShownAlert> = { phone: 'another' };
const RESOLVES: Partial<ShownAlert> = { says: [{ key: 'k1', status: 'resolved', isNew: false }] };

it.each<[string, Partial<ShownAlert>, Conditions, times: number]>([
  ['is kept between two messages that open or repeat something', {}, {}, 2],
  ['is kept for each receiver', BEN, {}, 1],
  ['is over once an incident may have expired, and was the last of the group', {}, { expired: 105 }, 1],
  ['is over once a message only resolves', RESOLVES, {}, 0],
  ['does not hold back what may not have arrived', { isShown: false }, {}, 0],
  ['does not hold back what is uncertain', { isUncertain: true }, {}, 0],
  ['is shorter by what the clocks were wrong', BEN, { setBackMs: 10 * SECOND }, 0],
  ['is forgotten with an object that was lost before its message', {}, { lost: -1 }, 1],
  ['is forgotten with an object that was lost after its message', {}, { lost: 1 }, 1],
])('the interval of a group %s', (_, how, conditions, times) => {
  expect(broken(how, conditions)).toEqual(Array.from({ length: times }, () => TOO_SOON));
});

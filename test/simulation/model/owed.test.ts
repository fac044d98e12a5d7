import { expect, it } from 'vitest';
import type { AlertRules } from './alerts.ts';
import { History, MINUTE, NOON, QUIET, RULES } from './history.ts';

const THROTTLED = { ...RULES, throttle: { max: 2, perMs: 10 * MINUTE } };
const LATE = 'what is open is notified in time';
const MADE_UP = 'what was throttled is made up for';

/** Two others took the places of the throttle. */
const OTHERS = '0 fires k8; 0.01 +k8; 0 fires k9; 0.01 +k9';

/** The rules that are broken when something fires at noon, and nobody is notified of it for so many minutes. */
const starved = (story: string, minutes: number, rules: AlertRules = RULES): readonly string[] => {
  const history = new History(rules);
  if (story !== '') history.tell(story);
  history.is('firing', NOON);
  for (let at = NOON; at <= NOON + minutes * MINUTE; at += MINUTE) history.model.flows(at);
  return [...history.rules];
};

it.each<[string, string, minutes: readonly [inTime: number, late: number], string, AlertRules?]>([
  ['is notified in time', '', [120, 121], LATE],
  ['may be late when all had to wait', '1m waits', [180, 182], LATE],
  ['is due when what held it back is over', '1h silences k1 2h', [240, 245], LATE],
  ['is due in the day, but not in the night', '', [120, 20 * 60], LATE, QUIET],
  ['that was over the throttle is made up for', OTHERS, [130, 0], MADE_UP, THROTTLED],
  [
    'that was over the throttle is late after repeats of others',
    `${OTHERS}; 1h =k8; 1h =k9; 2h =k8; 2h =k9`,
    [0, 131],
    MADE_UP,
    THROTTLED,
  ],
])('an opening %s', (_, story, [inTime, late], rule, rules = RULES) => {
  expect(starved(story, inTime, rules)).toEqual([]);
  if (late > 0) expect(starved(story, late, rules)).toEqual([rule]);
});

it('an opening is due in the morning, and not for who left', () => {
  const night = new History(QUIET).tell('11h fires k1; 20h looked');
  expect([...night.rules]).toEqual([]);
  expect([...night.tell('22h looked').rules]).toEqual([LATE]);
  expect(starved('1h left me', 180)).toEqual([]);
});

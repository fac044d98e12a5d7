import { expect, it } from 'vitest';
import type { GatewayCall } from './messages.ts';
import { PaceModel, type PaceRules } from './pace.ts';

const RULES: PaceRules = { perMinute: 30, burst: 5, perHour: 30 };
const MINUTELY: PaceRules = { ...RULES, perHour: null };
const HOURLY: PaceRules = { ...RULES, perMinute: 60 };

const callAt = (second: number): GatewayCall => {
  const at = second * 1_000;
  const sent = { text: 'order 1', outcome: 'sent', isShown: true } as const;
  return { at, endsAt: at, account: 'default', phone: '4915112345601', ...sent };
};
const every = (seconds: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, n) => n * seconds);

it.each<[string, PaceRules, readonly number[], setBackMs: number, broken: readonly string[], text?: string]>([
  ['of 30 a minute is kept by 30 calls a minute', MINUTELY, every(2, 30), 0, []],
  ['of 30 a minute is broken by more', MINUTELY, every(1.8, 40), 0, ['the pace of an account is kept']],
  ['has a burst', RULES, [0, 0, 0, 0, 0, 2], 0, []],
  ['has no larger burst', RULES, every(0, 10), 0, ['the burst of an account is kept']],
  ['has a limit for each receiver in an hour', HOURLY, every(120, 30), 0, []],
  ['has that limit in any hour', HOURLY, every(100, 31), 0, ['the limit of a receiver is kept']],
  ['has that limit in each hour', HOURLY, every(121, 60), 0, []],
  ['has the room that a wrong clock needs', HOURLY, every(100, 31), 15 * 60_000, []],
  ['has half of that limit for strangers', HOURLY, every(120, 15), 0, [], 'guest 1'],
  ['has no more for them', HOURLY, every(120, 16), 0, ['the limit of a receiver is kept'], 'guest 1'],
  ['has an hour of its own for what is urgent', HOURLY, every(120, 30), 0, [], 'ward +w1'],
])('the pace %s', (_, rules, seconds, setBackMs, broken, text = 'order 1') => {
  const found = new Set<string>();
  const model = new PaceModel((rule) => void found.add(rule));
  for (const second of seconds) {
    model.called({ ...callAt(second), text }, rules, setBackMs);
    if (text.startsWith('ward'))
      model.called({ ...callAt(second), at: second * 1_000 + 60_000 }, rules, setBackMs);
  }
  expect([...found]).toEqual(broken);
});

it('the pace is known to hold up a receiver that is near its limit', () => {
  const model = new PaceModel(() => undefined);
  const call = callAt(0);
  for (let count = 0; count < 28; count += 1) model.called(call, RULES, 0);
  expect(model.isNearLimit(call, RULES)).toBe(false);
  model.called(call, RULES, 0);
  expect(model.isNearLimit(call, RULES)).toBe(true);
  expect(model.isNearLimit(callAt(3_601), RULES)).toBe(false);
  expect(model.isNearLimit(call, MINUTELY)).toBe(false);
});

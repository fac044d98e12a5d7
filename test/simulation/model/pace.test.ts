import { describe, expect, it } from 'vitest';
import type { GatewayCall } from './messages.ts';
import { PaceModel, type PaceRules } from './pace.ts';

const RULES: PaceRules = { perMinute: 30, burst: 5, perHour: 30 };

const callAt = (second: number): GatewayCall => ({
  at: second * 1_000,
  endsAt: second * 1_000,
  account: 'default',
  phone: '4915112345601',
  text: 'order 1',
  outcome: 'sent',
  isShown: true,
});

/** The rules that calls at these seconds break. */
function broken(seconds: readonly number[], rules: PaceRules = RULES, setBackMs = 0): readonly string[] {
  const found = new Set<string>();
  const model = new PaceModel((rule) => void found.add(rule));
  for (const second of seconds) model.called(callAt(second), rules, setBackMs);
  return [...found];
}

const every = (seconds: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, n) => n * seconds);

describe('the pace', () => {
  it('of 30 a minute is kept by 30 calls a minute, and broken by 31', () => {
    expect(broken(every(2, 30), { ...RULES, perHour: null })).toEqual([]);
    expect(broken(every(1.8, 40), { ...RULES, perHour: null })).toEqual(['the pace of an account is kept']);
  });

  it('has a burst, and no larger one', () => {
    expect(broken([0, 0, 0, 0, 0, 2], RULES)).toEqual([]);
    expect(broken([0, 0, 0, 0, 0, 0, 0, 0, 0, 0], RULES)).toEqual(['the burst of an account is kept']);
  });

  it('has a limit for each receiver in any hour', () => {
    const rules = { ...RULES, perMinute: 60 };
    expect(broken(every(120, 30), rules)).toEqual([]);
    expect(broken(every(100, 31), rules)).toEqual(['the limit of a receiver is kept']);
    expect(broken(every(121, 60), rules)).toEqual([]);
  });

  it('is known to hold up a receiver that is near its limit', () => {
    const model = new PaceModel(() => undefined);
    const call = callAt(0);
    for (let count = 0; count < 28; count += 1) model.called(call, RULES, 0);
    expect(model.isNearLimit(call, RULES)).toBe(false);
    model.called(call, RULES, 0);
    expect(model.isNearLimit(call, RULES)).toBe(true);
    expect(model.isNearLimit(callAt(3_601), RULES)).toBe(false);
    expect(model.isNearLimit(call, { ...RULES, perHour: null })).toBe(false);
  });

  it('is judged with the room that a wrong clock needs', () => {
    expect(broken(every(100, 31), { ...RULES, perMinute: 60 }, 15 * 60_000)).toEqual([]);
  });
});

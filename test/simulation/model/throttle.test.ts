import { describe, expect, it } from 'vitest';
import { HOUR, NOON, PHONE } from './history.ts';
import type { ShownAlert } from './statement.ts';
import { ThrottleModel } from './throttle.ts';

const MINUTE = 60_000;
const TAKEN = { isShown: true, isUncertain: false, isRefused: false } as const;
const FAILED = { ...TAKEN, isShown: false } as const;

type Call = readonly [minute: number, key: string, how?: Partial<ShownAlert> & { readonly is?: 'resolved' }];

interface Conditions {
  readonly setBackMs?: number;
  readonly hadToWait?: boolean;
  readonly lostAt?: number;
}

/** The rules that these calls break where a receiver may get two messages each ten minutes. */
function broken(calls: readonly Call[], conditions: Conditions = {}): readonly string[] {
  const rules = new Set<string>();
  const model = new ThrottleModel((rule) => void rules.add(rule), { max: 2, perMs: 10 * MINUTE });
  const { setBackMs = 0, hadToWait = false, lostAt } = conditions;
  for (const [minute, key, { is: status = 'firing', ...how } = {}] of calls) {
    if (lostAt !== undefined && lostAt <= minute) model.lost(NOON + lostAt * MINUTE);
    const says = [{ key, status, isNew: true }] as const;
    const alert = { at: NOON + minute * MINUTE, phone: PHONE, says, ...TAKEN, ...how };
    model.called(alert, { setBackMs, hadToWait });
  }
  return [...rules];
}

const KEPT = ['the throttle of a route is kept'];

describe('a throttle', () => {
  it('allows N messages in any window, for each receiver', () => {
    const two: readonly Call[] = [
      [0, 'k1'],
      [9, 'k2'],
    ];
    expect(broken([...two, [9.9, 'k3']])).toEqual(KEPT);
    expect(broken([...two, [10.1, 'k3'], [19.1, 'k4']])).toEqual([]);
    expect(broken([...two, [10.1, 'k3'], [18.9, 'k4']])).toEqual(KEPT);
    expect(broken([...two, [9.9, 'k3', { phone: '4915122345602' }]])).toEqual([]);
  });

  it('lets resolutions pass, and nothing else', () => {
    const resolved = { is: 'resolved' } as const;
    expect(
      broken([
        [0, 'k1'],
        [1, 'k1', resolved],
        [2, 'k2'],
        [3, 'k2', resolved],
      ]),
    ).toEqual([]);
    expect(
      broken([
        [0, 'k1'],
        [1, 'k2'],
        [2, 'k3', { says: [] }],
      ]),
    ).toEqual(KEPT);
  });

  it('lets steps pass, which take a place if one is left', () => {
    const step = { isOfStep: true } as const;
    const two: readonly Call[] = [
      [0, 'k1'],
      [1, 'k2'],
    ];
    expect(broken([...two, [2, 'k3', step], [10.1, 'k4'], [11.1, 'k5']])).toEqual([]);
    expect(broken([...two, [2, 'k3', step], [10.1, 'k4'], [10.9, 'k5']])).toEqual(KEPT);
    expect(
      broken([
        [0, 'k1'],
        [2, 'k3', step],
        [9, 'k4'],
      ]),
    ).toEqual(KEPT);
  });

  it('counts what was taken: what failed or is uncertain comes again', () => {
    const uncertain = { isUncertain: true };
    expect(
      broken([
        [0, 'k1', FAILED],
        [1, 'k1', uncertain],
        [2, 'k1'],
        [3, 'k2'],
      ]),
    ).toEqual([]);
    expect(
      broken([
        [0, 'k1', FAILED],
        [1, 'k1'],
        [2, 'k2'],
        [3, 'k3'],
      ]),
    ).toEqual(KEPT);
  });

  it('may count a retried message when it was tried first', () => {
    expect(
      broken([
        [0, 'k1', FAILED],
        [11, 'k2'],
        [12, 'k3'],
        [13, 'k1'],
      ]),
    ).toEqual([]);
    expect(
      broken([
        [4, 'k1', FAILED],
        [11, 'k2'],
        [12, 'k3'],
        [13, 'k1'],
      ]),
    ).toEqual(KEPT);
  });

  it('counts once what is sent twice since its object was lost', () => {
    const twice: readonly Call[] = [
      [0, 'k1'],
      [1, 'k1'],
      [2, 'k2'],
    ];
    expect(broken(twice)).toEqual(KEPT);
    expect(broken(twice, { lostAt: 0.5 })).toEqual([]);
  });

  it('is judged with the tolerance that a wrong clock needs, and distinguishes what had to wait', () => {
    const three: readonly Call[] = [
      [0, 'k1'],
      [1, 'k2'],
      [9, 'k3'],
    ];
    expect(broken(three, { setBackMs: 2 * MINUTE })).toEqual([]);
    expect(broken(three, { hadToWait: true })).toEqual(['delayed notifications keep the throttle']);
    expect(broken([...three, [HOUR / MINUTE, 'k4']], { setBackMs: 2 * MINUTE })).toEqual([]);
  });
});

import { expect, it } from 'vitest';
import { HOUR, MINUTE, NOON, phoneOf } from './history.ts';
import { ThrottleModel } from './throttle.ts';

interface Conditions {
  readonly setBackMs?: number;
  readonly hadToWait?: boolean;
  readonly lostAt?: number;
}

/**
 * The rules that calls break where a receiver may get two messages each ten minutes: the minute, the incident, and what
 * there is to say of it.
 */
function broken(
  calls: string,
  { setBackMs = 0, hadToWait = false, lostAt }: Conditions = {},
): readonly string[] {
  const rules = new Set<string>();
  const model = new ThrottleModel((rule) => void rules.add(rule), { max: 2, perMs: 10 * MINUTE });
  for (const call of calls.split(', ')) {
    const [minute = '', key = '', ...how] = call.split(' ');
    if (lostAt !== undefined && lostAt <= Number(minute)) model.lost(NOON + lostAt * MINUTE);
    const status = how.includes('resolved') ? 'resolved' : 'firing';
    const alert = {
      at: NOON + Number(minute) * MINUTE,
      phone: phoneOf(how.includes('ben') ? 'ben' : 'me'),
      says: how.includes('nothing') ? [] : [{ key, status, isNew: true } as const],
      isShown: !how.includes('failed'),
      isUncertain: how.includes('uncertain'),
      isRefused: false,
      isOfStep: how.includes('step'),
    };
    model.called(alert, { setBackMs, hadToWait });
  }
  return [...rules];
}

type Row = readonly [calls: string, isBroken: boolean];

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  'allows N messages in any window, for each receiver': [
    ['0 k1, 9 k2, 9.9 k3', true],
    ['0 k1, 9 k2, 10.1 k3, 19.1 k4', false],
    ['0 k1, 9 k2, 10.1 k3, 18.9 k4', true],
    ['0 k1, 9 k2, 9.9 k3 ben', false],
  ],
  'lets resolutions pass, and nothing else': [
    ['0 k1, 1 k1 resolved, 2 k2, 3 k2 resolved', false],
    ['0 k1, 1 k2, 2 k3 nothing', true],
  ],
  'lets steps pass, which may take no place': [
    ['0 k1, 1 k2, 2 k3 step, 10.1 k4, 11.1 k5', false],
    ['0 k1, 1 k2, 2 k3 step, 10.1 k4, 10.9 k5', true],
    ['0 k1, 2 k3 step, 9 k4', false],
  ],
  'counts what was taken: what failed or is uncertain comes again': [
    ['0 k1 failed, 1 k1 uncertain, 2 k1, 3 k2', false],
    ['0 k1 failed, 1 k1, 2 k2, 3 k3', true],
  ],
  'may count a retried message when it was tried first': [
    ['0 k1 failed, 11 k2, 12 k3, 13 k1', false],
    ['4 k1 failed, 11 k2, 12 k3, 13 k1', true],
  ],
};

it.each(Object.entries(ROWS))('a throttle %s', (_, rows) => {
  const found = rows.map(([calls]) => [calls, broken(calls).includes('the throttle of a route is kept')]);
  expect(found).toEqual(rows);
});

it('a throttle counts once what is sent twice since its object was lost', () => {
  expect(broken('0 k1, 1 k1, 2 k2')).toEqual(['the throttle of a route is kept']);
  expect(broken('0 k1, 1 k1, 2 k2', { lostAt: 0.5 })).toEqual([]);
});

it('a throttle is judged with the tolerance that a wrong clock needs, and distinguishes what had to wait', () => {
  const three = '0 k1, 1 k2, 9 k3';
  expect(broken(three, { setBackMs: 2 * MINUTE })).toEqual([]);
  expect(broken(three, { hadToWait: true })).toEqual(['delayed notifications keep the throttle']);
  expect(broken(`${three}, ${HOUR / MINUTE} k4`, { setBackMs: 2 * MINUTE })).toEqual([]);
});

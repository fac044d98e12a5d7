import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCallLog } from '../../simulator/call-log.ts';
import type { Call, CallLog } from '../../simulator/call-log.ts';
import { NOW, PHONE } from './harness.ts';

const CALL = {
  kind: 'text',
  endpoint: '/send-message.php',
  to: PHONE,
  params: { message: 'Hello' },
  outcome: 'accepted',
  status: 200,
  delivered: true,
} as const;

const logOf = (count: number, log = createCallLog(() => NOW)): CallLog => {
  for (let i = 0; i < count; i += 1) log.record(CALL);
  return log;
};
const ids = (calls: readonly Call[]) => calls.map(({ id }) => id);

describe('a call log', () => {
  test('numbers the calls and stamps them with the clock', () => {
    const log = logOf(1);
    expect(log.record(CALL)).toEqual({ id: 2, at: new Date(NOW).toISOString(), ...CALL });
  });

  test('lists the newest calls, oldest first', () => {
    expect(ids(logOf(5).list({ limit: 2 }))).toEqual([4, 5]);
  });

  test('goes on from `since` without a gap', () => {
    const log = logOf(5);
    expect(ids(log.list({ since: 1, limit: 2 }))).toEqual([2, 3]);
    expect(ids(log.list({ since: 3, limit: 2 }))).toEqual([4, 5]);
    expect(log.list({ since: 5, limit: 2 })).toEqual([]);
    expect(log.list({ since: 99, limit: 2 })).toEqual([]);
  });

  test('following a log page by page shows every kept call once', () => {
    fc.assert(
      fc.property(
        fc.nat(30),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 10 }),
        (count, kept, limit) => {
          const log = logOf(
            count,
            createCallLog(() => NOW, kept),
          );
          const found: number[] = [];
          for (
            let page = log.list({ since: 0, limit });
            page.length > 0;
            page = log.list({ since: found.at(-1) ?? 0, limit })
          ) {
            found.push(...ids(page));
          }
          expect(found).toEqual(ids(log.list({ limit: 100 })));
          expect(found).toHaveLength(Math.min(count, kept));
        },
      ),
    );
  });

  test('filters by receiver and by outcome', () => {
    const log = logOf(1);
    log.record({ ...CALL, to: '33612345678' });
    log.record({ ...CALL, outcome: 'refused' });
    log.record({ ...CALL, outcome: 'refused:missing_parameter' });
    expect(ids(log.list({ phone: PHONE, limit: 10 }))).toEqual([1, 3, 4]);
    expect(ids(log.list({ outcome: 'refused', limit: 10 }))).toEqual([3]);
    expect(ids(log.list({ outcome: 'refused:', limit: 10 }))).toEqual([4]);
    expect(ids(log.list({ outcome: 'accepted', phone: PHONE, limit: 10 }))).toEqual([1]);
  });

  test('keeps the newest calls only, and counts all', () => {
    const log = logOf(
      7,
      createCallLog(() => NOW, 3),
    );
    expect(ids(log.list({ limit: 10 }))).toEqual([5, 6, 7]);
    expect(log.totals()).toEqual({ total: 7, accepted: 7, delivered: 7 });
  });

  test('lets large calls push out more than one small one', () => {
    const log = logOf(
      3,
      createCallLog(() => NOW, 100, 180),
    );
    log.record({ ...CALL, params: { message: 'x'.repeat(150) } });
    expect(ids(log.list({ limit: 10 }))).toEqual([4]);
  });

  test('distinguishes what was taken normally and what the phone got', () => {
    const log = logOf(1);
    log.record({ ...CALL, outcome: 'hang', status: null });
    log.record({ ...CALL, outcome: 'status', status: 503, delivered: false });
    expect(log.totals()).toEqual({ total: 3, accepted: 1, delivered: 2 });
  });

  test('a reset forgets calls and counts but gives no id twice', () => {
    const log = logOf(3);
    log.reset();
    expect(log.totals()).toEqual({ total: 0, accepted: 0, delivered: 0 });
    expect(log.list({ limit: 10 })).toEqual([]);
    expect(log.record(CALL).id).toBe(4);
    expect(ids(log.list({ since: 1, limit: 10 }))).toEqual([4]);
  });

  test('notifies listeners about calls and resets until they leave', () => {
    const log = createCallLog(() => NOW);
    const heard: (number | null)[] = [];
    const leave = log.subscribe((call) => heard.push(call?.id ?? null));
    log.record(CALL);
    log.reset();
    leave();
    log.record(CALL);
    expect(heard).toEqual([1, null]);
  });
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCallLog, type Call, type CallLog } from '../../simulator/call-log.ts';
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

const newLog = (...limits: readonly number[]): CallLog => createCallLog(() => NOW, ...limits);
const logOf = (count: number, log = newLog()): CallLog => {
  for (let n = 0; n < count; n += 1) log.record(CALL);
  return log;
};
const ids = (calls: readonly Call[]): readonly number[] => calls.map(({ id }) => id);
const all = (log: CallLog): readonly number[] => ids(log.list({ limit: 100 }));

test('a call log numbers the calls, stamps them with the clock, and lists the newest, oldest first', () => {
  const log = logOf(4);
  expect(log.record(CALL)).toEqual({ id: 5, at: new Date(NOW).toISOString(), ...CALL });
  expect(ids(log.list({ limit: 2 }))).toEqual([4, 5]);
  const from = [1, 3, 5, 99].map((since) => ids(log.list({ since, limit: 2 })));
  expect(from).toEqual([[2, 3], [4, 5], [], []]);
});

test('following a log page by page shows every kept call once', () => {
  const pages = fc.integer({ min: 1, max: 10 });
  fc.assert(
    fc.property(fc.nat(30), fc.integer({ min: 1, max: 30 }), pages, (count, kept, limit) => {
      const log = logOf(count, newLog(kept));
      const found: number[] = [];
      const next = () => ids(log.list({ since: found.at(-1) ?? 0, limit }));
      for (let page = next(); page.length > 0; page = next()) found.push(...page);
      expect(found).toEqual(all(log));
      expect(found).toHaveLength(Math.min(count, kept));
    }),
  );
});

test('a call log filters by receiver and by outcome', () => {
  const log = logOf(1);
  log.record({ ...CALL, to: '33612345678' });
  log.record({ ...CALL, outcome: 'refused' });
  log.record({ ...CALL, outcome: 'refused:missing_parameter' });
  const filters = [
    { phone: PHONE },
    { outcome: 'refused' },
    { outcome: 'refused:' },
    { outcome: 'accepted', phone: PHONE },
  ];
  expect(filters.map((filter) => ids(log.list({ ...filter, limit: 10 })))).toEqual([
    [1, 3, 4],
    [3],
    [4],
    [1],
  ]);
});

test('a call log keeps the newest calls only, a large one in place of several, and counts all', () => {
  const log = logOf(7, newLog(3));
  expect(all(log)).toEqual([5, 6, 7]);
  log.record({ ...CALL, outcome: 'hang', status: null });
  log.record({ ...CALL, outcome: 'status', status: 503, delivered: false });
  expect(log.totals()).toEqual({ total: 9, accepted: 7, delivered: 8 });
  const small = logOf(3, newLog(100, 180));
  small.record({ ...CALL, params: { message: 'x'.repeat(150) } });
  expect(all(small)).toEqual([4]);
});

test('a reset forgets calls and counts but gives no id twice, and listeners hear of it until they leave', () => {
  const log = newLog();
  const heard: (number | null)[] = [];
  const leave = log.subscribe((call) => heard.push(call?.id ?? null));
  log.record(CALL);
  log.reset();
  expect([log.totals(), all(log)]).toEqual([{ total: 0, accepted: 0, delivered: 0 }, []]);
  leave();
  expect(log.record(CALL).id).toBe(2);
  expect(ids(log.list({ since: 1, limit: 10 }))).toEqual([2]);
  expect(heard).toEqual([1, null]);
});

import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { CRITICAL } from '../../../src/lib/severity.ts';
import { MAX_ROWS } from '../../../src/ingest/routing/allowance.ts';
import { routeEvent } from '../../../src/ingest/routing/match.ts';
import { messagesOf } from '../../../src/ingest/routing/result.ts';
import { eventOf, OTHER_PHONE, PHONE, sourceOf } from '../support.ts';
import { itemsOf, ON_CALL, take } from './on-call.ts';

const critical = (alert: object, source: object = {}) =>
  itemsOf({}, [{ id: 'a', ...alert }], source)[0]?.severity === CRITICAL;

it('a route that reports its items when they are due makes no message: it has items, with their receivers', () => {
  const alerts = [
    { id: 'a', status: 'firing', summary: 'Disk' },
    { id: 'b', status: 'resolved' },
  ];
  const of = {
    route: 'on-call',
    phones: [PHONE, OTHER_PHONE],
    flapping: null,
    group: null,
    inhibitedBy: [],
  };
  expect(take({ to: [PHONE, OTHER_PHONE] }, alerts)).toEqual({
    route: 'on-call',
    result: 'matched',
    messages: [],
    failures: [],
    items: alerts.map((alert, at) => ({
      ...of,
      index: at + 1,
      place: at + 1,
      key: alert.id,
      isResolved: at === 1,
      value: JSON.stringify(alert),
    })),
  });
});

it('a route that reports its items when they are due has the payload as its item where there is no `each`, and no receiver for a status', () => {
  const status = { each: undefined, to: undefined, send: { kind: 'status', text: 'x' } };
  expect(itemsOf({ ...status, incident: { key: 'k' } }, [1])).toMatchObject([
    { index: 1, phones: [null], value: '{"alerts":[1]}' },
  ]);
});

it('a route that reports its items when they are due says that it cannot wait where it states such a severity, kept or not', () => {
  for (const severity of ['Critical', 'page', 'P1']) {
    expect([critical({ severity }), critical({ labels: { severity } })]).toEqual([true, true]);
    expect(critical({ severity }, { store: 'metadata' })).toBe(true);
  }
  for (const alert of [{}, { severity: 'warning', level: 'critical' }, { severity: 1 }, { text: 'critical' }])
    expect(critical(alert)).toBe(false);
});

it('a route that reports its items when they are due has no key where it has no incident', () => {
  const throttle = { incident: undefined, throttle: { max: 3, per: '1h' } };
  expect(itemsOf(throttle, [{ id: 1 }])).toMatchObject([{ key: null, isResolved: false, group: null }]);
});

it('a route that reports its items when they are due has nothing for nobody, and says why somebody is not reached', () => {
  const result = take({ to: '{{ item.phone }}' }, [
    { id: 'a', phone: 'x' },
    { id: 'b', phone: `+${PHONE}` },
  ]);
  expect(result.result).toBe('failed');
  expect(result.failures).toHaveLength(1);
  expect(result.items).toMatchObject([{ key: 'b', index: 2 }]);
  expect(take({ to: '{{ item.phone }}' }, [{ id: 'a' }])).not.toHaveProperty('items');
});

const firing = (count: number, from = 0): readonly object[] =>
  Array.from({ length: count }, (_, at) => ({ id: `f${from + at}`, status: 'firing', summary: 'x' }));
const resolved = (count: number, from = 0): readonly object[] =>
  Array.from({ length: count }, (_, at) => ({ id: `r${from + at}`, status: 'resolved' }));
const crowd = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `4917139${20_000 + at}`);
const reasons = ({ notes = [] }: ReturnType<typeof take>) => notes.map(({ reason }) => reason);

/** The number of items that fire, and of those that resolve. */
const countsOf = ({ items = [] }: ReturnType<typeof take>) => [
  items.filter(({ isResolved }) => !isResolved).length,
  items.filter(({ isResolved }) => isResolved).length,
];

it('a storm has up to ten thousand items: its outbox knows which of them are news', () => {
  const result = take({}, firing(1_512));
  expect(result.items?.map(({ place }) => place)).toEqual(firing(1_512).map((_, at) => at + 1));
  expect([result.result, result.failures, result.notes]).toEqual(['matched', [], undefined]);
  const more = take({}, [...firing(9_000), ...resolved(2_498)]);
  expect(countsOf(more)).toEqual([9_000, 1_000]);
  expect(reasons(more)).toEqual([
    'route `on-call` took 10000 items and left out 1498 more: a route looks at 10000 elements of a webhook',
  ]);
});

it('a storm leaves out what has an error after a thousand items', () => {
  const result = take({}, [...firing(1_000), { status: 'firing' }, ...firing(1, 1_000)]);
  expect(result.items?.map(({ index }) => index).slice(-2)).toEqual([1_000, 1_002]);
  expect(reasons(result)).toEqual([
    'route `on-call` took 1001 items and left out 1 more: after 1000 items, those with an error are left out',
  ]);
});

it('a storm has as many receivers as there may be rows: the first items are taken, the last of them for some', () => {
  const result = take({ to: crowd(450) }, [...firing(25), ...resolved(2)]);
  expect(result.items?.map(({ phones }) => phones.length)).toEqual([
    ...Array.from({ length: 22 }, () => 450),
    100,
    450,
    450,
  ]);
  expect(result.result).toBe('matched');
  expect(reasons(result)).toEqual([
    'route `on-call` took 25 items and left out 350 receivers of the last one and 2 more: a webhook may make 10000 messages, with an item counted once per receiver',
  ]);
});

it('a storm has as many characters as can be handed over at once: an item that does not fit is left out', () => {
  const large = firing(70).map((one) => ({ ...one, summary: 'x'.repeat(64_000) }));
  const result = take({}, [...large, ...firing(1, 70), ...resolved(1)]);
  expect(result.items?.map(({ index }) => index)).toEqual([
    ...Array.from({ length: 65 }, (_, at) => at + 1),
    71,
    72,
  ]);
  expect(result.result).toBe('matched');
  expect(reasons(result)).toEqual([
    'route `on-call` took 67 items and left out 5 more: the texts of a webhook may have 4200000 characters in total',
  ]);
});

it('a storm has one place for an element that several routes take', () => {
  const routes = [
    { ...ON_CALL, to: crowd(2) },
    { ...ON_CALL, name: 'same', each: 'payload.alerts | where: "status", "firing"' },
    { ...ON_CALL, name: 'others', each: 'payload.others' },
  ];
  const payload = { alerts: firing(2), others: firing(2, 2) };
  const results = routeEvent(eventOf(sourceOf({ routes }), { payload }));
  expect(results.map(({ items = [] }) => items.map(({ place }) => place))).toEqual([
    [1, 2],
    [1, 2],
    [3, 4],
  ]);
});

it('a storm leaves messages of other routes alone', () => {
  const plain = { name: 'plain', to: PHONE, each: 'payload.alerts', send: ON_CALL.send };
  const results = routeEvent(
    eventOf(sourceOf({ routes: [ON_CALL, plain] }), { payload: { alerts: firing(1_000) } }),
  );
  expect(results.map(({ items = [], messages }) => [items.length, messages.length])).toEqual([
    [1_000, 0],
    [0, 1_000],
  ]);
});

it('a storm is never more than its bounds, and what is left out is said, whatever comes', () => {
  const alerts = fc.array(
    fc
      .record({ count: fc.nat(700), isResolved: fc.boolean() })
      .map(({ count, isResolved }) => ({ count, make: isResolved ? resolved : firing })),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(alerts, fc.integer({ min: 1, max: 30 }), (runs, receivers) => {
      const list = runs.flatMap(({ count, make }, at) => make(count, at * 1_000));
      const result = take({ to: crowd(receivers) }, list);
      const rows = messagesOf(result);
      expect(rows).toBeLessThanOrEqual(2 * MAX_ROWS);
      expect(result.result).toBe('matched');
      expect(result.notes === undefined).toBe(rows === list.length * receivers);
    }),
    { numRuns: 30 },
  );
});

it('a source that may make a few messages a minute has no more than these, for each receiver of an item: the rest is left out, and the event says so', () => {
  const alerts = Array.from({ length: 5 }, (_, id) => ({ id }));
  const result = take({ to: [PHONE, OTHER_PHONE] }, alerts, { limit: { messages_per_minute: 5 } });
  expect(result.result).toBe('matched');
  expect(result.items?.map(({ phones }) => phones.length)).toEqual([2, 2, 1]);
  expect(result.notes?.map(({ reason }) => reason)).toEqual([
    'route `on-call` left out 1 message of element 3 and elements 4 to 5: its source may make 5 messages a minute (`limit.messages_per_minute`)',
  ]);
  expect(take({}, alerts, { limit: { messages_per_minute: 5 } })).not.toHaveProperty('notes');
});

it('a source that may make a few messages a minute has no more than these of a storm, and its resolutions count', () => {
  const alerts = [...firing(1_000), ...resolved(100)];
  const result = take({}, alerts, { limit: { messages_per_minute: 1_050 } });
  expect(countsOf(result)).toEqual([1_000, 50]);
  expect(reasons(result)).toEqual([
    'route `on-call` left out elements 1051 to 1100: its source may make 1050 messages a minute (`limit.messages_per_minute`)',
  ]);
});

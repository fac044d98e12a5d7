import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_ITEMS, MAX_ROWS, messagesOf } from '../../../src/ingest/routing/allowance.ts';
import { routeEvent } from '../../../src/ingest/routing/match.ts';
import { eventOf, OTHER_PHONE, PHONE, sourceOf } from '../support.ts';
import { itemsOf, ON_CALL, take } from './on-call.ts';

describe('a route that reports its items when they are due', () => {
  it('makes no message: it has items, with their receivers', () => {
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
        key: alert.id,
        isResolved: at === 1,
        value: JSON.stringify(alert),
      })),
    });
  });

  it('has the payload as its item where there is no `each`, and no receiver for a status', () => {
    const status = { each: undefined, to: undefined, send: { kind: 'status', text: 'x' } };
    expect(itemsOf({ ...status, incident: { key: 'k' } }, [1])).toMatchObject([
      { index: 1, phones: [null], value: '{"alerts":[1]}' },
    ]);
  });

  it('has no key where it has no incident', () => {
    const throttle = { incident: undefined, throttle: { max: 3, per: '1h' } };
    expect(itemsOf(throttle, [{ id: 1 }])).toMatchObject([{ key: null, isResolved: false, group: null }]);
  });

  it('has nothing for nobody, and says why somebody is not reached', () => {
    const result = take({ to: '{{ item.phone }}' }, [
      { id: 'a', phone: 'x' },
      { id: 'b', phone: `+${PHONE}` },
    ]);
    expect(result.result).toBe('failed');
    expect(result.failures).toHaveLength(1);
    expect(result.items).toMatchObject([{ key: 'b', index: 2 }]);
    expect(take({ to: '{{ item.phone }}' }, [{ id: 'a' }])).not.toHaveProperty('items');
  });
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

describe('a storm', () => {
  it('has its first thousand items, and the event says how many more there were; nothing has failed', () => {
    expect(take({}, firing(1_000))).not.toHaveProperty('notes');
    const result = take({}, firing(1_512));
    expect(result.items?.map(({ key }) => key)).toEqual(firing(1_000).map((_, at) => `f${at}`));
    expect([result.result, result.failures]).toEqual(['matched', []]);
    expect(reasons(result)).toEqual([
      'route `on-call` took 1000 items and left out 512 more: a webhook may bring 1000 items',
    ]);
  });

  it('has the resolutions among the rest, to all their receivers', () => {
    const result = take({ to: [PHONE, OTHER_PHONE] }, [...firing(1_200), ...resolved(300), ...firing(100)]);
    expect(countsOf(result)).toEqual([1_000, 300]);
    expect(result.items?.at(-1)).toMatchObject({
      key: 'r299',
      index: 1_500,
      isResolved: true,
      phones: [PHONE, OTHER_PHONE],
    });
    expect(reasons(result)).toEqual([
      'route `on-call` took 1000 items and left out 300 more: a webhook may bring 1000 items. It also took 300 items that resolve incidents',
    ]);
  });

  it('names a single resolution as one, and says nothing where the rest is resolutions alone', () => {
    expect(reasons(take({}, [...firing(1_001), ...resolved(1)]))).toEqual([
      'route `on-call` took 1000 items and left out 1 more: a webhook may bring 1000 items. It also took 1 item that resolves incidents',
    ]);
    const result = take({}, [...firing(1_000), ...resolved(5)]);
    expect([countsOf(result), result.notes]).toEqual([[1_000, 5], undefined]);
  });

  it('has no resolution among the rest that resolves nothing: without a key, a condition or an incident', () => {
    const beyond = [...firing(1_000), { status: 'resolved' }, ...resolved(1)];
    expect(countsOf(take({}, beyond))).toEqual([1_000, 1]);
    expect(take({ incident: { key: '{{ item.id }}' } }, beyond).items).toHaveLength(1_000);
    expect(take({ incident: undefined, throttle: { max: 1, per: '1h' } }, beyond).items).toHaveLength(1_000);
  });

  it('is looked at up to ten thousand elements, for resolutions too', () => {
    const result = take({}, [...firing(1_000), ...resolved(8_000), ...firing(999), ...resolved(500)]);
    expect(countsOf(result)).toEqual([1_000, 8_001]);
    expect(reasons(result)).toEqual([
      'route `on-call` took 1000 items and left out 1498 more: a webhook may bring 1000 items. It also took 8001 items that resolve incidents',
    ]);
  });

  it('has as many receivers as there may be rows: the first items are taken, the last of them for some', () => {
    const result = take({ to: crowd(450) }, [...firing(25), ...resolved(2)]);
    expect(result.items?.map(({ phones }) => phones.length)).toEqual([
      ...Array.from({ length: 22 }, () => 450),
      100,
      450,
      450,
    ]);
    expect(result.result).toBe('matched');
    expect(reasons(result)).toEqual([
      'route `on-call` took 23 items and left out 350 receivers of the last one and 2 more: a webhook may make 10000 messages, with an item counted once per receiver. It also took 2 items that resolve incidents',
    ]);
  });

  it('has as many characters as can be handed over at once: an item that does not fit is left out', () => {
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

  it('is counted over all routes: an element that two of them take is one item', () => {
    const routes = [
      { ...ON_CALL, to: crowd(2) },
      { ...ON_CALL, name: 'same', each: 'payload.alerts | where: "status", "firing"' },
      { ...ON_CALL, name: 'others', each: 'payload.others' },
    ];
    const payload = { alerts: firing(600), others: firing(600, 600) };
    const results = routeEvent(eventOf(sourceOf({ routes }), { payload }));
    expect(results.map(({ items = [] }) => items.length)).toEqual([600, 600, 400]);
    expect(results.map(({ result }) => result)).toEqual(['matched', 'matched', 'matched']);
    expect(results.flatMap(({ notes = [] }) => notes.map(({ reason }) => reason))).toEqual([
      'route `others` took 400 items and left out 200 more: a webhook may bring 1000 items',
    ]);
  });

  it('leaves messages of other routes alone', () => {
    const plain = { name: 'plain', to: PHONE, each: 'payload.alerts', send: ON_CALL.send };
    const results = routeEvent(
      eventOf(sourceOf({ routes: [ON_CALL, plain] }), { payload: { alerts: firing(1_000) } }),
    );
    expect(results.map(({ items = [], messages }) => [items.length, messages.length])).toEqual([
      [1_000, 0],
      [0, 1_000],
    ]);
  });

  it('is never more than its bounds, and what is left out is said, whatever comes', () => {
    const alerts = fc.array(
      fc.record({ count: fc.nat(700), isResolved: fc.boolean() }).map(({ count, isResolved }) => ({
        count,
        make: isResolved ? resolved : firing,
      })),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(alerts, fc.integer({ min: 1, max: 30 }), (runs, receivers) => {
        const list = runs.flatMap(({ count, make }, at) => make(count, at * 1_000));
        const result = take({ to: crowd(receivers) }, list);
        const rows = messagesOf(result);
        expect(rows).toBeLessThanOrEqual(2 * MAX_ROWS);
        expect(countsOf(result)[0]).toBeLessThanOrEqual(MAX_ITEMS);
        expect(result.result).toBe('matched');
        expect(result.notes === undefined).toBe(rows === list.length * receivers);
      }),
      { numRuns: 30 },
    );
  });
});

describe('a source that may make a few messages a minute', () => {
  it('has no more than these, for each receiver of an item: the rest is left out, and the event says so', () => {
    const alerts = Array.from({ length: 5 }, (_, id) => ({ id }));
    const result = take({ to: [PHONE, OTHER_PHONE] }, alerts, { limit: { messages_per_minute: 5 } });
    expect(result.result).toBe('matched');
    expect(result.items?.map(({ phones }) => phones.length)).toEqual([2, 2, 1]);
    expect(result.notes?.map(({ reason }) => reason)).toEqual([
      'route `on-call` left out 1 message of element 3 and elements 4 to 5: its source may make 5 messages a minute (`limit.messages_per_minute`)',
    ]);
    expect(take({}, alerts, { limit: { messages_per_minute: 5 } })).not.toHaveProperty('notes');
  });

  it('has no more than these of a storm, and its resolutions count', () => {
    const alerts = [...firing(1_100), ...resolved(100)];
    const result = take({}, alerts, { limit: { messages_per_minute: 1_050 } });
    expect(countsOf(result)).toEqual([1_000, 50]);
    expect(reasons(result)).toEqual([
      'route `on-call` took 1000 items and left out 100 more: a webhook may bring 1000 items. It also took 50 items that resolve incidents',
      'route `on-call` left out elements 1151 to 1200: its source may make 1050 messages a minute (`limit.messages_per_minute`)',
    ]);
  });
});

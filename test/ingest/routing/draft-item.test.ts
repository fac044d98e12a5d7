import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { routeEvent } from '../../../src/ingest/routing/match.ts';
import { anyText } from '../any-text.ts';
import { eventOf, sourceOf } from '../support.ts';
import { itemsOf, ON_CALL, take } from './on-call.ts';

const keysOf = (key: string, ...alerts: unknown[]) =>
  itemsOf({ incident: { key } }, alerts).map((item) => item.key);

it('the key of an incident is trimmed, and a number is one, too', () => {
  expect(keysOf(' {{ item }} ', 'a ', 7)).toEqual(['a', '7']);
});

it('the key of an incident that is empty makes the item one that is reported once, and the event says so', () => {
  const { result, items, notes } = take({}, [{}]);
  expect([result, items?.[0]?.key]).toEqual(['matched', null]);
  expect(notes?.map(({ reason }) => reason)).toEqual([
    'route `on-call`, element 1, parameter `incident.key` ({{ item.id }}): is empty: receivers are notified of the item once, without an incident',
  ]);
});

it('the key of an incident that is long keeps its beginning and stays another than any other', () => {
  const [kept, long, other, again] = keysOf(
    '{{ item }}',
    'x'.repeat(256),
    'x'.repeat(257),
    'x'.repeat(258),
    'x'.repeat(257),
  );
  expect(kept).toBe('x'.repeat(256));
  expect(long).toMatch(/^x{200}…[0-9a-z]+$/);
  expect(long).not.toBe(other);
  expect(long).toBe(again);
});

it('the key of an incident is well-formed text of at most 256 characters, trimmed, whatever a payload says', () => {
  const text = fc.oneof(anyText(400), fc.constant('\ud83d'.repeat(300)));
  fc.assert(
    fc.property(fc.array(text, { minLength: 20, maxLength: 20 }), (ids) => {
      for (const [at, key] of keysOf('{{ item }}', ...ids).entries()) {
        if (ids[at]?.replaceAll('\0', '').trim() === '') expect(key).toBeNull();
        else expect([key?.isWellFormed(), key?.trim(), (key?.length ?? 0) <= 256]).toEqual([true, key, true]);
      }
    }),
    { numRuns: 10 },
  );
});

/** The time of an item by the text that its sender gives. */
const timeOf = (text: unknown) =>
  itemsOf({ incident: { key: 'k', at: '{{ item.at }}' } }, [{ at: text }])[0]?.at;

it('an item is reported although a text about it fails, with what counts in its place, and the event says so', () => {
  const failing = '{{ item.l | sum }}';
  for (const [route, name, instead, expected] of [
    [{ incident: { key: failing } }, 'incident.key', 'treated as empty', { key: null }],
    [{ group: { by: [failing] } }, 'group.by', 'treated as empty', { group: '[""]' }],
    [
      { incident: { key: 'k', inhibited_by: failing } },
      'incident.inhibited_by',
      'treated as empty',
      { inhibitedBy: [] },
    ],
    [
      { incident: { key: 'k', resolved: '(item.l | sum) > 0' } },
      'incident.resolved',
      'the item counts as firing',
      { isResolved: false },
    ],
  ] as const) {
    const { result, items, notes } = take(route, [{ id: 1, l: ['x'] }]);
    expect([result, items]).toMatchObject(['matched', [expected]]);
    expect(notes?.[0]?.reason).toMatch(new RegExp(`\`${name}\`.*not a number.*: ${instead}$`));
  }
});

it('an item is grouped by its values, an absent one as an empty text, a long one by its beginning', () => {
  const group = { by: ['{{ item.a }}', '{{ item.b }}'] };
  const groups = itemsOf({ group }, [{ a: ' x ', b: 1 }, { a: 'x' }, { b: 'y'.repeat(300) }]);
  expect(groups.map((item) => item.group)).toEqual(['["x","1"]', '["x",""]', `["","${'y'.repeat(256)}"]`]);
});

it('an item is of one group where a group says nothing to distinguish groups', () => {
  expect(itemsOf({ group: {} }, [{ id: 1 }]).map(({ group }) => group)).toEqual(['[]']);
});

it('an item has the places of what holds it back, while that is open', () => {
  const incident = { key: 'k', inhibited_by: '{{ item.up }}' };
  for (const [up, ...places] of [
    [''],
    ['  '],
    ['db', 'shop/on-call/db'],
    ['cluster/eu', 'shop/on-call/cluster/eu', 'shop/cluster/eu'],
    ['other/cluster/eu', 'shop/on-call/other/cluster/eu', 'shop/other/cluster/eu', 'other/cluster/eu'],
    ['o/cluster/eu/1', 'shop/on-call/o/cluster/eu/1', 'shop/o/cluster/eu/1', 'o/cluster/eu/1'],
  ] as const)
    expect(itemsOf({ incident }, [{ up }]).map(({ inhibitedBy }) => inhibitedBy)).toEqual([places]);
});

it('an item is so since the time that its sender gives, but not before it came: neither what is in the future nor no time is one', () => {
  const came = timeOf('');
  for (const text of ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00+01:00', 1_767_225_600, '1767225600000'])
    expect(timeOf(text), `${text}`).toEqual({ ms: Date.UTC(2026), isArrival: false });
  for (const text of ['9999-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '0', 'soon', '2026-01-01'])
    expect(timeOf(text), text).toMatchObject({ ...came });
  expect(timeOf('9999-01-01T00:00:00Z')).toHaveProperty('ahead', Date.UTC(9999));
  expect(came).toMatchObject({ isArrival: true });
  expect(itemsOf({}, [{}])[0]).not.toHaveProperty('at');
  const { result, notes } = take({ incident: { key: 'k', at: '{{ item.at }}' } }, [{ at: 'soon' }, {}]);
  expect([result, notes?.map(({ reason }) => reason)]).toEqual([
    'matched',
    [expect.stringMatching(/element 1, parameter `incident\.at`.*: the time of its arrival counts$/)],
  ]);
});

it('an item says who has its incident, in plain text, unless it ends it; what is taken back goes before', () => {
  const incident = {
    key: '{{ item.id }}',
    resolved: 'item.ok',
    acknowledged: 'item.text contains "acknowledged"',
    unacknowledged: 'item.text contains "unacknowledged"',
    by: '{{ item.user }}',
  };
  const holderOf = (alert: object) => {
    const [one] = itemsOf({ incident, priority: 'high', max_length: 99 }, [{ id: 1, ...alert }]);
    return one?.holder;
  };
  const message = { locale: 'en', maxLength: 99, priority: 'high', forget: false };
  const text = 'acknowledged';
  expect(holderOf({ text, user: ' Lea\nRoth ' })).toEqual({ by: 'Lea Roth', isBack: false, message });
  expect(holderOf({ text, user: '*Lea*' })?.by).not.toContain('*L');
  expect(holderOf({ text, user: 'x'.repeat(999) })?.by.length).toBeLessThan(150);
  expect(holderOf({ text })?.by).toBe('hookbell');
  expect(holderOf({ text: 'unacknowledged' })).toMatchObject({ isBack: true });
  expect(holderOf({ text, ok: true })).toBeUndefined();
  expect(holderOf({})).toBeUndefined();
});

it('an item that says who has its incident is not one that `once` has seen', () => {
  const route = { once: 'x', incident: { key: 'k', acknowledged: 'item.a' } };
  expect(itemsOf(route, [{}, {}, { a: true }]).map(({ holder }) => holder !== undefined)).toEqual([
    false,
    true,
  ]);
});

it('an item has the id that its provider gives it', () => {
  const source = { provider: 'sendgrid', routes: undefined };
  const event = { sg_event_id: 'abc', event: 'bounce' };
  const routes = [{ ...ON_CALL, each: 'payload' }];
  const [result] = routeEvent(eventOf(sourceOf({ ...source, routes }), { payload: [event] }));
  expect(result?.items?.[0]?.itemKey).toContain('abc');
});

const alert = { id: 'a', summary: 'Disk', secret: 'hush' };

it('what is kept of an item is all of it, so that any later template can be rendered', () => {
  expect(itemsOf({}, [alert])[0]?.value).toBe(JSON.stringify(alert));
});

it('what is kept of an item is what the texts name where the source keeps no payloads', () => {
  const metadata = { store: 'metadata' };
  expect(itemsOf({}, [alert], metadata)[0]?.value).toBe('{"summary":"Disk"}');
  const digest = { kind: 'text', message: '{% for one in firing %}{{ one.item.id }}{% endfor %}' };
  expect(itemsOf({ digest }, [alert], metadata)[0]?.value).toBe('{"id":"a","summary":"Disk"}');
  const whole = { kind: 'text', message: '{{ item | json }}' };
  expect(itemsOf({ send: whole }, [alert], metadata)[0]?.value).toBe(JSON.stringify(alert));
});

it('what is kept of an item is what the texts name, shortened, where all of it is too long, and the event says so', () => {
  const { items, notes, result } = take({}, [{ ...alert, summary: 'x'.repeat(70_000) }]);
  expect(result).toBe('matched');
  expect(JSON.parse(items?.[0]?.value ?? '')).toEqual({ summary: `${'x'.repeat(4_096)}…` });
  expect(notes?.[0]?.reason).toMatch(/`each`.*characters as JSON, more than the 65536 that are stored/);
});

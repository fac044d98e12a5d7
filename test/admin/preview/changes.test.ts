import '../../platform/facts.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { diffMessages } from '../../../src/admin/preview/preview.ts';
import type { PairedMessage } from '../../../src/admin/preview/pairs.ts';
import { dueNow, messagesDueNow, routeView } from '../../../src/admin/preview/route.ts';
import { routeEvent } from '../../../src/ingest/routing/match.ts';
import { OTHER_PHONE, PHONE, eventOf, sourceOf } from '../../ingest/support.ts';

const message = (phone: string | null, text: string, over: Partial<PairedMessage> = {}) =>
  ({ route: 'all', kind: 'text', phone, params: { message: text }, ...over }) satisfies PairedMessage;

const kinds = (was: readonly PairedMessage[], now: readonly PairedMessage[]): readonly string[] =>
  diffMessages(was, now).map(({ kind }) => kind);

it('the difference between what was sent and what would be is none for the same messages, whatever the order of their parameters', () => {
  const was = message('1', '', { params: { url: 'https://a.example', text: 'x' } });
  const now = message('1', '', { params: { text: 'x', url: 'https://a.example' } });
  expect(diffMessages([was], [now])).toEqual([{ kind: 'same', route: 'all', phone: '1' }]);
});

it('the difference between what was sent and what would be names what is added and what is gone by route and receiver', () => {
  const now = [message('2', 'a'), message('1', 'a', { route: 'b' })];
  expect(diffMessages([message('1', 'a')], now)).toEqual([
    { kind: 'removed', route: 'all', phone: '1' },
    { kind: 'added', route: 'all', phone: '2' },
    { kind: 'added', route: 'b', phone: '1' },
  ]);
});

it('the difference between what was sent and what would be shows each parameter that has changed, was there or is new', () => {
  const image = { kind: 'image', params: { image_url: 'https://a.example', caption: 'A' } } as const;
  const changed = { kind: 'changed', route: 'all', phone: null };
  expect(diffMessages([message(null, '', image)], [message(null, 'A')])).toEqual([
    { ...changed, parameter: 'kind', was: 'image', now: 'text' },
    { ...changed, parameter: 'image_url', was: 'https://a.example', now: null },
    { ...changed, parameter: 'caption', was: 'A', now: null },
    { ...changed, parameter: 'message', was: null, now: 'A' },
  ]);
});

it('the difference between what was sent and what would be does not call the later elements changed when one is gone', () => {
  const list = ['a', 'b', 'c'].map((text) => message('1', text));
  expect(kinds(list, list.slice(1))).toEqual(['same', 'same', 'removed']);
  expect(kinds(list.slice(1), list)).toEqual(['same', 'same', 'added']);
});

const anyMessages = fc.array(
  fc.record({
    route: fc.constantFrom('a', 'b'),
    kind: fc.constantFrom('text', 'status'),
    phone: fc.constantFrom('1', '2', null),
    params: fc.dictionary(fc.constantFrom('message', 'text'), fc.constantFrom('x', 'y')),
  }),
);

it('the difference between what was sent and what would be is none between a list and itself in any order, and accounts for every message of both sides', () => {
  fc.assert(
    fc.property(anyMessages, anyMessages, (was, now) => {
      expect(kinds(was, was.toReversed()).every((kind) => kind === 'same')).toBe(true);
      expect(kinds(was, was)).toHaveLength(was.length);
      const all = kinds(was, now);
      const count = (kind: string) => all.filter((one) => one === kind).length;
      expect(count('added') - count('removed')).toBe(now.length - was.length);
    }),
  );
});

const ROUTE = {
  name: 'on-call',
  to: PHONE,
  each: 'payload.alerts',
  incident: { key: '{{ item.id }}', resolved: 'item.over' },
};
const textOf = (message: string) => ({ kind: 'text', message });

function prepared(route: object, payload: unknown, source: object = {}) {
  const event = eventOf(sourceOf({ routes: [{ ...ROUTE, ...route }], ...source }), { payload });
  const [compiled] = event.source.routes;
  const [result] = routeEvent(event);
  if (compiled === undefined) throw new Error('no route');
  return [event, compiled, result?.items ?? []] as const;
}

const texts = (...given: Parameters<typeof prepared>) =>
  messagesDueNow(...prepared(...given)).messages.map(({ phone, params }) => `${phone}: ${params['message']}`);

const alerts = [
  { id: 'a', of: 1 },
  { id: 'b', of: 2 },
  { id: 'c', of: 1, over: true },
];

it('what would be reported now is a message for each item, or for each group with what is new and what ended', () => {
  const send = textOf('{{ item.id }}{% if resolved_at %} is over{% endif %} {{ payload.alerts.size }}');
  expect(texts({ send }, { alerts })).toEqual([`${PHONE}: a 3`, `${PHONE}: b 3`, `${PHONE}: c is over 3`]);
  const each = '{% for one in new %}{{ one.item.id }}{% endfor %}';
  const grouped = {
    send: textOf(`{{ count }}:${each} {{ resolved[0].item.id }}`),
    group: { by: ['{{ item.of }}'] },
  };
  expect(texts(grouped, { alerts })).toEqual([`${PHONE}: 1:a c`, `${PHONE}: 1:b `]);
});

it('what would be reported now is one text for all who are notified of the same items, and another for others', () => {
  const to = [OTHER_PHONE, '{{ item.phone }}'];
  const [a, b] = [
    { id: 'a', phone: `+${PHONE}` },
    { id: 'b', phone: `+${OTHER_PHONE}` },
  ];
  const due = dueNow(...prepared({ to, send: textOf('x'), group: {} }, { alerts: [a, b] }));
  expect(due.map(({ phones }) => phones)).toEqual([[OTHER_PHONE], [PHONE]]);
  expect(dueNow(...prepared({ to, send: textOf('x'), group: {} }, { alerts: [b] }))).toHaveLength(1);
});

it('what would be reported now is no more than a thousand messages of a storm, or failures', () => {
  const storm = Array.from({ length: 600 }, (_, id) => ({ id }));
  const to = [PHONE, OTHER_PHONE];
  expect(texts({ to, send: textOf('x') }, { alerts: storm })).toHaveLength(1_000);
  const send = textOf('{{ item.none | sum }}{{ payload | sum }}');
  const failing = prepared({ to, send }, { alerts: [...storm, ...storm] });
  expect(messagesDueNow(...failing).failures).toHaveLength(1_000);
});

it('what would be reported now is why not, where the template fails', () => {
  const failing = prepared({ send: textOf('{{ item.id | sum }}') }, { alerts: [{ id: ['x'] }] });
  const { messages, failures } = messagesDueNow(...failing);
  expect(messages).toEqual([]);
  expect(failures[0]?.reason).toMatch(/^route `on-call`, parameter `message`/);
});

it('what would be reported now sees of a source that keeps no payloads only what is kept', () => {
  const send = textOf('x{{ item.id }}{{ payload.alerts.size }}');
  expect(texts({ send }, { alerts: [{ id: 'a' }] }, { store: 'metadata' })).toEqual([`${PHONE}: xa`]);
  const incident = { key: '{{ payload.id }}' };
  const whole = { each: undefined, incident, send: textOf('x{{ payload.id }}') };
  expect(texts(whole, { id: 'a' }, { store: 'metadata' })).toEqual([`${PHONE}: xa`]);
});

/** A route's result as a preview shows it. */
function view(more: object, payload: unknown = {}) {
  const route = { name: 'a', to: '4930123456', send: textOf('x'), ...more };
  const event = eventOf(sourceOf({ routes: [route] }), { payload });
  const [result] = routeEvent(event);
  return result && routeView(event, result);
}

/** The reason for which a route with this condition was not taken. */
const why = (when: string, payload: unknown) => view({ when }, payload)?.why;

it.each([
  ['event.type == "a"', {}, '`event.type` was "order.paid"'],
  ['payload.a > 5 and payload.b', { a: 2, b: null }, '`payload.a` was 2, `payload.b` was null'],
  ['payload.lines == blank', { lines: [1, 2] }, '`payload.lines` was a list of 2'],
  ['payload.buyer == 1', { buyer: {} }, '`payload.buyer` was an object'],
  ['payload.buyer.name == "x"', {}, '`payload.buyer.name` is not there'],
  ['payload.buyr == "x"', { buyer: {} }, '`payload.buyr` is not there (did you mean "buyer"?)'],
  ['(payload.age | plus: 0) > 18', { age: '17' }, '`payload.age` was "17"'],
])('why a route was not taken %s: it says what the condition saw', (when, payload, values) => {
  expect(why(when, payload)).toBe(`\`when\` is false: ${when}, where ${values}`);
});

it('why a route was not taken names no value where the condition reads none', () => {
  expect(why('1 == 2', {})).toBe('`when` is false: 1 == 2');
});

it('why a route was not taken shows text of a payload in quotes, on one line, and not at any length', () => {
  expect(why('payload.a == "x"', { a: 'one\n`two` was "3"' })).toContain(
    '`payload.a` was "one\\n`two` was \\"3\\""',
  );
  const long = why('payload.a == "x"', { a: '😀'.repeat(1_000) }) ?? '';
  expect(long).toContain(`was "${'😀'.repeat(79)}…"`);
  const many = Array.from({ length: 30 }, (_, index) => `payload.k${index} == 1`).join(' or ');
  expect(why(many, {})?.match(/is not there/g)).toHaveLength(10);
});

it('quiet hours that an event came in hold its notifications until they end, but nothing urgent', () => {
  const quiet = { from: '00:00', to: '23:59', timezone: 'UTC' };
  const until: unknown = expect.stringMatching(/T23:59:00\.000Z$/);
  expect(view({ quiet })?.held).toEqual([{ phone: '4930123456', until }]);
  for (const route of [{ quiet, priority: 'high' }, { throttle: { max: 1, per: '1h' } }, {}])
    expect(view(route)).not.toHaveProperty('held');
});

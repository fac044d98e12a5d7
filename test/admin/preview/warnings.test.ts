import '../../platform/facts.ts';
import { expect, it } from 'vitest';
import { previewWarnings } from '../../../src/admin/preview/warnings.ts';
import { routeEvent } from '../../../src/ingest/routing/match.ts';
import { configOf, eventOf, PHONE } from '../../ingest/support.ts';

const text = (message: string) => ({ kind: 'text', message });
const route = (over: object) => ({ name: 'all', to: PHONE, send: text('Hello'), ...over });

/** The warnings of a source with one route, each as `parameter: message`. */
function warnings(
  over: object,
  payload: unknown = {},
  { document = {}, numbers = [] as readonly string[], out = [] as readonly string[] } = {},
): readonly string[] {
  const shop = { verify: { scheme: 'none' }, limit: false, routes: [route(over)], ...document };
  const config = configOf({ shop }, { recipients: { crowd: { numbers } } });
  const source = config.sources.get('shop');
  if (source === undefined) throw new Error('no source');
  const event = eventOf(source, { payload });
  const by = { policy: config.accounts.get('default'), suppressions: out.join('\n') };
  return previewWarnings(event, routeEvent(event), by).map(
    ({ parameter, message }) => `${parameter}: ${message}`,
  );
}

const optedOut = (phone: string): string =>
  `to: ${phone} has opted out, so nothing is sent: if they want it again, remove their suppression`;

it('a preview warns of variables that the payload does not have, by parameter', () => {
  const image_url = 'https://a.example/{{ payload.pic }}';
  const send = { kind: 'image', image_url, caption: '{{ payload.name }}' };
  expect(warnings({ send }, { names: 'Ada' })).toEqual([
    'image_url: `payload.pic` is not there, so it is rendered empty',
    'caption: `payload.name` is not there (did you mean "names"?), so it is rendered empty',
  ]);
});

it('a preview warns of an action that no text has, and not of the link of one that a text or a fallback has', () => {
  const actions = { stop: {}, ok: { label: 'OK' } };
  expect(warnings({ actions })).toEqual([
    'actions.stop: is in no text of the route, so nobody can opt out: add the line `Stop these messages: {{ actions.stop.url }}`',
    'actions.ok: is in no text of the route, so nobody can press it: add the line `{{ actions.ok.url }}`',
  ]);
  const fallback = [text('{{ actions["ok"].url }}')];
  expect(warnings({ actions, send: { ...text('{{ actions.stop.url }}'), fallback } })).toEqual([]);
  expect(warnings({ actions, send: text('{% for one in actions %}{{ one[1].url }}{% endfor %}') })).toEqual(
    [],
  );
  const payload = { actions: { no: 1, stop: 2 } };
  const named = text('{{ payload.actions.no }} {{ payload.actions.stop }}');
  expect(warnings({ actions: { stop: {} }, send: named }, payload)).toHaveLength(1);
});

it('a preview warns of a list that is not there, and of what an element lacks, once for all of them', () => {
  expect(warnings({ each: 'payload.alrts' }, { alerts: [] })).toEqual([
    'each: `payload.alrts` is not there (did you mean "alerts"?)',
  ]);
  const each = { each: 'payload.alerts', send: text('{{ item.name }}!') };
  expect(warnings(each, { alerts: [{}, {}, { name: 'x' }] })).toEqual([
    'message: `item.name` is not there, so it is rendered empty',
  ]);
});

it('a preview warns of text that is too long, and of what is done with it', () => {
  const long = { send: text('{{ payload.text }}'), max_length: 10 };
  const payload = { text: 'one two three four' };
  const begin = 'message: has 18 characters, but `max_length` is 10: it is';
  expect(warnings(long, payload)).toEqual([`${begin} cut off`]);
  expect(warnings({ ...long, overflow: 'split' }, payload)).toEqual([`${begin} sent in 2 pieces`]);
  expect(warnings({ ...long, overflow: 'fail' }, payload)).toEqual([]);
  const poll = { kind: 'poll', question: 'Which one of them?', options: ['short', 'a longer option'] };
  expect(warnings({ send: poll, max_length: 10, overflow: 'split' })).toEqual([
    'question: has 18 characters, but `max_length` is 10: it is sent in 2 pieces',
    'options: has 15 characters, but `max_length` is 10: it is cut off',
  ]);
});

it('a preview warns of a list of nobody, and not of a list without elements, which is why nothing is sent', () => {
  const [nobody] = warnings({ to: 'crowd' });
  expect(nobody).toBe('to: has no receivers: its lists are empty, so nothing is sent');
  expect(warnings({ each: 'payload.alerts' }, { alerts: [] })).toEqual([]);
});

it('a preview warns of many receivers, with the time that the account takes over them', () => {
  const numbers = Array.from({ length: 155 }, (_, index) => `4915100000${String(index).padStart(3, '0')}`);
  expect(warnings({ to: 'crowd' }, {}, { numbers })).toEqual([
    "to: 155 receivers get it, which takes about 5 min at the account's pace of 30 a minute",
  ]);
  expect(warnings({ to: 'crowd' }, {}, { numbers: numbers.slice(0, 100) })).toEqual([]);
});

it('a preview warns of each receiver who has opted out, and what to do, unless the route reaches them', () => {
  const [one, two, three] = ['4915100000001', '4915100000002', '4915100000003'];
  const given = { numbers: [one, two, three], out: [three, one, PHONE] };
  for (const route of [{}, { each: 'payload.alerts' }, reported({})])
    expect(warnings({ to: 'crowd', ...route }, { alerts: [{ id: 1 }] }, given)).toEqual(
      [one, three].map(optedOut),
    );
  for (const route of [{ transactional: true }, { when: 'false' }])
    expect(warnings({ to: 'crowd', ...route }, {}, given)).toEqual([]);
});

it('a preview warns of messages that are left out because the source may make no more of them', () => {
  const document = { limit: { messages_per_minute: 2 } };
  expect(warnings({ each: 'payload.list' }, { list: [1, 2, 3] }, { document })).toEqual([
    'limit: route `all` left out element 3: its source may make 2 messages a minute (`limit.messages_per_minute`)',
  ]);
});

it('a preview warns of a currency that there is not, also in a route that is not taken', () => {
  const send = text(
    `{{ payload.a | money: "EURO" }} {{ payload.a | money_major: 'XXX' }} {{ 1 | money: "EUR" }}`,
  );
  expect(warnings({ send, when: 'false' })).toEqual([
    'message: money: unknown currency "EURO": an ISO 4217 code is needed',
    'message: money: "XXX" has no minor unit',
  ]);
});

it('a preview warns of a dedupe key that has a hole', () => {
  const document = { dedupe: { key: '{{ payload.id }}-{{ payload.state }}' } };
  expect(warnings({}, { id: 5 }, { document })).toEqual([
    'dedupe.key: `payload.state` is not there: other events may get the same key',
  ]);
});

it('a preview warns of nothing where a route is not taken, or cannot know whether it is', () => {
  const send = text('{{ payload.name }}');
  expect(warnings({ send, when: 'false' })).toEqual([]);
  expect(warnings({ send, when: '(payload.total | money: "EUR") == "1"' }, { total: 'x' })).toEqual([]);
});

it('a preview warns of at most a hundred things', () => {
  const send = text(Array.from({ length: 300 }, (_, index) => `{{ payload.k${index} }}`).join('x'));
  expect(warnings({ send })).toHaveLength(100);
});

const reported = (over: object) => ({ each: 'payload.alerts', incident: { key: '{{ item.id }}' }, ...over });

it('of what is reported when it is due, a preview warns of a key that is empty, and of one that is too long', () => {
  expect(warnings(reported({}), { alerts: [{}] })).toEqual([
    'incident.key: `item.id` is not there, so it is rendered empty',
    expect.stringContaining('is empty: receivers are notified of the item once, without an incident'),
  ]);
  expect(warnings(reported({}), { alerts: [{ id: 'x'.repeat(600) }] })).toEqual([
    'incident.key: has 600 characters, more than 256: a hash replaces the rest',
  ]);
});

it('of what is reported when it is due, a preview warns of what the template does not find then, and not of what it finds only then', () => {
  const send = text('{{ count }}{% for one in new %}{{ one.item.nmae }}{% endfor %}');
  expect(warnings(reported({ send, group: {} }), { alerts: [{ id: 1, name: 'x' }] })).toEqual([
    'message: `one.item.nmae` is not there (did you mean "name"?), so it is rendered empty',
  ]);
});

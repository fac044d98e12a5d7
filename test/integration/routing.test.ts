import { beforeAll, describe, expect, it } from 'vitest';
import {
  admin,
  callsTo,
  event,
  isSent,
  message,
  post,
  postJson,
  publish,
  type MessageJson,
} from './relay.ts';

/** Numbers that no other test uses. */
const phone = (n: number): string => `49171392${String(100 + n).padStart(4, '0')}`;

const OPEN = { verify: { scheme: 'none' }, country: 'DE' };
const text = (message: string) => ({ kind: 'text', message });
const one = (route: object) => ({ ...OPEN, routes: [{ name: 'r', ...route }] });
const OVERFLOWING = { kind: 'text', message: '{{ payload.text }}' };

const SOURCES = {
  mixed: {
    ...OPEN,
    routes: [
      { name: 'broken', to: phone(1), send: text('{{ payload.name }}') },
      { name: 'unreported', when: '(payload.list | sum) > 0', to: phone(1), send: text('never') },
      { name: 'good', to: phone(1), send: text('good') },
    ],
  },
  each: one({ each: 'payload.alerts', to: '{{ item.phone }}', send: text('{{ index }}. {{ item.name }}') }),
  link: one({
    to: phone(4),
    send: { kind: 'link-preview', url: '{{ payload.url }}', title: '{{ payload.title }}' },
  }),
  truncate: one({ to: phone(5), max_length: 20, send: OVERFLOWING }),
  split: one({ to: phone(6), max_length: 12, overflow: 'split', send: OVERFLOWING }),
  fail: one({ to: phone(7), max_length: 10, overflow: 'fail', send: OVERFLOWING }),
  poll: one({
    to: phone(8),
    send: { kind: 'poll', question: '{{ payload.q }}', options: ['{{ payload.a }}', 'No'] },
  }),
  status: one({ send: { kind: 'status', text: 'Open until {{ payload.hour }} (integration)' } }),
  lists: one({ to: ['owners', 'staff', phone(9), '{{ payload.phone }}'], send: text('hello') }),
  stop: {
    ...OPEN,
    routes: [
      { name: 'first', when: 'payload.stop', to: phone(12), stop: true, send: text('first') },
      { name: 'second', to: phone(12), send: text('second') },
    ],
  },
  delay: one({ to: phone(13), delay: '1h', send: text('later') }),
  form: one({ to: '{{ payload.phone }}', send: text('{{ payload.name }}, {{ query.lang }}') }),
};

beforeAll(() =>
  publish({
    sources: SOURCES,
    recipients: {
      owners: { numbers: [phone(9), phone(10)] },
      staff: { numbers: [phone(10), phone(11)] },
    },
  }),
);

/** The outcome of a webhook: its event, with its messages once all of them are sent. */
async function outcome(response: Response) {
  expect(response.status).toBe(202);
  const { event: id, messages } = await response.json<{ event: string; messages: string[] }>();
  const sent = await Promise.all(messages.map((one) => message(one, isSent)));
  return { ...(await event(id)), sent };
}

const take = async (source: string, payload: unknown) => outcome(await postJson(source, payload));
const texts = (messages: readonly MessageJson[]) => messages.map(({ params }) => params['message']);

describe('a route that cannot render', () => {
  it('fails its event with reasons that name route, parameter and expression, while the others send', async () => {
    const { state, reason, sent } = await take('mixed', { list: ['x'] });
    expect(texts(sent)).toEqual(['good']);
    expect(state).toBe('partly_failed');
    expect(reason?.split('\n')).toEqual([
      'route `broken`, parameter `message` ({{ payload.name }}): is empty, and the gateway requires it',
      expect.stringMatching(/^route `unreported`, parameter `when` \(\(payload\.list \| sum\) > 0\): /),
    ]);
    expect((await callsTo(phone(1))).map(({ params }) => params['message'])).toEqual(['good']);
  });

  it('one element of `each` fails: the others are sent, numbered as they stood', async () => {
    const alerts = [
      { phone: `+${phone(2)}`, name: 'a' },
      { phone: 'not a number', name: 'b' },
      { phone: `+${phone(3)}`, name: 'c' },
    ];
    const { state, reason, sent } = await take('each', { alerts });
    expect(state).toBe('partly_failed');
    expect(sent.map(({ phone, params }) => [phone, params['message']])).toEqual([
      [phone(2), '1. a'],
      [phone(3), '3. c'],
    ]);
    expect(reason).toMatch(
      /^route `r`, element 2, parameter `to` \(\{\{ item\.phone \}\}\): .*has no digits$/,
    );
  });

  it.each([
    [{}, 'is empty'],
    [{ url: 'javascript:alert(1)' }, 'is not an http(s) URL'],
    [{ url: 'a.example' }, 'is not an http(s) URL'],
  ])('an address of %j: it %s', async (payload, why) => {
    const { state, reason, sent } = await take('link', payload);
    expect([state, sent]).toEqual(['failed', []]);
    expect(reason).toContain(`route \`r\`, parameter \`url\` ({{ payload.url }}): ${why}`);
  });
});

describe('what is sent', () => {
  it('has the parameters that its template writes, and none that a payload adds', async () => {
    const payload = { url: 'https://a.example/?a=1&b=2', api_key: 'x', phone: phone(99), description: 'x' };
    const { sent } = await take('link', payload);
    expect(sent.map(({ params }) => params)).toEqual([
      { phone: phone(4), url: 'https://a.example/?a=1&b=2' },
    ]);
    const [call] = await callsTo(phone(4));
    expect(call?.params).toMatchObject({ phone: phone(4), url: 'https://a.example/?a=1&b=2' });
    expect(Object.keys(call?.params ?? {})).not.toContain('description');
  });

  it('is cut between graphemes where it is too long', async () => {
    const { sent } = await take('truncate', { text: '👩‍👩‍👧'.repeat(5) });
    expect(texts(sent)).toEqual([`${'👩‍👩‍👧'.repeat(2)}…`]);
  });

  it('is several messages in order where the route splits', async () => {
    const { sent } = await take('split', { text: 'one two three four five six' });
    expect(texts(sent)).toEqual(['one two', 'three four', 'five six']);
    expect((await callsTo(phone(6))).map(({ params }) => params['message'])).toEqual([
      'one two',
      'three four',
      'five six',
    ]);
  });

  it('is nothing where the route would rather fail', async () => {
    const { state, reason, sent } = await take('fail', { text: 'far too long' });
    expect([state, sent]).toEqual(['failed', []]);
    expect(reason).toContain("has 12 characters, but the route's `max_length` is 10");
  });

  it('a poll’s option with a comma stays one option', async () => {
    const { sent } = await take('poll', { q: 'Coming?', a: 'Yes, with two friends' });
    expect(sent.map(({ params }) => params['options'])).toEqual(['Yes\u201a with two friends,No']);
    expect((await callsTo(phone(8)))[0]?.params['options']?.split(',')).toHaveLength(2);
  });

  it('a status goes to nobody in particular', async () => {
    const { sent } = await take('status', { hour: 8 });
    expect(sent.map(({ kind, phone, params }) => [kind, phone, params])).toEqual([
      ['status', null, { text: 'Open until 8 (integration)' }],
    ]);
  });

  it('goes once to each receiver of several lists, whoever stands in two of them', async () => {
    const { sent } = await take('lists', { phone: `+${phone(11)}` });
    expect(sent.map(({ phone }) => phone)).toEqual([phone(9), phone(10), phone(11)]);
    for (const n of [9, 10, 11]) expect(await callsTo(phone(n))).toHaveLength(1);
  });

  it('goes by no later route once one says `stop`', async () => {
    expect(texts((await take('stop', { stop: true })).sent)).toEqual(['first']);
    expect(texts((await take('stop', {})).sent)).toEqual(['second']);
  });

  it('waits as long as its route says', async () => {
    const response = await postJson('delay', {});
    const { messages } = await response.json<{ messages: string[] }>();
    const { body: waiting } = await admin<{ state: string; created_at: string; next_attempt_at?: string }>(
      'GET',
      `/messages/${messages[0]}`,
    );
    expect(waiting.state).toBe('queued');
    const { created_at, next_attempt_at } = waiting;
    expect(Date.parse(next_attempt_at ?? '') - Date.parse(created_at)).toBe(3_600_000);
    expect(await callsTo(phone(13))).toEqual([]);
  });
});

describe('what a form says', () => {
  it('as `payload` of JSON, is that JSON', async () => {
    const payload = JSON.stringify({ phone: `+${phone(14)}`, name: 'Ada & Söhne' });
    const response = await post('form?lang=de', new URLSearchParams({ payload }));
    expect(texts((await outcome(response)).sent)).toEqual(['Ada & Söhne, de']);
  });

  it('field by field, is an object of its fields', async () => {
    const response = await post(
      'form',
      new URLSearchParams({ phone: `0${phone(15).slice(2)}`, name: 'Ada' }),
    );
    expect(texts((await outcome(response)).sent)).toEqual(['Ada, ']);
  });

  it.each([
    ['', 'is empty: there is no number to send to'],
    ['12', 'is not a valid phone number in DE, nor an international one'],
    ['+49171392010', 'is not a valid international phone number'],
    ['0171 3920101 or 0171 3920102', 'has letters or symbols in it'],
  ])('for a phone number may be none: %j', async (number, why) => {
    const { state, reason, sent } = await outcome(
      await post('form', new URLSearchParams({ phone: number, name: 'Ada' })),
    );
    expect([state, sent]).toEqual(['failed', []]);
    expect(reason).toContain('route `r`, parameter `to` ({{ payload.phone }}): ');
    expect(reason).toContain(why);
  });
});

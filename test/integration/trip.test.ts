import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Acceptance, Receipt } from '../../src/outbox/state/acceptance.ts';
import { signedHeaders } from '../conformance/senders/senders.ts';
import { envWith } from '../platform/env.ts';
import { fetchWith } from '../platform/worker.ts';
import { problemIn } from './problems.ts';
import { take } from './posted.ts';
import {
  callsTo,
  event,
  isSent,
  message,
  messageNow,
  post,
  postJson,
  publish,
  receiptOf,
  textsTo,
  UNPACED,
  type MessageJson,
} from './relay.ts';
import { newPhone, open, text, toPhone } from './sources.ts';

const [TEAM_1, TEAM_2, TEAM_3, FIXED] = [newPhone(), newPhone(), newPhone(), newPhone()];

const GERMAN = { country: 'DE', locale: 'de-DE', timezone: 'Europe/Berlin' };
const OVERFLOWING = '{{ payload.text }}';
const PAID =
  'Thanks {{ payload.data.object.customer_details.name | default: "you" }}!\nWe got *{{ payload.data.object.amount_total | money: payload.data.object.currency }}*.';
const one = (route: object) => open([{ name: 'r', ...route }], { country: 'DE' });
/** Anybody may post to these, and say which number gets a message. */
const stranger = (more: object = {}) =>
  open(
    [
      toPhone('Thank you', { name: 'thank' }),
      { name: 'report', to: FIXED, send: text('A form') },
      {
        name: 'show',
        when: 'payload.image',
        to: FIXED,
        send: { kind: 'image', image_url: '{{ payload.image }}' },
      },
    ],
    { country: 'DE', ...more },
  );

const SOURCES = {
  shop: {
    provider: 'stripe',
    secrets: ['STRIPE_SECRET'],
    ...GERMAN,
    routes: [
      {
        name: 'paid',
        when: 'event.type == "checkout.session.completed" and payload.data.object.amount_total > 0',
        to: '{{ payload.data.object.customer_details.phone }}',
        template: 'payment-received',
      },
    ],
  },
  form: one(toPhone('{{ payload.name }}, {{ query.lang }}')),
  mixed: open([
    { name: 'broken', to: FIXED, send: text('{{ payload.name }}') },
    { name: 'unreported', when: '(payload.list | sum) > 0', to: FIXED, send: text('never') },
    toPhone('good', { name: 'good' }),
  ]),
  each: one({ each: 'payload.alerts', to: '{{ item.phone }}', send: text('{{ index }}. {{ item.name }}') }),
  link: one(toPhone({ kind: 'link-preview', url: '{{ payload.url }}', title: '{{ payload.title }}' })),
  truncate: one(toPhone(OVERFLOWING, { max_length: 20 })),
  split: one(toPhone(OVERFLOWING, { max_length: 12, overflow: 'split' })),
  fail: one(toPhone(OVERFLOWING, { max_length: 10, overflow: 'fail' })),
  poll: one(toPhone({ kind: 'poll', question: '{{ payload.q }}', options: ['{{ payload.a }}', 'No'] })),
  status: one({ send: { kind: 'status', text: 'Open until {{ payload.hour }}' } }),
  lists: one({ to: ['owners', 'staff', TEAM_1, '{{ payload.phone }}'], send: text('hello') }),
  stop: open([
    toPhone('first', { name: 'first', when: 'payload.stop', stop: true }),
    toPhone('second', { name: 'second' }),
  ]),
  delay: one(toPhone('later', { delay: '1h' })),
  hook: open([toPhone('no {{ payload.n }}')], { provider: 'github' }),
  key: open([toPhone('no {{ payload.n }}')], { dedupe: { key: '{{ payload.order }}' } }),
  other: open([toPhone('no {{ payload.n }}')], { dedupe: { key: '{{ payload.order }}' } }),
  digits: open([toPhone('no {{ payload.order }}', { when: 'payload.order > 5402118833907716092' })], {
    dedupe: { key: '{{ payload.order }}' },
  }),
  none: open([toPhone('no {{ payload.n }}')]),
  anybody: stranger(),
  hotline: stranger({ premium: true }),
  held: stranger({ countries: ['DE', 'AT'] }),
  proven: stranger({
    verify: { scheme: 'token', in: 'header', name: 'X-Token' },
    secrets: ['HOOK_SECRET'],
  }),
};

beforeAll(() =>
  publish({
    accounts: { default: UNPACED },
    sources: SOURCES,
    templates: { 'payment-received': text(PAID) },
    recipients: {
      owners: { numbers: [TEAM_1, TEAM_2] },
      staff: { numbers: [TEAM_2, TEAM_3] },
    },
  }),
);
afterEach(() => vi.restoreAllMocks());

async function postStripe(payload: object): Promise<Response> {
  const body = JSON.stringify(payload);
  const signed = await signedHeaders('stripe', body, 'whsec_test_secret', Math.floor(Date.now() / 1_000));
  return post('shop', body, { 'content-type': 'application/json', ...signed });
}

const checkout = (id: string, phone: string, price: object = {}) => {
  const customer_details = { name: 'Zoë & Söhne', phone };
  const object = { id: 'cs_1', amount_total: 1_234_50, currency: 'eur', customer_details, ...price };
  return { id, type: 'checkout.session.completed', data: { object } };
};

/** The outcome of a webhook: its event, with its messages once all of them are sent. */
async function outcomeOf(response: Promise<Response>) {
  const { event: id, messages } = await receiptOf(response);
  const sent = await Promise.all(messages.map((each) => message(each, isSent)));
  return { ...(await event(id)), sent };
}
const outcome = (source: string, payload: unknown) => outcomeOf(postJson(source, payload));
const texts = (messages: readonly MessageJson[]) => messages.map(({ params }) => params['message']);

describe('a signed webhook becomes a message', () => {
  it('takes a Stripe event to the gateway, rendered in the source’s locale', async () => {
    const phone = newPhone();
    const { event: id, duplicate, messages } = await receiptOf(postStripe(checkout('evt_1', `+${phone}`)));
    expect([id, duplicate, messages.length]).toEqual([expect.stringMatching(/^evt_/), false, 1]);
    const sent = await message(messages[0] ?? '', isSent);
    const words = 'Thanks Zoë & Söhne!\nWe got *1.234,50\u00a0€*.';
    expect(sent).toMatchObject({ event: id, kind: 'text', phone, params: { phone, message: words } });
    expect(sent.attempts).toMatchObject([{ n: 1, outcome: 'sent', http_status: 200 }]);
    expect(await textsTo(phone)).toEqual([words]);
    const { headers } = await event(id);
    expect(headers).toHaveProperty('content-type', 'application/json');
    expect(Object.keys(headers).filter((name) => name.includes('signature'))).toEqual([]);
  });

  it('reports an amount as its provider counts it: Stripe sends 5.000 krónur as 500000', async () => {
    const price = { amount_total: 500_000, currency: 'isk' };
    const { sent } = await outcomeOf(postStripe(checkout('evt_isk', `+${newPhone()}`, price)));
    expect(texts(sent)).toEqual([expect.stringContaining('We got *5.000\u00a0ISK*.')]);
  });

  it('makes one message and fifty 2xx answers of fifty concurrent posts of one event id', async () => {
    const phone = newPhone();
    const posts = Array.from({ length: 50 }, () => receiptOf(postStripe(checkout('evt_50', `+${phone}`))));
    const receipts = await Promise.all(posts);
    expect(new Set(receipts.map(({ event: id }) => id)).size).toBe(1);
    const [id = '', ...more] = new Set(receipts.flatMap(({ messages }) => messages));
    expect(more).toEqual([]);
    expect(receipts.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    await message(id, isSent);
    expect((await event(receipts[0]?.event ?? '')).duplicates).toBe(49);
    expect(await callsTo(phone)).toHaveLength(1);
  });

  it('keeps an event that no route takes as unmatched', async () => {
    const { event: id, messages } = await receiptOf(
      postStripe({ id: 'evt_other', type: 'invoice.paid', data: { object: {} } }),
    );
    expect(messages).toEqual([]);
    expect(await event(id)).toMatchObject({ state: 'unmatched', type: 'invoice.paid' });
  });
});

describe('a route that cannot render', () => {
  it('fails its event with reasons that name route, parameter and expression, while the others send', async () => {
    const phone = newPhone();
    const { state, reason, sent } = await outcome('mixed', { list: ['x'], phone: `+${phone}` });
    expect([state, texts(sent), await textsTo(phone)]).toEqual(['partly_failed', ['good'], ['good']]);
    expect(reason?.split('\n')).toEqual([
      'route `broken`, parameter `message` ({{ payload.name }}): is empty, and the gateway requires it',
      expect.stringMatching(/^route `unreported`, parameter `when` \(\(payload\.list \| sum\) > 0\): /),
    ]);
  });

  it('one element of `each` fails: the others are sent, numbered as they stood', async () => {
    const [first, third] = [newPhone(), newPhone()];
    const alerts = [
      { phone: `+${first}`, name: 'a' },
      { phone: 'not a number', name: 'b' },
      { phone: `+${third}`, name: 'c' },
    ];
    const { state, reason, sent } = await outcome('each', { alerts });
    expect(state).toBe('partly_failed');
    expect(sent.map(({ phone, params }) => [phone, params['message']])).toEqual([
      [first, '1. a'],
      [third, '3. c'],
    ]);
    expect(reason).toMatch(/^route `r`, element 2, parameter `to` \(\{\{ item\.phone \}\}\): .*no digits$/);
  });

  it('has failed where its address or its number is none, or its text too long', async () => {
    const long = "has 12 characters, but the route's `max_length` is 10";
    const address = 'parameter `url` ({{ payload.url }}): ';
    for (const [source, payload, why] of [
      ['link', {}, `${address}is empty`],
      ['link', { url: 'javascript:alert(1)' }, `${address}is not an http(s) URL`],
      ['link', { url: 'a.example' }, `${address}is not an http(s) URL`],
      ['fail', { text: 'far too long' }, long],
      ['form', { phone: '', name: 'Ada' }, 'is empty: there is no number to send to'],
      ['form', { phone: '12', name: 'Ada' }, 'is not a valid phone number in DE, nor an international one'],
      ['form', { phone: '+49171392010', name: 'Ada' }, 'is not a valid international phone number'],
      ['form', { phone: '0171 3920101 or 0171 3920102', name: 'Ada' }, 'has letters or symbols in it'],
    ] as const) {
      const { state, reason, sent } = await outcome(source, { phone: `+${newPhone()}`, ...payload });
      expect([payload, state, sent, reason]).toEqual([payload, 'failed', [], expect.stringContaining(why)]);
    }
  });
});

describe('what is sent', () => {
  it('has the parameters that its template writes, and none that a payload adds', async () => {
    const phone = newPhone();
    const url = 'https://a.example/?a=1&b=2';
    const { sent } = await outcome('link', { url, api_key: 'x', phone: `+${phone}`, description: 'x' });
    expect(sent.map(({ params }) => params)).toEqual([{ phone, url }]);
    const [call] = await callsTo(phone);
    expect(call?.params).toMatchObject({ phone, url });
    expect(Object.keys(call?.params ?? {})).not.toContain('description');
  });

  it('is cut between graphemes, or is several messages in order where the route splits', async () => {
    const phone = newPhone();
    const { sent } = await outcome('truncate', { phone: `+${newPhone()}`, text: '👩‍👩‍👧'.repeat(5) });
    expect(texts(sent)).toEqual([`${'👩‍👩‍👧'.repeat(2)}…`]);
    await outcome('split', { phone: `+${phone}`, text: 'one two three four five six' });
    expect(await textsTo(phone)).toEqual(['one two', 'three four', 'five six']);
  });

  it('is a poll whose option with a comma stays one option, or a status, which goes to nobody', async () => {
    const phone = newPhone();
    await outcome('poll', { phone: `+${phone}`, q: 'Coming?', a: 'Yes, with two friends' });
    expect((await callsTo(phone))[0]?.params['options']).toBe('Yes\u201a with two friends,No');
    const { sent } = await outcome('status', { hour: 8 });
    expect(sent).toMatchObject([{ kind: 'status', phone: null, params: { text: 'Open until 8' } }]);
  });

  it('goes once to each receiver of several lists, whoever stands in two of them', async () => {
    const { sent } = await outcome('lists', { phone: `+${TEAM_3}` });
    expect(sent.map(({ phone }) => phone)).toEqual([TEAM_1, TEAM_2, TEAM_3]);
    for (const phone of [TEAM_1, TEAM_2, TEAM_3]) expect(await callsTo(phone)).toHaveLength(1);
  });

  it('goes by no later route once one says `stop`', async () => {
    const phone = `+${newPhone()}`;
    expect(texts((await outcome('stop', { phone, stop: true })).sent)).toEqual(['first']);
    expect(texts((await outcome('stop', { phone })).sent)).toEqual(['second']);
  });

  it('waits as long as its route says', async () => {
    const phone = newPhone();
    const { messages } = await take('delay', { phone: `+${phone}` });
    const waiting = await messageNow(messages[0] ?? '');
    const since = Date.parse(String(Reflect.get(waiting, 'created_at')));
    expect([waiting.state, Date.parse(waiting.next_attempt_at ?? '') - since]).toEqual(['queued', 3_600_000]);
    expect(await callsTo(phone)).toEqual([]);
  });
});

it('a form is an object of its fields, or the JSON of its `payload`; Unicode, &, +, % and newlines stay', async () => {
  const name = 'a & b + c % d = e\nZoë 👩‍👩‍👧 “x”\t%41;';
  const [local, whole] = [newPhone(), newPhone()];
  await outcomeOf(post('form', new URLSearchParams({ phone: `0${local.slice(2)}`, name })));
  const payload = JSON.stringify({ phone: `+${whole}`, name });
  await outcomeOf(post('form?lang=de', new URLSearchParams({ payload })));
  expect([await textsTo(local), await textsTo(whole)]).toEqual([[`${name}, `], [`${name}, de`]]);
});

describe('a webhook that comes twice', () => {
  it('is one event by its provider’s id or its source’s key: the second answer is the first', async () => {
    for (const [source, headers, key] of [
      ['hook', { 'x-github-event': 'push', 'x-github-delivery': 'd-1' }, {}],
      ['key', {}, { order: 7 }],
    ] as const) {
      const phone = newPhone();
      const posted = (n: number) => take(source, { ...key, n, phone: `+${phone}` }, headers);
      const first = await posted(1);
      expect(await posted(2)).toEqual({ ...first, duplicate: true });
      await message(first.messages[0] ?? '', isSent);
      expect([await textsTo(phone), (await event(first.event)).duplicates]).toEqual([['no 1'], 1]);
    }
  });

  it('is known by each digit of an integer beyond 2^53', async () => {
    const phone = newPhone();
    const posted = (order: string) =>
      receiptOf(
        post('digits', `{"order":${order},"phone":"+${phone}"}`, { 'content-type': 'application/json' }),
      );
    const [one, other] = ['5402118833907716093', '5402118833907716094'];
    const [first, second] = [await posted(one), await posted(other)];
    expect([first.duplicate, second.duplicate]).toEqual([false, false]);
    expect(await posted(one)).toEqual({ ...first, duplicate: true });
    await Promise.all([...first.messages, ...second.messages].map((id) => message(id, isSent)));
    expect((await textsTo(phone)).toSorted()).toEqual([`no ${one}`, `no ${other}`]);
  });

  it('is two events with another key, without one, with an empty one, and at two sources', async () => {
    const phone = `+${newPhone()}`;
    const answers = [];
    for (const [source, order] of [
      ['key', 8],
      ['key', 9],
      ['other', 8],
      ['none', 1],
      ['none', 1],
      ['key', undefined],
      ['key', undefined],
    ] as const)
      answers.push(await take(source, { phone, order }));
    expect(answers.filter(({ duplicate }) => duplicate)).toEqual([]);
    expect(new Set(answers.map((answer) => answer.event)).size).toBe(7);
  });
});

/** The real outboxes, with an `accept` of a test’s own. */
const accepting = (accept: (name: string, taken: Acceptance) => Promise<Receipt>) =>
  envWith({
    OUTBOX: { getByName: (name: string) => ({ accept: (taken: Acceptance) => accept(name, taken) }) },
  });

/** Takes an event over, and loses its answer this many times. */
function losing(answers: number) {
  let left = answers;
  return accepting(async (name, taken) => {
    const receipt = await env.OUTBOX.getByName(name).accept(taken);
    left -= 1;
    if (left >= 0) throw Object.assign(new Error('the answer was lost'), { retryable: true });
    return receipt;
  });
}

const ask = (bindings: typeof env, payload: object) => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(payload) };
  return fetchWith(new Request('https://relay.example/hooks/key', init), bindings, createExecutionContext());
};

describe('an outbox that fails', () => {
  it('is 503 with Retry-After; what the sender then repeats is accepted once', async () => {
    for (const marks of [
      { retryable: true },
      { overloaded: true },
      { overloaded: true, retryable: true },
      {},
    ]) {
      const payload = { phone: `+${newPhone()}`, order: `refused-${JSON.stringify(marks)}` };
      const refusing = accepting(() => Promise.reject(Object.assign(new Error('no'), marks)));
      const refused = await ask(refusing, payload);
      expect(refused.headers.get('retry-after')).toBe('5');
      expect((await problemIn(refused, 503, 'not-accepted')).detail).toContain('Send it again');
      const first = await take('key', payload);
      expect([first.duplicate, (await take('key', payload)).event]).toEqual([false, first.event]);
    }
  });

  it('and loses its answer once is called again, and made one event of it', async () => {
    const answer = await receiptOf(ask(losing(1), { phone: `+${newPhone()}`, order: 'lost-once' }));
    expect([answer.duplicate, answer.messages.length]).toEqual([false, 1]);
    expect((await event(answer.event)).duplicates).toBe(0);
  });

  it('and loses all its answers made one event of it, which the sender’s next try gets to know', async () => {
    const payload = { phone: `+${newPhone()}`, order: 'lost-for-good' };
    await problemIn(await ask(losing(9), payload), 503, 'not-accepted');
    const answer = await take('key', payload);
    expect([answer.duplicate, answer.messages.length]).toEqual([true, 1]);
    expect((await event(answer.event)).messages).toHaveLength(1);
  });
});

describe('a stranger’s number or link', () => {
  it('gets nothing if it costs money or is abroad: the event says so and how to allow it, the owner gets hers', async () => {
    const premium = 'a premium-rate number of DE, and anybody can post to this source';
    for (const [source, payload, why] of [
      ['anybody', { phone: '+49 900 1 234567' }, premium],
      ['anybody', { phone: '0900 1 234567' }, premium],
      ['anybody', { phone: '+1 900 234 5678' }, 'a premium-rate number of US'],
      ['anybody', { phone: '+881 612345678' }, 'a satellite number (+881)'],
      ['anybody', { phone: '+979 123456789' }, 'an international premium-rate number (+979)'],
      ['held', { phone: '+1 876 555 0123' }, "belongs to JM, and the source's `countries` are DE, AT"],
    ] as const) {
      const { state, reason, sent } = await outcome(source, payload);
      expect([payload, state, sent.map(({ phone }) => phone)]).toEqual([payload, 'partly_failed', [FIXED]]);
      expect(reason).toContain(why);
      if (source === 'anybody') expect(reason).toContain('`premium: true`');
      else expect(reason).not.toContain('5550123');
    }
  });

  it('gets its message where the source allows it, lists its country or proves its senders', async () => {
    for (const [source, phone] of [
      ['hotline', '499001234501'],
      ['held', '499001234502'],
      ['proven', '499001234503'],
    ] as const) {
      await outcomeOf(postJson(source, { phone: `+${phone}` }, { 'x-token': 'hook-secret' }));
      expect([source, await textsTo(phone)]).toEqual([source, ['Thank you']]);
    }
  });

  it('is not sent if it leads into a network of the gateway', async () => {
    const image = 'http://0xa9fea9fe/latest/';
    const { state, reason } = await outcome('held', { phone: `+${newPhone()}`, image });
    expect(state).toBe('partly_failed');
    expect(reason).toContain('169.254.169.254 is not a public address (link-local, RFC 3927)');
  });
});

import { reasonsText } from '../../../src/outbox/state/event.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { accept, acceptance } from '../../../src/ingest/accept/accept.ts';
import { routeEvent, silencing } from '../../../src/ingest/routing/match.ts';
import { type Acceptance, type Receipt, unpack } from '../../../src/outbox/state/acceptance.ts';
import { configOf, eventOf, NOW, PHONE, sourceOf } from '../support.ts';
import { bindings } from '../../bindings.ts';

const ROUTE = { name: 'all', to: PHONE, send: { kind: 'text', message: 'hello' } };
const FAILING = { ...ROUTE, name: 'bad', to: '{{ payload.phone }}' };
const EXTRA: Parameters<typeof acceptance>[2] = {
  config: { version: 7, activation: 8, publicUrl: null },
  dedupeFailure: null,
};

/** The acceptance that the outbox gets for an event of a source with these routes. */
function taken(document: object, over: Parameters<typeof eventOf>[1] = {}, extra = EXTRA): Acceptance {
  const event = eventOf(sourceOf({ routes: [ROUTE], ...document }), over);
  return acceptance(event, routeEvent(event), extra);
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => vi.restoreAllMocks());

it('acceptance is the event as it will be kept, and its messages with what their route says of sending', () => {
  const delivery = { delay: '5m', expires: '1h', on_uncertain: 'hold', priority: 'high' };
  const { event, messages } = taken(
    { routes: [{ ...ROUTE, ...delivery }], dedupe: { window: '1h' } },
    { payload: { a: 1 }, headers: { 'x-a': '1' }, query: { q: '1' }, dedupeKey: 'k' },
  );
  expect(event).toMatchObject({
    id: 'evt_1',
    source: 'shop',
    state: 'routed',
    reasons: [],
    receivedAt: NOW,
    dedupe: { key: 'k', windowMs: 3_600_000 },
    payload: '{"a":1}',
    headers: '{"x-a":"1"}',
    query: '{"q":"1"}',
    configVersion: 7,
    activation: 8,
    stored: true,
    replay: null,
  });
  expect(messages).toEqual([
    {
      route: 'all',
      kind: 'text',
      phone: PHONE,
      params: { message: 'hello' },
      delayMs: 300_000,
      expiresMs: 3_600_000,
      onUncertain: 'hold',
      priority: 'high',
      forget: false,
    },
  ]);
});

it('acceptance claims what was signed, under names that no id of an item has', () => {
  const { event } = taken({}, { signed: { digests: ['aa', 'bb'], windowMs: 7 } });
  expect(event.signed).toEqual({ keys: ['signed:aa', 'signed:bb'], windowMs: 7 });
  expect(taken({}).event.signed).toBeNull();
});

it('acceptance has a state, and the messages of the other routes when one fails', () => {
  for (const [state, ...routes] of [
    ['routed', ROUTE],
    ['unmatched', { ...ROUTE, when: 'false' }],
    ['unmatched'],
    // A route that took it and made nothing of it.
    ['unmatched', { ...ROUTE, each: 'payload.none' }],
    ['failed', FAILING],
    ['partly_failed', ROUTE, FAILING],
  ] as const)
    expect(taken({ routes }, { payload: { none: [] } }).event.state).toBe(state);
  const none = taken({ routes: [{ ...ROUTE, each: 'payload.none' }] }, { payload: { none: [] } });
  expect(reasonsText(none.event.reasons)).toBe('matched, but had no element or no receiver: `all`');
  const { event, messages } = taken({ routes: [FAILING, ROUTE] });
  expect(reasonsText(event.reasons)).toMatch(/^route `bad`, parameter `to`/);
  expect(messages.map(({ route }) => route)).toEqual(['all']);
});

it('acceptance shows the first reasons, how many there are more, and every route that failed, by which a replay finds them', () => {
  const many = { ...FAILING, each: 'payload.items' };
  const payload = { items: Array.from({ length: 15 }, () => 1) };
  const linesOf = (...routes: readonly object[]) =>
    reasonsText(taken({ routes }, { payload }).event.reasons).split('\n');
  expect(linesOf(many)).toHaveLength(11);
  expect(linesOf(many)?.at(-1)).toBe('… and 5 more');
  const late = { ...FAILING, name: 'late' };
  const last = linesOf(many, late, { ...FAILING, name: 'last' })?.at(-1);
  expect(last).toBe('… and 7 more, in route `late`, route `last`');
});

it('acceptance keeps reasons short, however long the template is and whatever it takes from the payload', () => {
  const long = `{% comment %}${'x'.repeat(16_000)}{% endcomment %}`;
  const options = Array.from({ length: 12 }, () => `{{ item.none }}${long}`);
  const poll = { kind: 'poll', question: 'Which?', options };
  const image = { kind: 'image', image_url: 'http://{{ payload.host }}/' };
  const payload = { items: Array.from({ length: 300 }, () => ({})), host: 'h'.repeat(200_000) };
  for (const send of [poll, image]) {
    const { event } = taken({ routes: [{ ...ROUTE, each: 'payload.items', send }] }, { payload });
    expect(event.reasons).toHaveLength(11);
    expect(JSON.stringify(event.reasons).length).toBeLessThan(8_192);
    expect(reasonsText(event.reasons).split('\n')[0]?.length).toBeLessThan(512);
  }
});

it('acceptance shows what was left out before anything else, and that is no failure', () => {
  const each = { each: 'payload.items', to: [PHONE, '{{ payload.none }}'] };
  const { event, messages } = taken(
    {
      routes: [
        { ...ROUTE, ...each },
        { ...ROUTE, name: 'many', each: 'payload.items' },
      ],
    },
    { payload: { items: Array.from({ length: 1_001 }, () => 1) } },
  );
  expect(messages).toHaveLength(2_000);
  const lines = reasonsText(event.reasons).split('\n');
  expect(lines.slice(0, 3)).toEqual([
    'route `all` made 1000 messages and left out 1 more element: a route may make 1000 messages from a webhook',
    'route `many` made 1000 messages and left out 1 more element: a route may make 1000 messages from a webhook',
    expect.stringMatching(/^route `all`, element 1, parameter `to`/),
  ]);
  const storm = { routes: [{ ...ROUTE, each: 'payload.items' }] };
  expect(taken(storm, { payload: { items: [...Array(1_001).keys()] } }).event.state).toBe('routed');
});

const WAITING = { ...ROUTE, name: 'later', incident: { key: '{{ payload.id }}' } };

it('acceptance has the items that wait, with those who are to be notified', () => {
  const { event, messages, items } = taken({ routes: [WAITING, ROUTE] }, { payload: { id: 7 } });
  expect(event).toMatchObject({ state: 'routed', reasons: [] });
  expect(messages.map(({ route }) => route)).toEqual(['all']);
  expect(items).toMatchObject([{ route: 'later', key: '7', phones: [PHONE], value: '{"id":7}' }]);
  expect(taken({})).not.toHaveProperty('items');
});

it('acceptance has a reason for an item that is no incident, and is no failure', () => {
  const { event, items } = taken({ routes: [WAITING] });
  expect(event.state).toBe('routed');
  expect(reasonsText(event.reasons)).toMatch(
    /^route `later`, parameter `incident.key`.*receivers are notified of the item once, without an incident$/,
  );
  expect(items).toMatchObject([{ key: null }]);
});

it('acceptance says what a silence held back', () => {
  const shop = { verify: { scheme: 'none' }, routes: [ROUTE] };
  const config = configOf({ shop }, { silences: { night: { when: 'true' } } });
  const source = config.sources.get('shop');
  if (source === undefined) throw new Error('no source');
  const event = eventOf(source);
  const made = acceptance(event, routeEvent(event, silencing(config, NOW)), EXTRA);
  expect(made).toMatchObject({
    messages: [],
    event: { state: 'routed', silenced: [{ route: 'all', index: 1, silence: 'night' }] },
  });
  expect(taken({}).event).not.toHaveProperty('silenced');
});

it('acceptance keeps nothing of what was received where the source says so', () => {
  const facts = { payload: { name: 'Ada' }, headers: { 'x-name': 'Ada' }, query: { name: 'Ada' } };
  const { event, messages } = taken({ store: 'metadata' }, facts);
  expect(event).toMatchObject({ stored: false, payload: 'null', headers: 'null', query: 'null' });
  expect(messages.map(({ forget }) => forget)).toEqual([true]);
  expect(JSON.stringify(event)).not.toContain('Ada');
});

it('acceptance keeps `__proto__` as a key of the payload', () => {
  const payload = JSON.parse('{"__proto__":{"a":1}}') as unknown;
  expect(taken({}, { payload }).event.payload).toBe('{"__proto__":{"a":1}}');
});

const RECEIPT: Receipt = { event: 'evt_1', duplicate: false, messages: ['msg_1'] };

/** An outbox that answers each call by the next of these steps. */
function outboxOf(...steps: readonly (() => Receipt)[]) {
  const calls: { name: string; taken: Acceptance }[] = [];
  const getByName = (name: string) => ({
    accept: async (taken: Acceptance) => {
      calls.push({ name, taken });
      const step = steps[calls.length - 1];
      if (step === undefined) throw new Error('called once more');
      return step();
    },
  });
  return { calls, env: bindings({ OUTBOX: { getByName } }) };
}

const broken = (marks: object) => (): Receipt => {
  throw Object.assign(new Error('the object is gone'), marks);
};

const CONFIG = configOf({});
const NOT_ACCEPTED = {
  ok: false,
  error: { problem: { status: 503, type: 'not-accepted', headers: { 'retry-after': '5' } }, refusal: null },
};

it('accept hands the event to its account’s outbox, in one call', async () => {
  const { calls, env } = outboxOf(() => RECEIPT);
  expect(await accept(env, CONFIG, 'sales', taken({}))).toEqual({ ok: true, value: RECEIPT });
  expect(calls.map(({ name }) => name)).toEqual(['sales']);
});

it('accept tries once more after any fault but an overload, with the same event, then asks the sender to come again', async () => {
  for (const [marks, ...times] of [
    [{ retryable: true }, 2, 2],
    [{}, 2, 2],
    // It must not be called again.
    [{ overloaded: true, retryable: true }, 1, 1],
  ] as const) {
    const once = outboxOf(broken(marks), () => RECEIPT);
    const accepted = await accept(once.env, CONFIG, 'default', taken({}));
    if (times[0] === 2) expect(accepted).toEqual({ ok: true, value: RECEIPT });
    expect(new Set(once.calls.map(({ taken: of }) => of.event.id)).size).toBe(1);
    const twice = outboxOf(broken(marks), broken(marks));
    expect(await accept(twice.env, CONFIG, 'default', taken({}))).toMatchObject(NOT_ACCEPTED);
    expect([once.calls.length, twice.calls.length]).toEqual(times);
  }
  const refused = { by: 'load', waitMs: 1_000 } as const;
  const loaded = outboxOf(() => ({ ...RECEIPT, refused }));
  expect(await accept(loaded.env, CONFIG, 'default', taken({}))).toMatchObject(NOT_ACCEPTED);
  expect(loaded.calls).toHaveLength(1);
});

it('accept logs why, without payload or receiver', async () => {
  const write = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { env } = outboxOf(broken({}));
  await accept(env, CONFIG, 'default', taken({}, { payload: { name: 'Ada' } }));
  const lines = write.mock.calls.flat().join('');
  expect(lines).toContain('the object is gone');
  for (const secret of ['Ada', PHONE, 'hello']) expect(lines).not.toContain(secret);
});

/** Five bytes of JSON each, which become twenty-two once they are read and written again. */
const zeros = (count: number) => Array.from({ length: count }, () => 1e20);

/** A text that hardly becomes smaller when it is compressed. */
function noise(length: number): string {
  let seed = 1;
  const next = () => (seed = (seed * 48_271) % 2_147_483_647);
  return Array.from({ length }, () => String.fromCharCode(0x21 + (next() % 90))).join('');
}

it('what an event’s row cannot hold is compressed, and reads as before', async () => {
  const { calls, env } = outboxOf(() => RECEIPT);
  const payload = zeros(100_000);
  expect(await accept(env, CONFIG, 'default', taken({}, { payload }))).toMatchObject({ ok: true });
  const kept = calls[0]?.taken.event.payload ?? '';
  expect(kept).toBeInstanceOf(ArrayBuffer);
  expect(JSON.parse(unpack(kept))).toEqual(payload);
});

it('what an event’s row cannot hold is refused for good if that does not help, without calling the outbox', async () => {
  const { calls, env } = outboxOf();
  for (const payload of [noise(2_400_000), zeros(400_000)])
    expect(await accept(env, CONFIG, 'default', taken({}, { payload }))).toMatchObject({
      ok: false,
      error: {
        problem: {
          status: 413,
          type: 'body-too-large',
          detail: expect.stringMatching(/has \d{7} bytes/) as unknown,
        },
      },
    });
  expect(calls).toEqual([]);
});

it('what an event’s row cannot hold is counted in bytes, headers and query included', async () => {
  const { env } = outboxOf(() => RECEIPT);
  const ask = (over: Parameters<typeof eventOf>[1]) => accept(env, CONFIG, 'default', taken({}, over));
  const half = 'é'.repeat(500_000);
  expect(await ask({ query: { a: half }, headers: { 'x-a': half } })).toMatchObject({ ok: false });
  expect(await ask({ query: { a: half }, headers: { 'x-a': 'e' } })).toMatchObject({ ok: true });
});

it('what an event’s row cannot hold is counted with the ids of its things, and with its reasons', async () => {
  const { env } = outboxOf(() => RECEIPT);
  const event = taken({}, { query: { a: 'x'.repeat(1_500_000) } });
  const [message] = event.messages;
  const things = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ ...message, itemKey: `${n}`.padEnd(256, '漢') }));
  const ask = (over: object) => accept(env, CONFIG, 'default', { ...event, ...over });
  expect(await ask({ messages: things(1_000) })).toMatchObject({ error: { problem: { status: 413 } } });
  expect(await ask({ messages: things(200) })).toMatchObject({ ok: true });
  const reasons = [{ code: 'template', message: '漢'.repeat(200_000) }];
  expect(await ask({ event: { ...event.event, reasons } })).toMatchObject({
    error: { problem: { status: 413 } },
  });
});

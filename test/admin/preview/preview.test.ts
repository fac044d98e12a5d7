import '../../platform/facts.ts';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { admin, publish } from '../../integration/relay.ts';
import { GHOST } from '../../config/ghost.ts';
import { containing } from '../../config/support.ts';
import { starters } from '../../conformance/starters.ts';
import { form, refusal } from '../support.ts';
import type { WebhookPreview } from '../../../src/admin/preview/api-preview.ts';
import { unmetResolutions } from '../../../src/admin/preview/preview.ts';
import { routeEvent } from '../../../src/ingest/routing/match.ts';
import { eventOf, PHONE, sourceOf } from '../../ingest/support.ts';

const text = (message: string) => ({ kind: 'text', message });

const TEAM = ['4915112345678', '4915187654321'];
const SHOP = {
  provider: 'stripe',
  secrets: ['STRIPE_SECRET'],
  country: 'DE',
  routes: [
    { name: 'large', when: 'payload.total > 100', to: 'team', send: text('Large: {{ payload.total }}') },
    { name: 'paid', when: 'event.type == "paid"', to: '{{ payload.phone }}', template: 'thanks', stop: true },
    { name: 'rest', to: '4930123456', send: text('{{ query.ref }} {{ headers.x-shop }}') },
  ],
};

beforeAll(() =>
  publish({
    sources: { shop: SHOP, form: form({ dedupe: { key: '{{ payload.id | money: "XXX" }}' } }) },
    templates: { thanks: text('Thanks {{ payload.name }}') },
    recipients: { team: { numbers: TEAM } },
  }),
);

async function preview(id: string, input: unknown): Promise<WebhookPreview> {
  const { status, body } = await admin<WebhookPreview>('POST', `/sources/${id}/preview`, input);
  expect(status).toBe(200);
  return body;
}

const refused = (input: unknown, id = 'shop') => refusal('POST', `/sources/${id}/preview`, input);

const paid = { id: 'evt_9', type: 'paid', total: 20, phone: '0151 12345678', name: 'Ada' };

it('a preview of a payload shows what would be sent, and why each other route was not taken', async () => {
  const { event, routes, messages } = await preview('shop', { payload: paid });
  expect(event).toMatchObject({ type: 'paid', dedupe_key: 'evt_9', payload: paid });
  expect(routes).toMatchObject([
    {
      route: 'large',
      result: 'not_matched',
      why: '`when` is false: payload.total > 100, where `payload.total` was 20',
    },
    { route: 'paid', result: 'matched' },
    { route: 'rest', result: 'not_reached', why: 'an earlier route has `stop`' },
  ]);
  expect(messages).toEqual([
    { route: 'paid', kind: 'text', phone: '4915112345678', params: { message: 'Thanks Ada' } },
  ]);
});

it('a preview shows a message for each receiver of a list, and why a route fails', async () => {
  const large = await preview('shop', { payload: { ...paid, total: 500 } });
  expect(large.messages.map(({ phone }) => phone)).toEqual([...TEAM, '4915112345678']);
  expect(large.routes[0]?.receivers).toEqual(TEAM);
  const { routes, messages } = await preview('shop', { payload: { ...paid, phone: '12' } });
  expect([messages, routes[1]?.result]).toEqual([[], 'failed']);
  expect(routes[1]?.failures[0]?.reason).toContain('payload.phone');
});

it('a preview of a body reads it as its type says', async () => {
  const body = 'phone=0151+12345678&text=a%26b';
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  expect((await preview('form', { body, headers })).messages).toMatchObject([
    { phone: '4915112345678', params: { message: 'a&b' } },
  ]);
  expect(
    (await preview('form', { body: JSON.stringify({ phone: '0151 12345678', text: 'x' }) })).messages,
  ).toHaveLength(1);
});

it('a preview has headers and a query, without what carries a credential', async () => {
  const { event, messages } = await preview('shop', {
    payload: { type: 'other' },
    headers: { 'X-Shop': 'Berlin', Authorization: 'Bearer abc', 'Stripe-Signature': 't=1,v1=0' },
    query: { ref: 'r1', token: 'abc' },
  });
  expect(messages[0]?.params['message']).toBe('r1 Berlin');
  expect(event).toMatchObject({ headers: { 'x-shop': 'Berlin' }, query: { ref: 'r1' } });
  expect(JSON.stringify(event)).not.toContain('abc');
});

it('a preview lets given headers win over those of a sample, however they are written', async () => {
  const [sample] = starters.get('stripe')?.samples ?? [];
  const { event } = await preview('shop', {
    sample: sample?.name,
    headers: { 'CONTENT-TYPE': 'application/json; charset=utf-8' },
  });
  expect(event.headers['content-type']).toBe('application/json; charset=utf-8');
});

it('a preview of a draft needs no publish, and sees the published templates and lists', async () => {
  const draft = { verify: { scheme: 'none' }, routes: [{ name: 'a', to: 'team', template: 'thanks' }] };
  expect((await preview('not-there-yet', { payload: { name: 'Ada' }, draft })).messages).toHaveLength(2);
  expect((await admin('GET', '/sources/not-there-yet')).status).toBe(404);
  expect((await preview('shop', { payload: paid })).routes).toHaveLength(3);
});

it('a preview of a payload with a credential in it shows what would be kept: without', async () => {
  const verify = { scheme: 'token', in: 'body', name: 'auth.code' };
  const draft = { verify, secrets: ['HOOK_SECRET'] };
  const payload = { auth: { code: 'hook-secret' }, a: 1 };
  const { event } = await preview('not-there-yet', { payload, draft });
  expect(event.payload).toEqual({ auth: {}, a: 1 });
});

it('a preview of a draft that holds the value of a secret says that, and nothing that could repeat it', async () => {
  const token = String(Reflect.get(env, 'ADMIN_TOKEN'));
  const draft = { verify: { scheme: 'none' }, secrets: [token], routes: [{ name: token }] };
  const errors = await refused({ payload: {}, draft });
  expect(errors).toEqual([expect.stringContaining('contains the value of ADMIN_TOKEN')]);
  expect(errors[0]).not.toContain(token);
});

it('a preview of drafts sees a changed template and list, without a publish', async () => {
  const drafts = {
    templates: { thanks: text('Thank you {{ payload.name }}') },
    recipients: { team: { numbers: ['4915187654321'] } },
  };
  const { messages } = await preview('shop', { payload: { ...paid, total: 500 }, drafts });
  expect(messages).toMatchObject([
    { route: 'large', phone: '4915187654321' },
    { route: 'paid', params: { message: 'Thank you Ada' } },
  ]);
  const sources = { shop: { ...SHOP, routes: [] }, other: {} };
  expect((await preview('shop', { payload: paid, drafts: { sources } })).routes).toEqual([]);
});

it("a preview of drafts takes a sender's file that no version has", async () => {
  const drafts = {
    providers: { ghost: GHOST },
    sources: { new: { provider: 'ghost', secrets: ['GHOST_SECRET'], routes: [SHOP.routes[0]] } },
    recipients: { team: { numbers: [PHONE] } },
  };
  const { messages } = await preview('new', { payload: { total: 500 }, drafts });
  expect(messages).toMatchObject([{ route: 'large', phone: PHONE }]);
});

it('a preview of all samples shows each by its name', async () => {
  const { body } = await admin('POST', '/sources/shop/preview', { samples: true });
  const routes = SHOP.routes.map(({ name }) => ({ route: name }));
  const samples = starters.get('stripe')?.samples.map(({ name }) => ({ sample: name, routes }));
  expect(body).toMatchObject({ samples });
});

it('a preview warns of what is doubtful', async () => {
  const { warnings } = await preview('shop', { payload: { type: 'paid', phone: '0151 12345678' } });
  expect(warnings).toMatchObject([{ route: 'paid', parameter: 'message' }]);
  expect((await preview('shop', { payload: paid })).warnings).toEqual([]);
});

it('a preview warns of who has opted out, also with a draft', async () => {
  await admin('PUT', '/suppressions/4915187654321', {});
  const given = { payload: { total: 200 } };
  const said = (draft?: object) => preview('shop', { ...given, draft }).then(({ warnings }) => warnings);
  const expected = [{ route: 'large', parameter: 'to', message: containing('4915187654321 has opted out') }];
  expect((await said()).slice(0, 1)).toMatchObject(expected);
  const draft = { ...SHOP, routes: [{ name: 'large', to: 'team', send: text('Large') }] };
  expect(await said(draft)).toMatchObject(expected);
  await admin('DELETE', '/suppressions/4915187654321');
  expect(await said(draft)).toEqual([]);
});

it('a preview shows why a dedupe key could not be made', async () => {
  const payload = { id: 5, phone: '0151 12345678', text: 'x' };
  const { reason, event } = await preview('form', { payload });
  expect([reason, event.dedupe_key]).toEqual([expect.stringMatching(/^dedupe\.key: /), null]);
});

const ONE_OF = ': give exactly one of `payload`, `body`, `sample`, `samples` and `last`';

it('what cannot be previewed is said with what is wrong, where and how to fix it', async () => {
  for (const [input, error] of [
    [{}, ONE_OF],
    [{ payload: 1, body: 'x' }, ONE_OF],
    [{ payload: 1, last: 3 }, ONE_OF],
    [{ samples: false }, 'samples: must be true or absent'],
    [{ last: 51 }, 'last: must be a whole number from 1 to 50'],
    [{ last: 3, query: { a: 'b' } }, /^last: does not take `headers` or `query`/],
    [{ payload: 1, draft: SHOP, drafts: { sources: {} } }, /^draft: must not be combined/],
    [{ payload: 1, drafts: { accounts: {} } }, /^drafts\.accounts: unknown key `accounts`/],
    [{ payload: 1, drafts: { templates: [] } }, 'drafts.templates: must map name to document'],
    [
      { payload: 1, drafts: { templates: { t: text('{{ 1 | upcasee }}') } } },
      /^templates\.t\.message: .*unknown/,
    ],
    [null, ': must be an object of keys and values'],
    [{ paylod: {} }, 'paylod: unknown key `paylod`; did you mean `payload`?'],
    [{ payload: 1, headers: { 'a b': 'x' } }, 'headers.a b: cannot be sent as an HTTP header'],
    [{ payload: 1, headers: { a: 'x\ny' } }, 'headers.a: cannot be sent as an HTTP header'],
    [{ payload: 1, query: 'a=b' }, 'query: must map name to text'],
    [{ payload: 1, draft: {} }, 'sources.shop: needs a `provider`, or its own `verify`'],
    [{ payload: 1, draft: null }, 'sources.shop: must be an object of keys and values'],
  ] as const) {
    const expected: unknown = typeof error === 'string' ? error : expect.stringMatching(error);
    expect(await refused(input)).toEqual([expected]);
  }
});

it('what cannot be previewed is a sample that the provider does not have; those it has are named, with what no name has between them', async () => {
  const [error = ''] = await refused({ sample: 'nothing' });
  expect(error).toMatch(/^sample: Stripe has no such sample; known ones: [^;]+; [^;]+; /);
});

it('what cannot be previewed is a body that cannot be read', async () => {
  const headers = { 'content-type': 'application/json' };
  expect((await refused({ body: '{"a":', headers }))[0]).toMatch(/^body: \S/);
  expect((await refused({ body: 'plain' }))[0]).toContain('body: The request has no Content-Type');
});

it('what cannot be previewed is a source that there is not: 404', async () => {
  for (const id of ['nothing', 'constructor', '__proto__'])
    expect((await admin('POST', `/sources/${id}/preview`, { payload: 1 })).status).toBe(404);
});

const INCIDENT = { key: '{{ payload.key }}', resolved: 'payload.over' };
const source = sourceOf({
  routes: [
    { name: 'on-call', to: PHONE, incident: INCIDENT, send: text('x') },
    { name: 'plain', to: PHONE, send: text('x') },
  ],
});
const sample = (key: string, over: boolean) =>
  routeEvent(eventOf(source, { payload: { key, over: over || null } }));
const warned = (...samples: Parameters<typeof unmetResolutions>[0]) =>
  unmetResolutions(samples).map((one) => one.length);

it('a resolution of what no firing sample opens is warned of, with its key', () => {
  const [, warnings = []] = unmetResolutions([sample('a', false), sample('a at noon', true)]);
  expect(warnings).toMatchObject([
    {
      route: 'on-call',
      parameter: 'incident.key',
      message: '`a at noon` resolves nothing: no firing sample has this key',
    },
  ]);
});

it('a resolution is nothing to warn of where a firing sample opens it, or where no sample fires', () => {
  expect(warned(sample('a', false), sample('a', true))).toEqual([0, 0]);
  expect(warned(sample('a', true))).toEqual([0]);
  // The key is right where one of them is met: the other one was opened before the samples.
  expect(warned(sample('a', false), sample('a', true), sample('b', true))).toEqual([0, 0, 0]);
  expect(warned()).toEqual([]);
});

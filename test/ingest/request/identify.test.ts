import { expect, it } from 'vitest';
import type { Source } from '../../../src/config/compiled/config.ts';
import {
  eventScope,
  type VerifiedRequest,
  identify as identifyRequest,
} from '../../../src/ingest/request/event.ts';
import { newEventId } from '../../../src/lib/id.ts';
import { eventOf, NOW, sourceOf, verifiedOf, type RequestParts } from '../support.ts';

const zeros = (count: number) => new Uint8Array(count);

/** The event of a request with this payload. */
const identify = (request: VerifiedRequest, payload: unknown = {}, secrets: readonly string[] = []) =>
  identifyRequest(
    {
      ...request,
      facts: { ...request.facts, payload },
      secrets: secrets.map((value) => ({ name: 'HOOK_SECRET', value })),
    },
    zeros,
  );
const SECRET = { verify: undefined, secrets: ['HOOK_SECRET'] };
const GITHUB = { provider: 'github', ...SECRET };
const byToken = (place: string, name: string) =>
  sourceOf({ verify: { scheme: 'token', in: place, name }, secrets: ['HOOK_SECRET'] });

it('the id and the type are a new id of that moment, and what the provider calls the event, or none', () => {
  const headers = { 'x-github-event': 'push', 'x-github-delivery': 'd-1' };
  const { event, dedupeFailure } = identify(verifiedOf(sourceOf(GITHUB), { headers }), { a: 1 });
  const id = newEventId(NOW, zeros);
  expect(event).toMatchObject({ id, type: 'push', dedupeKey: 'd-1', receivedAt: NOW, payload: { a: 1 } });
  expect(dedupeFailure).toBeNull();
  expect(identify(verifiedOf(sourceOf(GITHUB))).event).toMatchObject({ type: null, dedupeKey: null });
  for (const type of ['__proto__', 'constructor', 'toString'])
    expect(identify(verifiedOf(sourceOf()), { [type]: 1 }).event.type).toBeNull();
});

it('a credential in the body is checked and then forgotten: neither kept nor seen by templates', () => {
  const notification = { id: 'n-1', clientState: 'hook-secret', changeType: 'created', resource: 'me' };
  const graph = verifiedOf(sourceOf({ provider: 'microsoft-graph', ...SECRET }));
  const { event } = identify(graph, { value: [notification] });
  expect(JSON.stringify(event.payload)).not.toContain('hook-secret');
  expect(event).toMatchObject({
    dedupeKey: 'n-1',
    payload: { value: [{ id: 'n-1', changeType: 'created' }] },
  });
});

it('a credential in the body may be beside the id that identifies a repeat', () => {
  const signature = { timestamp: '1', token: 't-1', signature: 'ff' };
  const mailgun = verifiedOf(sourceOf({ provider: 'mailgun', ...SECRET }));
  const { event } = identify(mailgun, { signature, 'event-data': {} });
  expect(event).toMatchObject({ dedupeKey: 't-1', payload: { signature: { token: 't-1' } } });
  expect(JSON.stringify(event.payload)).not.toContain('"ff"');
});

const keyed = (key: string, payload: unknown, more: object = {}, parts?: RequestParts) => {
  const { event, dedupeFailure } = identify(
    verifiedOf(sourceOf({ dedupe: { key }, ...more }), parts),
    payload,
  );
  return [event.dedupeKey, dedupeFailure?.message ?? null];
};

it('a dedupe key of the source’s own is its text, trimmed, in place of the provider’s event id', () => {
  expect(keyed(' {{ payload.id }}-{{ payload.kind }}\n', { id: 7, kind: 'a' })).toEqual(['7-a', null]);
  const headers = { 'x-github-delivery': 'd-1' };
  expect(keyed('{{ payload.id }}', { id: 7 }, GITHUB, { headers })).toEqual(['7', null]);
});

it('a dedupe key of the source’s own that is empty is none; one that cannot be made or is too long is reported, and none either', () => {
  const id = '{{ payload.id }}';
  expect(keyed(id, {})).toEqual([null, null]);
  expect(keyed('{{ payload.list | sum }}', { list: ['x'] })).toEqual([
    null,
    expect.stringMatching(/^dedupe\.key: .*sum/),
  ]);
  expect(keyed(id, { id: 'x'.repeat(512) })[1]).toBeNull();
  // Cut off it could be another event’s.
  expect(keyed(id, { id: 'x'.repeat(513) })).toEqual([null, 'dedupe.key: longer than 512 characters']);
});

const signedIn = (source: Source, over: Partial<VerifiedRequest>, payload?: unknown) =>
  identify({ ...verifiedOf(source), ...over }, payload).event.signed;

const signedBody = { digest: 'aa', format: 'json' } as const;
const bodyIn = (dedupe: object) =>
  signedIn(sourceOf({ ...GITHUB, dedupe }), { signedBody }, { action: 'opened' });

const [HOURS, DAY] = [7_200_000, 86_400_000];
const digests = ['aa'];

it('what was signed is claimed for as long as it is taken, the provider’s time or the source’s, not for that of ids', () => {
  const once = { digests, freshMs: HOURS };
  for (const [signed, windowMs] of [
    [signedIn(sourceOf({ dedupe: { window: '1h' } }), { once }), HOURS],
    [signedIn(sourceOf({ dedupe: { window: '1d' } }), { once }), DAY],
    [bodyIn({ window: '30d' }), DAY],
    [bodyIn({ body: '2h' }), HOURS],
    [bodyIn({ key: '{{ payload.id }}' }), DAY],
  ] as const)
    expect(signed).toEqual({ digests, windowMs });
});

it('what was signed is nothing where nobody asked for it, or where equal bodies are different events', () => {
  expect(signedIn(sourceOf(GITHUB), {})).toBeNull();
  expect(signedIn(sourceOf(GITHUB), { signedBody }, { member: { id: 1 } })).toBeNull();
  // Read as a form it may have any field.
  const asForm = { signedBody: { ...signedBody, format: 'form' } as const };
  expect(signedIn(sourceOf(GITHUB), asForm, { member: '1' })?.digests).toEqual(digests);
});

const headersOf = (headers: Record<string, string>, source = sourceOf()) =>
  identify(verifiedOf(source, { headers })).event.headers;

it('what is kept of the headers is by lower-case names, and never a credential, whatever the scheme is, nor what the platform or a proxy added', () => {
  const credentials =
    'Authorization Proxy-Authorization Cookie Stripe-Signature X-Hub-Signature-256 X-Shopify-Hmac-Sha256 PayPal-Transmission-Sig X-Gitlab-Token X-Hook-Secret X-Telegram-Bot-Api-Secret-Token X-Api-Key apikey X-Access-Key X-AuthToken X-Auth X-Jwt CF-Connecting-IP X-Forwarded-For Host x-real-ip via';
  for (const name of credentials.split(' '))
    expect([name, headersOf({ [name]: 'value' })]).toEqual([name, {}]);
  for (const name of [
    'content-type',
    'x-event-key',
    'x-request-id',
    'idempotency-key',
    'x-author',
    'x-tokens-used',
  ])
    expect(headersOf({ [name.toUpperCase()]: 'value' })).toEqual({ [name]: 'value' });
});

it('what is kept of the headers is never the header that the source’s scheme reads, whatever its name, and is it for another source', () => {
  const headers = { 'x-shop': 'value', 'x-a': '1' };
  for (let times = 0; times < 2; times += 1) {
    expect(headersOf(headers, byToken('header', 'X-Shop'))).toEqual({ 'x-a': '1' });
    expect(headersOf(headers)).toEqual(headers);
  }
});

it('what is kept of the headers is the same however many names there were before', () => {
  for (let at = 0; at < 600; at += 1) headersOf({ [`x-name-${at}`]: 'a' });
  expect(headersOf({ 'x-name-1': 'a', 'x-signature-1': 'b', 'cf-ray': 'c' })).toEqual({ 'x-name-1': 'a' });
});

const queryOf = (query: string, source = sourceOf()) =>
  identify(verifiedOf(source, { url: `https://relay.example/hooks/shop?${query}` })).event.query;

it('what is kept of the query is what carries no credential, nor the parameter that the source’s scheme reads', () => {
  const credentials = 'token=t&access_token=t&accessToken=t&api_key=k&apiKey=k&sig=s&Signature=s';
  expect(queryOf(`lang=de&${credentials}`)).toEqual({ lang: 'de' });
  expect(queryOf('k=hook-secret&lang=de', byToken('query', 'k'))).toEqual({ lang: 'de' });
});

it('what is kept of the query has `__proto__` and `constructor` as keys like any other', () => {
  const kept = queryOf('__proto__=a&constructor=b');
  expect(Object.entries(kept).flat()).toEqual(['__proto__', 'a', 'constructor', 'b']);
  expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
});

it('a secret of the source’s own is not kept wherever in headers and query a sender shows it, but a short word', () => {
  const headers = { 'x-note': 'it is s3cret/word!', 'x-sender': 's3cret/word', 'x-a': 'short' };
  const url = 'https://relay.example/hooks/shop?note=s3cret%2Fword&s3cret/word=1&lang=de';
  const { event } = identify(verifiedOf(sourceOf(), { headers, url }), {}, ['s3cret/word', 'short']);
  expect([event.headers, event.query]).toEqual([{ 'x-a': 'short' }, { lang: 'de' }]);
});

it('templates see payload, event, headers and query, each under its own name, and nothing of the source beside its name', () => {
  const source = sourceOf({ verify: { scheme: 'basic' }, secrets: ['BASIC_SECRET'] });
  const parts = {
    payload: { headers: 'posing', event: { type: 'posing' } },
    headers: { 'x-shop': 'a' },
    query: { lang: 'de' },
  };
  const event = { id: 'evt_1', type: 'order.paid', source: 'shop', dedupe_key: 'order-1' };
  for (const receivedAt of [NOW, NOW + 1, NOW, 0]) {
    const received_at = new Date(receivedAt).toISOString();
    const scope = eventScope(eventOf(source, { ...parts, dedupeKey: 'order-1', receivedAt }));
    expect(scope).toEqual({ ...parts, event: { ...event, received_at } });
  }
});

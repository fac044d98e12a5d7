import { describe, expect, it } from 'vitest';
import type { Source } from '../../../src/config/config.ts';
import type { VerifiedRequest } from '../../../src/ingest/request/event.ts';
import { identify as identifyRequest } from '../../../src/ingest/request/identify.ts';
import { newEventId, type RandomBytes } from '../../../src/lib/id.ts';
import { NOW, sourceOf, verifiedOf } from '../support.ts';

/** The event of a request with this payload. */
const identify = (
  request: VerifiedRequest,
  payload: unknown,
  bytes: RandomBytes,
  secrets: readonly string[] = [],
) =>
  identifyRequest(
    {
      ...request,
      facts: { ...request.facts, payload },
      secrets: secrets.map((value) => ({ name: 'HOOK_SECRET', value })),
    },
    bytes,
  );

const zeros = (count: number) => new Uint8Array(count);

const GITHUB = { provider: 'github', verify: undefined, secrets: ['HOOK_SECRET'] };
const withKey = (key: string, more: object = {}) => sourceOf({ dedupe: { key }, ...more });

const keyOf = (key: string, payload: unknown) =>
  identify(verifiedOf(withKey(key)), payload, zeros).event.dedupeKey;

const headersOf = (headers: Record<string, string>, source = sourceOf()) =>
  identify(verifiedOf(source, { headers }), {}, zeros).event.headers;

const queryOf = (query: string, source = sourceOf()) =>
  identify(verifiedOf(source, { url: `https://relay.example/hooks/shop?${query}` }), {}, zeros).event.query;

describe('the id and the type', () => {
  it('are a new id of that moment, and what the provider calls the event', () => {
    const headers = { 'x-github-event': 'push', 'x-github-delivery': 'd-1' };
    const { event, dedupeFailure } = identify(verifiedOf(sourceOf(GITHUB), { headers }), { a: 1 }, zeros);
    expect(event).toMatchObject({
      id: newEventId(NOW, zeros),
      type: 'push',
      dedupeKey: 'd-1',
      receivedAt: NOW,
      payload: { a: 1 },
    });
    expect(dedupeFailure).toBeNull();
  });

  it('are none where the provider’s places are empty', () => {
    const { event } = identify(verifiedOf(sourceOf(GITHUB)), {}, zeros);
    expect(event).toMatchObject({ type: null, dedupeKey: null });
  });

  it.each(['__proto__', 'constructor', 'toString'])('are not read off a prototype: %s', (type) => {
    const { event } = identify(verifiedOf(sourceOf()), { [type]: 1 }, zeros);
    expect(event.type).toBeNull();
  });
});

describe('a credential in the body', () => {
  const GRAPH = { provider: 'microsoft-graph', verify: undefined, secrets: ['HOOK_SECRET'] };
  const notification = { id: 'n-1', clientState: 'hook-secret', changeType: 'created', resource: 'me' };

  it('is checked and then forgotten: neither kept nor seen by templates', () => {
    const payload = { value: [notification] };
    const { event } = identify(verifiedOf(sourceOf(GRAPH)), payload, zeros);
    expect(JSON.stringify(event.payload)).not.toContain('hook-secret');
    expect(event.payload).toMatchObject({ value: [{ id: 'n-1', changeType: 'created' }] });
    expect(event.dedupeKey).toBe('n-1');
  });

  it('may be beside the id that identifies a repeat', () => {
    const source = sourceOf({ provider: 'mailgun', verify: undefined, secrets: ['HOOK_SECRET'] });
    const payload = { signature: { timestamp: '1', token: 't-1', signature: 'ff' }, 'event-data': {} };
    const { event } = identify(verifiedOf(source), payload, zeros);
    expect(event.payload).toMatchObject({ signature: { token: 't-1' } });
    expect(JSON.stringify(event.payload)).not.toContain('"ff"');
    expect(event.dedupeKey).toBe('t-1');
  });
});

describe('a dedupe key of the source’s own', () => {
  it('is its text, trimmed', () => {
    expect(keyOf(' {{ payload.id }}-{{ payload.kind }}\n', { id: 7, kind: 'a' })).toBe('7-a');
  });

  it('takes the place of the provider’s event id', () => {
    const source = sourceOf({ ...GITHUB, dedupe: { key: '{{ payload.id }}' } });
    const request = verifiedOf(source, { headers: { 'x-github-delivery': 'd-1' } });
    expect(identify(request, { id: 7 }, zeros).event.dedupeKey).toBe('7');
  });

  it('that comes out empty is none: two such events are two', () => {
    expect(keyOf('{{ payload.id }}', {})).toBeNull();
  });

  it('that cannot be made is reported, and the event is taken without it', () => {
    const source = withKey('{{ payload.list | sum }}');
    const { event, dedupeFailure } = identify(verifiedOf(source), { list: ['x'] }, zeros);
    expect(event.dedupeKey).toBeNull();
    expect(dedupeFailure).toMatch(/^dedupe\.key: .*sum/);
  });

  it('that is too long is reported: cut off it could be another event’s', () => {
    const source = withKey('{{ payload.id }}');
    expect(identify(verifiedOf(source), { id: 'x'.repeat(512) }, zeros).dedupeFailure).toBeNull();
    const { event, dedupeFailure } = identify(verifiedOf(source), { id: 'x'.repeat(513) }, zeros);
    expect(event.dedupeKey).toBeNull();
    expect(dedupeFailure).toBe('dedupe.key: longer than 512 characters');
  });
});

const signedIn = (source: Source, over: Partial<VerifiedRequest>) =>
  identify({ ...verifiedOf(source), ...over }, {}, zeros).event.signed;

const signedBody = { digest: 'aa', format: 'json' } as const;
const bodyIn = (dedupe: object) => signedIn(sourceOf({ ...GITHUB, dedupe }), { signedBody });

describe('what was signed', () => {
  const digests = ['aa'];

  it('without the body is claimed for as long as it is taken, or as the source says', () => {
    const once = { digests, freshMs: 7_200_000 };
    for (const [window, windowMs] of [
      ['1h', 7_200_000],
      ['1d', 86_400_000],
    ] as const)
      expect(signedIn(sourceOf({ dedupe: { window } }), { once })).toEqual({ digests, windowMs });
  });

  it('with the body is claimed for the provider’s time or the source’s, not for that of ids', () => {
    expect(bodyIn({ window: '30d' })).toEqual({ digests, windowMs: 86_400_000 });
    expect(bodyIn({ body: '2h' })).toEqual({ digests, windowMs: 7_200_000 });
    expect(bodyIn({ key: '{{ payload.id }}' })).toEqual({ digests, windowMs: 86_400_000 });
  });

  it('is nothing where nobody asked for it, or where equal bodies are different events', () => {
    expect(signedIn(sourceOf(GITHUB), {})).toBeNull();
    const request = { ...verifiedOf(sourceOf(GITHUB)), signedBody };
    expect(identify(request, { member: { id: 1 } }, zeros).event.signed).toBeNull();
    // Read as a form it may have any field.
    const asForm = { ...request, signedBody: { ...signedBody, format: 'form' } as const };
    expect(identify(asForm, { member: '1' }, zeros).event.signed?.digests).toEqual(digests);
  });
});

describe('a secret of the source’s own', () => {
  const SECRETS = ['s3cret/word', 'short'];
  const seen = (given: Parameters<typeof verifiedOf>[1]) => {
    const { headers, query } = identify(verifiedOf(sourceOf(), given), {}, zeros, SECRETS).event;
    return { headers, query };
  };

  it('is not kept wherever in headers and query a sender shows it', () => {
    const headers = { 'x-note': 'it is s3cret/word!', 'x-sender': 's3cret/word', 'x-a': '1' };
    const url = 'https://relay.example/hooks/shop?note=s3cret%2Fword&s3cret/word=1&lang=de';
    expect(seen({ headers, url })).toEqual({ headers: { 'x-a': '1' }, query: { lang: 'de' } });
  });

  it('that is a short word takes nothing away', () => {
    expect(seen({ headers: { 'x-a': 'short' } }).headers).toEqual({ 'x-a': 'short' });
  });
});

describe('what is kept of the headers', () => {
  it('is what the sender said, by lower-case names', () => {
    expect(headersOf({ 'X-Shop-Topic': 'orders/create', 'Content-Type': 'application/json' })).toEqual({
      'x-shop-topic': 'orders/create',
      'content-type': 'application/json',
    });
  });

  it.each([
    'Authorization',
    'Proxy-Authorization',
    'Cookie',
    'Stripe-Signature',
    'X-Hub-Signature-256',
    'X-Shopify-Hmac-Sha256',
    'PayPal-Transmission-Sig',
    'X-Gitlab-Token',
    'X-Telegram-Bot-Api-Secret-Token',
    'X-Hook-Secret',
    'X-Api-Key',
    'apikey',
    'X-Access-Key',
    'X-AuthToken',
    'X-Auth',
    'X-Jwt',
  ])('is never %s, whatever the scheme is', (name) => {
    expect(headersOf({ [name]: 'credential' })).toEqual({});
  });

  it.each(['X-Event-Key', 'X-Request-Id', 'Idempotency-Key', 'X-Author', 'X-Tokens-Used'])(
    'may be %s, which is no credential',
    (name) => {
      expect(headersOf({ [name]: 'value' })).toEqual({ [name.toLowerCase()]: 'value' });
    },
  );

  it('is never the header that the source’s scheme reads, whatever its name', () => {
    const verify = { scheme: 'token', in: 'header', name: 'X-Shop-Word' };
    const source = sourceOf({ verify, secrets: ['HOOK_SECRET'] });
    expect(headersOf({ 'X-Shop-Word': 'hook-secret', 'x-a': '1' }, source)).toEqual({ 'x-a': '1' });
  });

  it('is nothing that the platform or a proxy added', () => {
    const added = { 'CF-Connecting-IP': '192.0.2.1', 'X-Forwarded-For': '192.0.2.1', Host: 'relay.example' };
    expect(headersOf({ ...added, 'x-real-ip': '192.0.2.1', via: 'p' })).toEqual({});
  });

  it('has `__proto__` as a key like any other', () => {
    const kept = headersOf({ ['__proto__']: 'x' });
    expect(Object.keys(kept)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
  });
});

describe('what is kept of the query', () => {
  it('is what carries no credential', () => {
    expect(
      queryOf('lang=de&token=t&access_token=t&accessToken=t&api_key=k&apiKey=k&sig=s&Signature=s'),
    ).toEqual({
      lang: 'de',
    });
  });

  it('is never the parameter that the source’s scheme reads', () => {
    const verify = { scheme: 'token', in: 'query', name: 'k' };
    expect(queryOf('k=hook-secret&lang=de', sourceOf({ verify, secrets: ['HOOK_SECRET'] }))).toEqual({
      lang: 'de',
    });
  });

  it('has `__proto__` and `constructor` as keys like any other', () => {
    const kept = queryOf('__proto__=a&constructor=b');
    expect(Object.entries(kept)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
  });
});

describe('the judgement of a header’s name', () => {
  const TOKEN = { verify: { scheme: 'token', in: 'header', name: 'X-Shop' }, secrets: ['HOOK_SECRET'] };

  it('is not the one of another source', () => {
    const headers = { 'x-shop': 'value' };
    expect(headersOf(headers, sourceOf(TOKEN))).toEqual({});
    expect(headersOf(headers)).toEqual(headers);
    expect(headersOf(headers, sourceOf(TOKEN))).toEqual({});
  });

  it('is the same however many names there were before', () => {
    for (let at = 0; at < 600; at += 1) headersOf({ [`x-name-${at}`]: 'a' });
    expect(headersOf({ 'x-name-1': 'a', 'x-signature-1': 'b', 'cf-ray': 'c' })).toEqual({ 'x-name-1': 'a' });
  });
});

import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Source } from '../../../src/config/compiled/config.ts';
import type { RawRequest } from '../../../src/ingest/request/event.ts';
import { greet, greetVerified, type GreetContext } from '../../../src/ingest/handshake.ts';
import { asVerified } from '../../../src/ingest/request/verify.ts';
import type { Handshake } from '../../../src/provider/handshake.ts';
import { rawOf as rawWith, sourceOf, verifiedOf, type RequestParts } from '../support.ts';
import { bindings } from '../../bindings.ts';

const URL_WITH_CHALLENGE = 'https://relay.example/hooks/shop?challenge=abc123';
const JSON_TYPE = { 'content-type': 'application/json' };
const HELLO = '{"type":"hello","challenge":"abc123"}';

/** A handshake that asks by GET and wants its challenge back. */
const BY_GET: Handshake = {
  match: { method: 'GET', where: [{ at: 'query:challenge' }] },
  proof: { by: 'nothing' },
  respond: { status: 200, body: { text: { echo: 'query:challenge' } } },
};

/** One that is posted, with its challenge in the body. */
const BY_POST: Handshake = {
  match: { method: 'POST', where: [{ at: 'body:type', equals: 'hello' }] },
  proof: { by: 'nothing' },
  respond: { status: 200, body: { json: { challenge: { echo: 'body:challenge' } } } },
};

const BY_HEAD: Handshake = {
  match: { method: 'HEAD', where: [] },
  proof: { by: 'nothing' },
  respond: { status: 200, body: { text: 'hello' } },
};

/** One that has its challenge signed. */
const SIGN: Handshake = {
  ...BY_GET,
  respond: { status: 200, body: { text: { hmac: 'query:challenge', encoding: 'hex' } } },
};

const SIGNED: Handshake = { ...BY_POST, proof: { by: 'signature' } };

function withHandshakes(handshakes: readonly Handshake[], more: Partial<Source> = {}): Source {
  const source = sourceOf();
  return { ...source, ...more, provider: { ...source.provider, handshakes } };
}

const logged: string[] = [];
beforeEach(() => {
  logged.length = 0;
  for (const level of ['info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((line) => logged.push(String(line)));
  }
});
afterEach(() => vi.restoreAllMocks());

const record = () => Promise.resolve();
const BINDINGS = bindings({
  FIRST: undefined,
  SECOND: 'second-secret',
  THIRD: 'third-secret',
  REGISTRY: { getByName: () => ({ recordRejection: record, recordLimited: record }) },
});
const rawOf = (source: Source, parts: RequestParts = {}) => rawWith(source, { env: BINDINGS, ...parts });
const context: GreetContext = {
  env: BINDINGS,
  ctx: { waitUntil: () => undefined },
  fetch: () => Promise.reject(new Error('nothing to confirm')),
};

/** Greets a request, and counts how often its body was parsed. */
async function greeted(raw: RawRequest): Promise<{ response: Response | null; parses: number }> {
  const parsed = vi.fn(raw.parsed);
  return { response: await greet({ ...raw, parsed }, context), parses: parsed.mock.calls.length };
}

it('a handshake that its provider does not sign is answered as the provider wants', async () => {
  const raw = rawOf(withHandshakes([BY_GET]), { method: 'GET', url: URL_WITH_CHALLENGE });
  const { response } = await greeted(raw);
  expect(response?.status).toBe(200);
  expect(response?.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(response?.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response?.headers.get('cache-control')).toBe('no-store');
  expect(await response?.text()).toBe('abc123');
  expect(logged.join()).toContain('handshake.answered');
  expect(logged.join()).not.toContain('abc123');
});

it('a handshake that its provider does not sign is found among several, the first that fits', async () => {
  const source = withHandshakes([SIGNED, BY_POST, BY_GET, BY_HEAD]);
  const byGet = await greeted(rawOf(source, { method: 'GET', url: URL_WITH_CHALLENGE }));
  expect(await byGet.response?.text()).toBe('abc123');
  const byPost = await greeted(rawOf(source, { headers: JSON_TYPE, body: HELLO }));
  expect(await byPost.response?.json()).toEqual({ challenge: 'abc123' });
});

it('a handshake that its provider does not sign leaves an event alone', async () => {
  const source = withHandshakes([BY_POST]);
  for (const [headers, body] of [
    [JSON_TYPE, '{"type":"paid"}'],
    [JSON_TYPE, '{"type":"hello"'],
    [{ 'content-type': 'image/png' }, HELLO],
    [JSON_TYPE, HELLO.padEnd(16_385)],
  ] as const)
    expect((await greeted(rawOf(source, { headers, body }))).response).toBeNull();
  const put = rawOf(source, { method: 'PUT', headers: JSON_TYPE, body: HELLO });
  expect(await greeted(put)).toEqual({ response: null, parses: 0 });
});

it('a handshake that its provider does not sign has no body parsed while something else does not fit', async () => {
  const where = [{ at: 'body:type' }, { at: 'header:X-Signature', absent: true }] as const;
  const raw = rawOf(withHandshakes([{ ...BY_POST, match: { method: 'POST', where } }]), {
    headers: { ...JSON_TYPE, 'x-signature': 'a' },
    body: HELLO,
  });
  expect(await greeted(raw)).toEqual({ response: null, parses: 0 });
});

it('a request by a handshake’s method that is none is refused: it is no event either', async () => {
  for (const [handshakes, allow] of [
    [[BY_GET], 'POST, PUT'],
    [[BY_GET, BY_HEAD], 'POST, PUT, HEAD'],
  ] as const) {
    const { response } = await greeted(rawOf(withHandshakes(handshakes), { method: 'GET' }));
    expect([response?.status, response?.headers.get('allow')]).toEqual([405, allow]);
  }
});

it('a request by a handshake’s method that is none waits for its signature where the handshake has one', async () => {
  const source = withHandshakes([{ ...BY_GET, proof: { by: 'signature' } }]);
  expect((await greeted(rawOf(source, { method: 'GET' }))).response).toBeNull();
  expect((await greetVerified(verifiedOf(source, { method: 'GET' }), context))?.status).toBe(405);
});

const source = withHandshakes([SIGNED]);

const hello = { type: 'hello', challenge: 'abc123' };
const ask = (payload: object, of = source) => greetVerified(verifiedOf(of, { payload }), context);

it('a handshake that is signed gets its answer once the signature was checked, and its body is not parsed before', async () => {
  const raw = rawOf(source, { headers: JSON_TYPE, body: HELLO });
  expect(await greeted(raw)).toEqual({ response: null, parses: 0 });
  expect(await (await ask(hello))?.json()).toEqual({ challenge: 'abc123' });
});

it('a handshake that is signed leaves an event alone, and is not answered for one that is not signed, or where there is none', async () => {
  expect(await ask({ type: 'paid' })).toBeNull();
  for (const other of [withHandshakes([BY_POST]), sourceOf()]) expect(await ask(hello, other)).toBeNull();
  const none = rawOf(sourceOf(), { headers: JSON_TYPE, body: HELLO });
  expect(await greeted(none)).toEqual({ response: null, parses: 0 });
});

const hmac = (secret: string) => createHmac('sha256', secret).update('abc123').digest('hex');

const secrets = ['FIRST', 'SECOND', 'THIRD'];
const parts = { method: 'GET', url: URL_WITH_CHALLENGE };

it('an answer that is signed has the secret that verified the request, or the first that is set, and is not given without one', async () => {
  const first = await greeted(rawOf(withHandshakes([SIGN], { secrets }), parts));
  expect(await first.response?.text()).toBe(hmac('second-secret'));
  const source = withHandshakes([{ ...SIGN, proof: { by: 'signature' } }], { secrets });
  const verified = { verifiedBy: 'THIRD', once: null, signedBody: null };
  const response = await greetVerified(asVerified(rawOf(source, parts), {}, verified), context);
  expect(await response?.text()).toBe(hmac('third-secret'));
  const none = await greeted(rawOf(withHandshakes([SIGN], { secrets: ['FIRST'] }), parts));
  expect([none.response?.status, none.response?.headers.get('retry-after')]).toEqual([503, '60']);
});

it('an answer that is signed proves nothing of a body: what anybody may have had signed is no event', async () => {
  const source = withHandshakes([SIGN], { secrets });
  for (const body of ['abc123', '42', 'true', 'word==']) {
    expect((await greeted(rawOf(source, { body }))).response?.status).toBe(401);
    expect((await greeted(rawOf(source, { method: 'PUT', body }))).response?.status).toBe(401);
  }
  expect((await greeted(rawOf(source, { body: '{"a":1}' }))).response).toBeNull();
  expect((await greeted(rawOf(source))).response).toBeNull();
});

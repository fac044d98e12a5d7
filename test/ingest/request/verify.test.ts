import { createHash, createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, it, vi } from 'vitest';
import { verify } from '../../../src/ingest/request/verify.ts';
import { NOW, rawOf, sourceOf } from '../support.ts';
import { bindings } from '../../bindings.ts';

const JSON_TYPE = 'application/json';
const BY_TOKEN = { scheme: 'token', in: 'header', name: 'X-Word' };
const two = sourceOf({ verify: BY_TOKEN, secrets: ['OLD_WORD', 'NEW_WORD'] });
const basic = sourceOf({ verify: { scheme: 'basic' }, secrets: ['OLD_WORD'] });

const paypal = sourceOf({ verify: { scheme: 'rsa', format: 'paypal' }, secrets: ['OLD_WORD'] });

const bothSet = bindings({ OLD_WORD: 'old-word', NEW_WORD: 'new-word' });
const onlyNew = bindings({ OLD_WORD: undefined, NEW_WORD: 'new-word' });

const check = (word: string | null, env = bothSet) =>
  verify(rawOf(two, { headers: word === null ? {} : { 'X-Word': word }, env }), NOW);

const queryRead = async (query: string) => {
  const checked = await verify(rawOf(sourceOf(), { url: `https://relay.example/hooks/shop?${query}` }), NOW);
  return checked.ok ? Object.fromEntries(checked.value.url.searchParams) : checked.error.detail;
};

afterEach(() => {
  vi.restoreAllMocks();
});

it.each([undefined, ''])(
  'a check of a request: without any secret (%j) it is 503, never an open door',
  async (none) => {
    const refusal = await check('old-word', bindings({ OLD_WORD: none, NEW_WORD: none }));
    expect(refusal).toMatchObject({
      ok: false,
      error: {
        problem: { status: 503, headers: { 'retry-after': '60' } },
        code: 'secret_missing',
        detail: 'not set: OLD_WORD, NEW_WORD',
      },
    });
  },
);

it('a check of a request: a secret that cannot be used is no fault of the sender: 503', async () => {
  const headers = { authorization: `Basic ${btoa('user:word')}` };
  expect(await verify(rawOf(basic, { headers, env: bindings({ OLD_WORD: 'no colon' }) }), NOW)).toMatchObject(
    {
      ok: false,
      error: { problem: { status: 503 }, code: 'misconfigured' },
    },
  );
});

it('a check of a request: a certificate that cannot be fetched is no fault of the sender either: 503, try again', async () => {
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('Network connection lost.'));
  const headers = {
    'PAYPAL-TRANSMISSION-ID': '69cd13f0',
    'PAYPAL-TRANSMISSION-TIME': new Date(NOW).toISOString(),
    'PAYPAL-TRANSMISSION-SIG': btoa('signature'),
    'PAYPAL-CERT-URL': 'https://api.paypal.com/v1/notifications/certs/CERT-1',
    'PAYPAL-AUTH-ALGO': 'SHA256withRSA',
  };
  expect(await verify(rawOf(paypal, { headers, env: bothSet }), NOW)).toMatchObject({
    ok: false,
    error: {
      problem: { status: 503, type: 'verification-unavailable', headers: { 'retry-after': '60' } },
      code: 'unavailable',
    },
  });
});

it('a check of a request: knows the digest of a body that is signed as a whole, where it may make one event only', async () => {
  const header = 'X-Signature';
  const signed = { verify: { scheme: 'hmac', header }, secrets: ['OLD_WORD'] };
  const body = '{"a":1}';
  const headers = {
    [header]: createHmac('sha256', 'old-word').update(body).digest('hex'),
    'content-type': JSON_TYPE,
  };
  const claimed = async (dedupe: object) => {
    const verified = await verify(
      rawOf(sourceOf({ ...signed, dedupe }), { headers, body, env: bothSet }),
      NOW,
    );
    return verified.ok ? verified.value.signedBody : verified.error.code;
  };
  const digest = createHash('sha256').update(body).digest('hex');
  expect(await claimed({ body: '1h' })).toEqual({ digest, format: 'json' });
  expect(await claimed({ body: false })).toBeNull();
  expect(await claimed({})).toBeNull();
});

it('a check of a request: takes a signature over a compressed body in either form, and claims the one that was signed', async () => {
  const hmac = { scheme: 'hmac', header: 'X-Signature' };
  const source = sourceOf({ verify: hmac, secrets: ['OLD_WORD'], dedupe: { body: '1h' } });
  const body = '{"a":1}';
  const compressed = gzipSync(body);
  const signed = async (over: string | Uint8Array, key = 'old-word') => {
    const signature = createHmac('sha256', key).update(over).digest('hex');
    const headers = { 'X-Signature': signature, 'content-type': JSON_TYPE };
    const verified = await verify({ ...rawOf(source, { headers, body, env: bothSet }), compressed }, NOW);
    return verified.ok
      ? [verified.value.facts.payload, verified.value.signedBody?.digest]
      : verified.error.code;
  };
  for (const form of [body, compressed])
    expect(await signed(form)).toEqual([{ a: 1 }, createHash('sha256').update(form).digest('hex')]);
  expect([await signed(body, 'x'), await signed(compressed, 'x')]).toEqual(['mismatch', 'mismatch']);
});

it('a check of a request: refuses a query that is no UTF-8 with the place: its characters would be lost in silence', async () => {
  for (const query of ['a=B%E4r', 'a=%ff', '%c3=1', 'a=%ED%A0%BD', 'a=%c3&b=%a4'])
    expect(await queryRead(`x=1&${query}`)).toContain('Parameter 2 of the query is not valid utf-8');
  expect(await queryRead('a=50%&b=%zz+B%C3%A4r')).toEqual({ a: '50%', b: '%zz Bär' });
});

it('a check of a request: nothing that it says shows a secret or what was given for one', async () => {
  const refusals = await Promise.all([check('given-word'), check('given-word', onlyNew)]);
  const said = JSON.stringify(refusals);
  for (const secret of ['old-word', 'new-word', 'given-word']) expect(said).not.toContain(secret);
});

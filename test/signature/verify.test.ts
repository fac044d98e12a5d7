import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { VerifyScheme } from '../../src/signature/scheme.ts';
import { verifySignature } from '../../src/signature/verify.ts';
import { contextAt, encode, NOW, NOW_SECONDS, requestOf, schemeOf } from './support.ts';

const CONTEXT = contextAt(NOW);

const SIGNED = { header: 'X-Signature', signed: '{ts}{raw_body}', timestamp: { header: 'X-Time' } };
const DOCUMENTS = [
  { scheme: 'hmac', header: 'X-Signature' },
  { scheme: 'hmac', list_separator: ',', key_value_separator: '=', keys: ['v1'], ...SIGNED },
  {
    scheme: 'hmac',
    query: 'sig',
    signed: '{url}{form_sorted}',
    url_form: 'any_port',
    body_hash_query: 'hash',
  },
  { scheme: 'hmac', field: 'sig', items: 'list', signed: '{item:id}:{item:value}' },
  { scheme: 'hmac', field: 'sig', signed: '[id:{query:id};]{body:id}' },
  {
    scheme: 'hash',
    header: 'X-Signature',
    signed: '{secret}{method}{url}{raw_body}',
    url_form: 'percent_decoded',
  },
  { scheme: 'ed25519', ...SIGNED },
  { scheme: 'ecdsa', ...SIGNED },
  { scheme: 'ecdsa', signature_format: 'raw', ...SIGNED },
  { scheme: 'rsa', format: 'sns' },
  { scheme: 'rsa', format: 'paypal' },
  { scheme: 'jwt', header: 'X-Signature', body_hash_claim: 'sha256' },
  { scheme: 'basic' },
  { scheme: 'token', in: 'header', name: 'X-Token' },
  { scheme: 'token', in: 'header', name: 'X-Token', prefix: 'Bearer ', prefix_optional: true },
  { scheme: 'token', in: 'query', name: 'token' },
  { scheme: 'token', in: 'path' },
  { scheme: 'token', in: 'body', name: 'token' },
  { scheme: 'token', in: 'body', name: 'token', items: 'list' },
  {
    scheme: 'any',
    of: [
      { scheme: 'hmac', header: 'X-Signature' },
      { scheme: 'token', in: 'query', name: 'token' },
    ],
  },
];
const SCHEMES = DOCUMENTS.map((document) => [JSON.stringify(document), schemeOf(document)] as const);

const ED25519_KEY = encode(new Uint8Array(32).fill(0x58).with(31, 0x66), 'hex');
const ECDSA_KEY =
  'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEDr2LjtURuePQzplybdC+u4CwrqDqBaWjcMMsTbhdbcwHBcepxo7yAQGhHPTnlvFYPAZFceEu/1FwCM/QmGUhA==';

/** A secret of the kind that the scheme wants. */
function secretFor(scheme: VerifyScheme): string {
  if (scheme.scheme === 'ed25519') return ED25519_KEY;
  if (scheme.scheme === 'ecdsa') return ECDSA_KEY;
  const isTopic = scheme.scheme === 'rsa' && scheme.format === 'sns';
  return isTopic ? 'arn:aws:sns:eu-west-1:123456789012:shop' : 'user:password';
}

describe('verifySignature', () => {
  it.each(SCHEMES)('fails closed for %s: a bare request is refused', async (_, scheme) => {
    const refused = await verifySignature(scheme, [secretFor(scheme)], requestOf({ body: '{}' }), CONTEXT);
    expect(refused.ok ? 'accepted' : refused.error.reason).toMatch(/^(missing_|malformed$)/);
  });

  it.each(SCHEMES)('fails closed for %s: no secret is no permission', async (_, scheme) => {
    const error = { reason: 'misconfigured', detail: 'no secret is set' };
    expect(await verifySignature(scheme, [], requestOf(), CONTEXT)).toEqual({ ok: false, error });
  });

  it.each(SCHEMES)('fails closed for %s: an empty secret refuses all', async (_, scheme) => {
    const error = { reason: 'misconfigured', detail: 'secret 2 of 2 is empty' };
    expect(await verifySignature(scheme, ['user:password', ''], requestOf(), CONTEXT)).toEqual({
      ok: false,
      error,
    });
  });

  it('reports which secret was used', async () => {
    const scheme = schemeOf({ scheme: 'token', in: 'path' });
    const request = requestOf({ pathToken: 'b' });
    expect(await verifySignature(scheme, ['a', 'b'], request, CONTEXT)).toEqual({
      ok: true,
      value: { secretIndex: 1, once: null },
    });
  });

  it('believes everybody only when the scheme says so', async () => {
    const none = schemeOf({ scheme: 'none' });
    expect(await verifySignature(none, [], requestOf(), CONTEXT)).toEqual({
      ok: true,
      value: { secretIndex: null, once: null },
    });
  });
});

describe('whatever a stranger sends', () => {
  const hex = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => encode(bytes, 'hex'));
  const texts = fc.oneof(
    fc.string(),
    hex,
    hex.map((one) => `t=${NOW_SECONDS},v1=${one}`),
    fc.uint8Array({ minLength: 64, maxLength: 72 }).map((bytes) => encode(bytes, 'hex')),
    fc.uint8Array({ minLength: 64, maxLength: 72 }).map((bytes) => encode(bytes, 'base64')),
    fc.constantFrom(NOW_SECONDS, String(NOW), 'Bearer x', 'Basic dTpw', 'a.b.c', 'x'.repeat(20_000)),
  );
  const headers = fc.dictionary(
    fc.constantFrom('X-Signature', 'X-Time', 'X-Token', 'Authorization', 'Paypal-Transmission-Sig'),
    texts,
  );
  const types = fc.constantFrom('application/json', 'application/x-www-form-urlencoded', 'text/plain', '');
  const values = fc.oneof(fc.jsonValue({ maxDepth: 2 }), texts);
  const json = fc.record(
    {
      sig: values,
      id: values,
      token: values,
      list: fc.oneof(
        values,
        fc.array(fc.record({ sig: values, id: values, token: values }, { requiredKeys: [] })),
      ),
      Type: fc.constantFrom('Notification', 'SubscriptionConfirmation'),
      Signature: values,
      SigningCertURL: fc.constantFrom('https://sns.eu-west-1.amazonaws.com/x.pem', 'http://a.example'),
    },
    { requiredKeys: [] },
  );
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 500 }),
    json.map((value) => JSON.stringify(value)),
    fc
      .array(fc.tuple(fc.constantFrom('sig', 'id', 'token'), texts))
      .map((form) => new URLSearchParams(form).toString()),
  );
  const requests = fc.record({
    headers: fc.tuple(headers, types).map(([some, type]) => ({ ...some, 'Content-Type': type })),
    body: bodies,
    url: fc
      .array(fc.tuple(fc.constantFrom('sig', 'hash', 'id', 'token'), texts))
      .map((query) => `https://hooks.example.com/hooks/shop?${new URLSearchParams(query).toString()}`),
    pathToken: fc.string(),
    method: fc.constantFrom('POST', 'PUT', 'GET'),
  });

  it.each(SCHEMES)('is refused by %s, never thrown on', async (_, scheme) => {
    const secrets = [secretFor(scheme)];
    await fc.assert(
      fc.asyncProperty(requests, async (parts) => {
        const refused = await verifySignature(scheme, secrets, requestOf(parts), CONTEXT);
        expect(refused.ok ? 'accepted' : refused.error.reason).not.toMatch(/^(accepted|misconfigured)$/);
      }),
      { numRuns: 150 },
    );
  });

  it.each(SCHEMES)('is refused by %s when its headers are no text', async (_, scheme) => {
    const names = ['X-Signature', 'X-Time', 'X-Token', 'Authorization'];
    const headers = Object.fromEntries(names.map((name) => [name, '\x80ÿé']));
    const refused = await verifySignature(scheme, [secretFor(scheme)], requestOf({ headers }), CONTEXT);
    expect(refused.ok).toBe(false);
  });

  const MEGABYTE = 1_048_576;
  const HUGE = [
    new Uint8Array(MEGABYTE).fill(0xff),
    '['.repeat(MEGABYTE),
    'a&'.repeat(MEGABYTE / 2),
    `{"list":[${'{"sig":"AA"},'.repeat(80_000)}{}]}`,
    JSON.stringify({ sig: 'a'.repeat(1_000_000), token: 'a'.repeat(10_000), id: 1 }),
  ];
  it.each(SCHEMES)('is refused by %s however large it is', async (_, scheme) => {
    for (const body of HUGE) {
      for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
        const request = requestOf({
          body,
          headers: { 'Content-Type': type, 'X-Signature': '00'.repeat(32), 'X-Token': 'a'.repeat(100_000) },
        });
        const refused = await verifySignature(scheme, [secretFor(scheme)], request, CONTEXT);
        expect(refused.ok).toBe(false);
      }
    }
  });
});

describe('several schemes', () => {
  const scheme = schemeOf({
    scheme: 'any',
    of: [
      { scheme: 'basic' },
      { scheme: 'token', in: 'header', name: 'X-Token' },
      { scheme: 'token', in: 'query', name: 'token' },
    ],
  });
  const verify = (parts: Parameters<typeof requestOf>[0]) =>
    verifySignature(scheme, ['user:old', 'user:password'], requestOf(parts), CONTEXT);

  it('are each enough', async () => {
    const accepted = { ok: true, value: { secretIndex: 1, once: null } };
    expect(await verify({ headers: { 'X-Token': 'user:password' } })).toEqual(accepted);
    expect(await verify({ headers: { Authorization: `Basic ${btoa('user:password')}` } })).toEqual(accepted);
    expect(await verify({ url: 'https://a.example/?token=user:password' })).toEqual(accepted);
  });

  it('give the reason of the one that came furthest', async () => {
    expect(await verify({ headers: { 'X-Token': 'x' } })).toEqual({
      ok: false,
      error: {
        reason: 'mismatch',
        detail:
          'none of the schemes basic, token, token accepted it; the closest was token (number 2): the token in header X-Token is none of the 2 accepted',
      },
    });
    expect(await verify({})).toMatchObject({ ok: false, error: { reason: 'missing_field' } });
  });
});

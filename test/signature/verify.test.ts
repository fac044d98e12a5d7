import { generateKeyPairSync } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type VerifyScheme, verifySignature } from '../../src/signature/scheme.ts';
import * as support from './support.ts';

const { contextAt, encode, NOW, NOW_SECONDS, outcome, outcomeInFull, requestOf, schemeOf } = support;

const CONTEXT = contextAt(NOW);

const SIGNED = { header: 'X-Signature', signed: '{ts}{raw_body}', timestamp: { header: 'X-Time' } };
const HEADER = { header: 'X-Signature' };
const TOKEN = { scheme: 'token', in: 'header', name: 'X-Token' };
const DOCUMENTS = [
  { scheme: 'hmac', ...HEADER },
  { scheme: 'hmac', list_separator: ',', key_value_separator: '=', keys: ['v1'], ...SIGNED },
  { scheme: 'hmac', query: 'sig', signed: '{url}{form_sorted}', url_form: 'any_port', body_hash_query: 'h' },
  { scheme: 'hmac', field: 'sig', items: 'list', signed: '{item:id}:{item:value}' },
  { scheme: 'hmac', field: 'sig', signed: '[id:{query:id};]{body:id}' },
  { scheme: 'hash', ...HEADER, signed: '{secret}{method}{url}{raw_body}', url_form: 'percent_decoded' },
  { scheme: 'ed25519', ...SIGNED },
  { scheme: 'ecdsa', ...SIGNED },
  { scheme: 'ecdsa', signature_format: 'raw', ...SIGNED },
  { scheme: 'rsa', format: 'sns' },
  { scheme: 'rsa', format: 'paypal' },
  { scheme: 'rsa', ...SIGNED },
  { scheme: 'jwt', ...HEADER, body_hash_claim: 'sha256' },
  { scheme: 'jwt', in: 'body', algorithm: 'ES256' },
  { scheme: 'basic' },
  TOKEN,
  { ...TOKEN, prefix: 'Bearer ', prefix_optional: true },
  { scheme: 'token', in: 'query', name: 'token' },
  { scheme: 'token', in: 'path' },
  { scheme: 'token', in: 'body', name: 'token' },
  { scheme: 'token', in: 'body', name: 'token', items: 'list' },
  { scheme: 'any', of: [{ scheme: 'hmac', ...HEADER }, TOKEN] },
];
const SCHEMES = DOCUMENTS.map((document) => [JSON.stringify(document), schemeOf(document)] as const);

const ED25519_KEY = encode(new Uint8Array(32).fill(0x58).with(31, 0x66), 'hex');
const ECDSA_KEY =
  'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEDr2LjtURuePQzplybdC+u4CwrqDqBaWjcMMsTbhdbcwHBcepxo7yAQGhHPTnlvFYPAZFceEu/1FwCM/QmGUhA==';
const RSA_PAIR = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const RSA_KEY = JSON.stringify(RSA_PAIR.publicKey.export({ format: 'jwk' }));

/** A secret of the kind that the scheme wants. */
function secretFor(scheme: VerifyScheme): string {
  if (scheme.scheme === 'ed25519') return ED25519_KEY;
  if (scheme.scheme === 'ecdsa' || (scheme.scheme === 'jwt' && scheme.in === 'body')) return ECDSA_KEY;
  if (scheme.scheme === 'rsa' && 'signed' in scheme) return RSA_KEY;
  const isTopic = scheme.scheme === 'rsa' && scheme.format === 'sns';
  return isTopic ? 'arn:aws:sns:eu-west-1:123456789012:shop' : 'user:password';
}

/** The outcome of a request with the one secret of the scheme. */
const given = async (scheme: VerifyScheme, parts: Parameters<typeof requestOf>[0]) =>
  outcome(await verifySignature(scheme, [secretFor(scheme)], requestOf(parts), CONTEXT));

it.each(SCHEMES)(
  'fails closed: a bare request is refused, and so is each without a secret: %s',
  async (...row) => {
    const [, scheme] = row;
    expect(await given(scheme, { body: '{}' })).toMatch(/^(missing_|malformed$)/);
    const said = async (...secrets: string[]) =>
      outcomeInFull(await verifySignature(scheme, secrets, requestOf(), CONTEXT));
    expect(await said()).toBe('misconfigured: no secret is set');
    expect(await said('user:password', '')).toBe('misconfigured: secret 2 of 2 is empty');
  },
);

const accepted = (secret: number | null) => ({ ok: true, value: { secret, once: null } });

it('reports which secret was used, and believes everybody only when the scheme says so', async () => {
  const path = schemeOf({ scheme: 'token', in: 'path' });
  const request = requestOf({ pathToken: 'b' });
  expect(await verifySignature(path, ['a', 'b'], request, CONTEXT)).toEqual(accepted(1));
  const none = schemeOf({ scheme: 'none' });
  expect(await verifySignature(none, [], requestOf(), CONTEXT)).toEqual(accepted(null));
});

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
const fields = { sig: values, id: values, token: values };
const list = fc.oneof(values, fc.array(fc.record(fields, { requiredKeys: [] })));
const Type = fc.constantFrom('Notification', 'SubscriptionConfirmation');
const SigningCertURL = fc.constantFrom('https://sns.eu-west-1.amazonaws.com/x.pem', 'http://a.example');
const json = fc.record({ ...fields, list, Type, Signature: values, SigningCertURL }, { requiredKeys: [] });
const form = fc.array(fc.tuple(fc.constantFrom('sig', 'h', 'id', 'token'), texts));
const bodies = fc.oneof(
  fc.uint8Array({ maxLength: 500 }),
  json.map((value) => JSON.stringify(value)),
  form.map((some) => new URLSearchParams(some).toString()),
);
const requests = fc.record({
  headers: fc.tuple(headers, types).map(([some, type]) => ({ ...some, 'Content-Type': type })),
  body: bodies,
  url: form.map((some) => `https://hooks.example.com/hooks/shop?${new URLSearchParams(some).toString()}`),
  pathToken: fc.string(),
  method: fc.constantFrom('POST', 'PUT', 'GET'),
});

it.each(SCHEMES)('whatever a stranger sends is refused by %s, never thrown on', async (_, scheme) => {
  await fc.assert(
    fc.asyncProperty(requests, async (parts) => {
      expect(await given(scheme, parts)).not.toMatch(/^(accepted|misconfigured)$/);
    }),
  );
});

const MEGABYTE = 1_048_576;
const HUGE = [
  new Uint8Array(MEGABYTE).fill(0xff),
  '['.repeat(MEGABYTE),
  'a&'.repeat(MEGABYTE / 2),
  `{"list":[${'{"sig":"AA"},'.repeat(80_000)}{}]}`,
  JSON.stringify({ sig: 'a'.repeat(1_000_000), token: 'a'.repeat(10_000), id: 1 }),
];
it.each(SCHEMES)('whatever a stranger sends is refused by %s however large it is', async (_, scheme) => {
  const sent = { 'X-Signature': '00'.repeat(32), 'X-Token': 'a'.repeat(100_000) };
  for (const body of HUGE) {
    for (const type of ['application/json', 'application/x-www-form-urlencoded'])
      expect(await given(scheme, { body, headers: { ...sent, 'Content-Type': type } })).not.toBe('accepted');
  }
});

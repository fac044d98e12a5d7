import * as support from '../support.ts';
import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { expect, it } from 'vitest';
import type { VerifyContext } from '../../../src/signature/certificates/fetched.ts';
import { verifySignature } from '../../../src/signature/scheme.ts';

const { bytesOf, contextAt, encode, NOW, NOW_SECONDS, outcomeInFull, problemsOf, schemeOf } = support;

const newRsa = (modulusLength = 2_048) => generateKeyPairSync('rsa', { modulusLength });
const ES256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const [RS256, other] = [newRsa(), newRsa()];
const PAIRS = { RS256, ES256, EdDSA: generateKeyPairSync('ed25519') };
const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'] as const;
const { publicKey: key } = RS256;

const pem = (key: KeyObject, type: 'spki' | 'pkcs1' = 'spki') =>
  key.export({ type, format: 'pem' }).toString();
const privatePem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' });
const jwk = (key: KeyObject, more: object = {}) => ({ ...key.export({ format: 'jwk' }), ...more });
const BODY = '{"id":"evt_1"}\r\n';
const CONTENT = bytesOf(`${NOW_SECONDS}.${BODY}`);
const SIGNED = encode(sign('sha256', CONTENT, RS256.privateKey), 'base64');
const RSA = { scheme: 'rsa', header: 'X-S', signed: '{ts}.{raw_body}', timestamp: { header: 'X-T' } };

const STANDARD: { secrets?: string[]; body?: string; context?: VerifyContext } = {};
async function given(document: object, header: string, options = STANDARD) {
  const { secrets = [], body = BODY, context = contextAt(NOW) } = options;
  const request = support.requestOf({ body, headers: { 'X-S': header, 'X-T': NOW_SECONDS } });
  return outcomeInFull(await verifySignature(schemeOf(document), secrets, request, context));
}

/** Keys at an address of their own, since keys are kept in memory, and the context that finds them. */
const issuer = (...keys: object[]) => ({
  jwks: `https://keys-${randomUUID()}.example.com/jwks.json`,
  context: { now: NOW, fetch: async () => Response.json({ keys }) },
});

it('a signature of RSA over a signed text is taken by a key in each form and place, and in none when anything differs', async () => {
  const lines = pem(key);
  const texts = [lines, pem(key, 'pkcs1'), lines.replaceAll('\n', ' '), lines.replaceAll('\n', '\\n')];
  for (const text of [...texts, JSON.stringify(jwk(key)), jwk(key)])
    expect(await given({ ...RSA, key: text }, SIGNED)).toBe('accepted');
  for (const text of [...texts, JSON.stringify(jwk(key))])
    expect(await given(RSA, SIGNED, { secrets: [pem(other.publicKey), text] })).toBe('accepted');
  const { jwks: address, context } = issuer(jwk(other.publicKey), jwk(ES256.publicKey), jwk(key));
  expect(await given({ ...RSA, jwks: address }, SIGNED, { context })).toBe('accepted');
  const flipped = encode(support.withBitFlipped(bytesOf(atob(SIGNED)), 9, 1), 'base64');
  const pss = sign('sha256', CONTENT, { key: privatePem(RS256.privateKey), padding: 6 });
  const others = [pss, sign('sha1', CONTENT, RS256.privateKey), sign('sha256', CONTENT, other.privateKey)];
  const source = { ...RSA, key: lines };
  for (const text of [flipped, ...others.map((one) => one.toString('base64'))])
    expect(await given(source, text)).not.toBe('accepted');
  const inField = { ...source, header: undefined, field: 'sig', signed: '{ts}.{body:id}' };
  const sig = encode(sign('sha256', bytesOf(`${NOW_SECONDS}.evt_1`), RS256.privateKey), 'base64');
  expect(await given(inField, '', { body: JSON.stringify({ id: 'evt_1', sig }) })).toBe('accepted');
  expect(await given(source, SIGNED, { body: `${BODY} ` })).toMatch(/^mismatch: .*checked with 1 key/);
  expect(await given(source, SIGNED, { context: contextAt(NOW + 301_000) })).toMatch(/^stale/);
  expect(await given(source, 'AAAA')).toMatch(/^malformed: .*of at least 256 bytes/);
  expect(await given(RSA, SIGNED, { secrets: ['no key'] })).toMatch(/^misconfigured: secret 1 of 1 is not/);
});

const hmacOf = (content: string, secret: string): string =>
  `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
const segment = (value: object) => encode(bytesOf(JSON.stringify(value)), 'base64url');
const CLAIMS = { iat: NOW / 1_000, sha: createHash('sha256').update(BODY).digest('hex') };

/** A token that is signed by the key of `by`, whatever its header says. */
function tokenOf(by: keyof typeof PAIRS, header: object = {}, claims: object = CLAIMS): string {
  const content = `${segment({ alg: by, ...header })}.${segment(claims)}`;
  const key = { key: privatePem(PAIRS[by].privateKey), dsaEncoding: 'ieee-p1363', padding: 1 } as const;
  const signature = sign(by === 'EdDSA' ? null : 'sha256', bytesOf(content), key);
  return `${content}.${signature.toString('base64url')}`;
}
const JWT = { scheme: 'jwt', header: 'X-S', body_hash_claim: 'sha' };

it.each(ALGORITHMS)(
  'a token of %s is taken by a key in the document, of a secret or at an address, and never by what it says itself',
  async (algorithm) => {
    const { publicKey } = PAIRS[algorithm];
    const { jwks, context } = issuer(jwk(publicKey, { kid: 'k1' }));
    const source = { ...JWT, algorithm, key: pem(publicKey) };
    const token = tokenOf(algorithm, { kid: 'k1' });
    expect(await given(source, token)).toBe('accepted');
    expect(await given({ ...source, key: jwk(publicKey) }, token)).toBe('accepted');
    expect(await given({ ...JWT, algorithm }, token, { secrets: [pem(publicKey)] })).toBe('accepted');
    expect(await given({ ...JWT, algorithm, jwks }, token, { context })).toBe('accepted');
    expect(await given({ ...JWT, algorithm, jwks }, tokenOf(algorithm), { context })).toBe('accepted');
    expect(await given(source, token, { body: '{}' })).toMatch(/^mismatch/);
    expect(await given(source, tokenOf(algorithm, {}, { ...CLAIMS, exp: 1 }))).toMatch(/^stale/);
    // Everybody has the public key, so it must be no secret of HMAC.
    const [head, claims] = [segment({ alg: 'HS256' }), segment(CLAIMS)];
    const forged = hmacOf(`${head}.${claims}`, pem(publicKey));
    expect(await given(source, forged)).toMatch(/^mismatch: the token's `alg`/);
    for (const secret of [pem(publicKey), JSON.stringify(jwk(publicKey))])
      expect(await given(JWT, hmacOf(`${head}.${claims}`, secret), { secrets: [secret] })).toMatch(
        /^misconfigured: .*is a public key/,
      );
    for (const alg of ['none', 'HS256', 'ES384', ...ALGORITHMS.filter((one) => one !== algorithm)])
      expect(await given(source, tokenOf(algorithm, { alg })), alg).toMatch(/^mismatch/);
    expect(await given(source, `${segment({ alg: algorithm })}.${claims}.`)).toMatch(/^mismatch/);
  },
);

it('a token that is the whole body is verified as it came, also if it is longer than one of a header', async () => {
  const document = { scheme: 'jwt', in: 'body', algorithm: 'RS256', key: pem(RS256.publicKey) };
  const body = tokenOf('RS256', {}, { data: 'x'.repeat(9_000) });
  expect(await given(document, '', { body })).toBe('accepted');
  for (const changed of [`${body}\n`, body.slice(0, -4), '{}', ''])
    expect(await given(document, '', { body: changed })).toMatch(/^(mismatch|malformed)/);
});

const jwks = 'https://api.example.com/jwks.json';

it.each<[object, RegExp]>([
  [{ ...RSA, key: 'hello' }, /^key: is not a public key.*Copy the sender's whole block/],
  [{ ...RSA, key: pem(ES256.publicKey) }, /^key: is not a public key for RS256, which needs RSA/],
  [{ ...RSA, key: pem(newRsa(1_024).publicKey) }, /^key: .*at least 2048 bits/],
  [{ ...RSA, key: privatePem(RS256.privateKey) }, /^key: is a private key/],
  [{ ...RSA, key: jwk(RS256.privateKey) }, /^key: is a private key/],
  [{ ...RSA, key: 5 }, /^key: must be a public key: a PEM, or a JWK/],
  [{ ...RSA, key: pem(key), jwks }, /^jwks: cannot be used together with `key`: leave one/],
  [{ ...RSA, jwks: 'http://api.example.com/keys' }, /^jwks: must be a plain https address/],
  [{ ...RSA, jwks: 'https://10.0.0.8/keys' }, /^jwks: must be a public address, but 10\.0\.0\.8 .*own host/],
  [{ ...RSA, jwks: 'https://localhost/keys' }, /^jwks: must be a public address/],
  [{ ...RSA, signed: '{ts}', key: pem(key) }, /^signed: does not cover the body/],
  [{ scheme: 'rsa', format: 'sns', key: pem(key) }, /^: unknown key `key`/],
  [{ ...JWT, key: pem(key) }, /^algorithm: must be RS256, ES256 or EdDSA with `key`/],
  [{ ...JWT, algorithm: 'PS256', key: pem(key) }, /^algorithm: must be one of HS256/],
  [{ ...JWT, algorithm: 'EdDSA', key: pem(key) }, /^key: is not a public key for EdDSA, which needs Ed25519/],
  [{ ...JWT, algorithm: 'RS256', key: jwk(key, { alg: 'PS256' }) }, /^key: is not a public key for RS256/],
  [{ ...JWT, in: 'body', unsigned_body: true, header: undefined }, /^body_hash_claim: has no effect.*\n?/],
  [{ scheme: 'jwt', unsigned_body: true }, /^header: is required, except with `in: body`/],
])('refuses %j at publish, with what is wrong and how to mend it', (document, problem) => {
  expect(problemsOf(document)[0]).toMatch(problem);
});

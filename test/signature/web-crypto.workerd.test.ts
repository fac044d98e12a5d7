import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { expect, it, vi } from 'vitest';
import { hmacAlgorithm, verifySigned } from '../../src/signature/schemes/signed.ts';
import { event, post, publish, receiptOf } from '../integration/relay.ts';
import { by, hexBytes, hmacOf, NOW, outcome, requestOf } from './support.ts';

const LARGE_KEY = 'Test Using Larger Than Block-Size Key - Hash Key First';
const LARGE_BOTH = 'Test Using Larger Than Block-Size Key and Larger Than One Block-Size Data';
const KEY_OF_25 = '0102030405060708090a0b0c0d0e0f10111213141516171819';
const ofBytes = (byte: string, count: number) => hexBytes(byte.repeat(count));

// What the Web Crypto of Node does not: it has no MD5.
it('HMAC-MD5 is that of RFC 2202 §2, and none that is changed or shorter passes', async () => {
  const scheme = hmacOf({ header: 'X-Signature', algorithm: 'md5', secret_encoding: 'hex' });
  const rows: readonly (readonly [key: string, data: string | Uint8Array, digest: string])[] = [
    ['0b'.repeat(16), 'Hi There', '9294727a3638bb1c13f48ef8158bfc9d'],
    ['4a656665', 'what do ya want for nothing?', '750c783e6ab0b503eaa86e310a5db738'],
    ['aa'.repeat(16), ofBytes('dd', 50), '56be34521d144c88dbb8c733f0e8b3f6'],
    [KEY_OF_25, ofBytes('cd', 50), '697eaf0aca3a3aea3a75164746ffaa79'],
    ['0c'.repeat(16), 'Test With Truncation', '56461ef2342edc00f9bab995690efd4c'],
    ['aa'.repeat(80), LARGE_KEY, '6b1ab7fe4bd7bf8f0b62e6ce61b9d0cd'],
    ['aa'.repeat(80), LARGE_BOTH, '6f630fad67cda0ee1fb1f562db3aa53e'],
  ];
  for (const [key, body, digest] of rows) {
    const given = (signature: string) =>
      verifySigned(scheme, hmacAlgorithm(scheme), {
        secrets: [key],
        request: requestOf({ body, headers: { 'X-Signature': signature } }),
        now: NOW,
      });
    expect(await given(digest), digest).toEqual(by(0));
    const changed = digest.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    expect(outcome(await given(changed)), changed).toBe('mismatch');
    // RFC 2104 allows truncated ones; no sender is known that sends them, and each bit less makes guessing easier.
    expect(outcome(await given(digest.slice(0, 24))), digest).toBe('malformed');
  }
});

const TEXT = { 'content-type': 'text/plain' };
const JWKS = 'https://keys.example.com/jwks.json';

/** A new key of this kind: its public half, and tokens. */
async function signer(alg: 'ES256' | 'EdDSA') {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const token = (claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader({ alg, kid: 'k1' }).sign(privateKey);
  return { token, jwk: { ...(await exportJWK(publicKey)), kid: 'k1' } };
}

it('a token in a header is taken by the keys at its address, and is to be sent again while they cannot be had; one that is the body is taken by the key in the document, and is its claims', async () => {
  const [es256, eddsa] = [await signer('ES256'), await signer('EdDSA')];
  const real = globalThis.fetch;
  const served = [() => new Response('', { status: 502 }), () => Response.json({ keys: [es256.jwk] })];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) =>
    input === JWKS ? (served.shift()?.() ?? Response.error()) : real(input, init),
  );
  const of = { scheme: 'jwt', algorithm: 'ES256' };
  const byAddress = { ...of, header: 'X-Token', jwks: JWKS, body_hash_claim: 'h' };
  const byKey = { scheme: 'jwt', in: 'body', algorithm: 'EdDSA', key: eddsa.jwk };
  await publish({ sources: { plaid: { verify: byAddress }, wix: { verify: byKey } } });
  const h = createHash('sha256').update('{}').digest('hex');
  const header = { 'content-type': 'application/json', 'x-token': await es256.token({ h }) };
  expect((await post('plaid', '{}', header)).status).toBe(503);
  vi.setSystemTime(Date.now() + 5_000);
  expect((await post('plaid', '{}', header)).status).toBe(202);
  expect((await post('plaid', '{"a":1}', header)).status).toBe(401);
  const claims = { type: 'paid', data: 'ä' };
  const { event: id } = await receiptOf(post('wix', await eddsa.token(claims), TEXT));
  expect(await event(id)).toMatchObject({ type: 'paid', payload: claims });
  expect((await post('wix', await es256.token(claims), TEXT)).status).toBe(401);
});

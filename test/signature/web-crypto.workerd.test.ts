import { expect, it } from 'vitest';
import { jwksKey } from '../../src/signature/certificates/jwks.ts';
import { verifyHmac } from '../../src/signature/schemes/hmac.ts';
import { by, hexBytes, hmacOf, NOW, outcome, requestOf } from './support.ts';

const LARGE_KEY = 'Test Using Larger Than Block-Size Key - Hash Key First';
const LARGE_BOTH = 'Test Using Larger Than Block-Size Key and Larger Than One Block-Size Data';
const KEY_OF_25 = '0102030405060708090a0b0c0d0e0f10111213141516171819';
const ofBytes = (byte: string, count: number) => hexBytes(byte.repeat(count));

// What the Web Crypto of Node does not: it has no MD5, and takes every text for the numbers of a key.
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
      verifyHmac(scheme, [key], requestOf({ body, headers: { 'X-Signature': signature } }), NOW);
    expect(await given(digest), digest).toEqual(by(0));
    const changed = digest.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    expect(outcome(await given(changed)), changed).toBe('mismatch');
    // RFC 2104 allows truncated ones; no sender is known that sends them, and each bit less makes guessing easier.
    expect(outcome(await given(digest.slice(0, 24))), digest).toBe('malformed');
  }
});

const fetch = async () => Response.json({ keys: [{ kid: 'k1', kty: 'RSA', n: '!', e: 'AQAB' }] });

it('a key of an issuer that is none is not used', async () => {
  const key = await jwksKey('https://issuer.example/certs', 'k1', { now: NOW, fetch });
  expect(key).toMatchObject({ ok: false, error: { asked: true } });
});

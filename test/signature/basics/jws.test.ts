import * as fc from 'fast-check';
import { generateKeyPair, jwtVerify, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { readJws, verifiedClaims } from '../../../src/signature/schemes/jwt.ts';
import { encode, NOW } from '../support.ts';

type Algorithm = 'HS256' | 'HS384' | 'HS512' | 'RS256';

const SECRET = new TextEncoder().encode('a-secret-of-thirty-two-characters');
const HASHES = { HS256: 'SHA-256', HS384: 'SHA-384', HS512: 'SHA-512' } as const;
const SECONDS = NOW / 1_000;
const RULES = { issuer: 'me', audiences: ['you', 'them'], require_exp: true, tolerance: 30_000 };
const CLAIMS = { iss: 'me', aud: 'you', exp: SECONDS + 60, nbf: SECONDS - 60, iat: SECONDS, text: 'ä😀' };

let rsa: CryptoKeyPair;

beforeAll(async () => {
  rsa = await generateKeyPair('RS256');
});

const signingKey = (algorithm: Algorithm): CryptoKey | Uint8Array =>
  algorithm === 'RS256' ? rsa.privateKey : SECRET;

const keyOf = async (algorithm: Algorithm): Promise<CryptoKey> =>
  algorithm === 'RS256' ? rsa.publicKey : hmacKey(HASHES[algorithm], 'verify');

const sign = async (algorithm: Algorithm): Promise<string> =>
  new SignJWT({ ...CLAIMS }).setProtectedHeader({ alg: algorithm, kid: 'k' }).sign(signingKey(algorithm));

/** The claims, or the reason why there are none; `mismatch` when the key is another. */
async function read(token: string, algorithm: Algorithm, key: CryptoKey) {
  const jws = readJws(token, algorithm);
  if (!jws.ok) return jws.error.code;
  const verified = await verifiedClaims(jws.value, [key], RULES, NOW);
  if (verified === null) return 'mismatch';
  return verified.ok ? verified.value.claims : verified.error.code;
}

/** Reads the token with jose: returns its claims, or null. */
const readByJose = async (token: string, algorithm: Algorithm, key: CryptoKey) =>
  jwtVerify(token, key, {
    algorithms: [algorithm],
    issuer: RULES.issuer,
    audience: RULES.audiences,
    requiredClaims: ['exp'],
    currentDate: new Date(NOW),
    clockTolerance: RULES.tolerance / 1_000,
  }).then(
    ({ payload }) => payload,
    () => null,
  );

const ALGORITHMS = ['HS256', 'HS384', 'HS512', 'RS256'] as const;
const segment = (value: unknown): string =>
  encode(new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value)), 'base64url');

describe.each(ALGORITHMS)('a token of %s', (algorithm) => {
  it('with other claims is accepted when jose accepts it, and only then', async () => {
    const key = await keyOf(algorithm);
    const time = fc.oneof(
      fc.integer({ min: -40, max: 40 }).map((off) => SECONDS + off),
      fc.constantFrom(null, 'soon', true, SECONDS + 0.5, -1, 1e300),
    );
    const name = fc.oneof(fc.constantFrom('me', 'you', 'them', ''), fc.constantFrom(null, 5, {}, [], ['me']));
    const names = fc.oneof(name, fc.array(name, { maxLength: 3 }));
    const iss = fc.oneof({ arbitrary: fc.constant('me'), weight: 4 }, name);
    const claims = fc.record({ iss, aud: names, exp: time, nbf: time, iat: time }, { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(claims, async (some) => {
        const token = await signed(algorithm, { alg: algorithm }, some);
        const ours = await read(token, algorithm, key);
        const theirs = await readByJose(token, algorithm, key);
        expect(typeof ours === 'string' ? null : ours).toEqual(theirs);
      }),
    );
  });

  it('that was changed is accepted only if jose accepts it, with the same claims', async () => {
    const key = await keyOf(algorithm);
    const token = await sign(algorithm);
    const odd = fc.oneof(
      fc.constantFrom(...'. = + / - _ \n A é'.split(' '), ' '),
      fc.constantFrom('', 'AAAA', '.AAAA', 'eyJ9'),
    );
    const change = fc.tuple(fc.nat(token.length), fc.nat(3), odd);
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 2 }), async (changes) => {
        const changed = changes.reduce(
          (text, [at, taken, put]) => `${text.slice(0, at)}${put}${text.slice(at + taken)}`,
          token,
        );
        const ours = await read(changed, algorithm, key);
        if (typeof ours !== 'string') expect(await readByJose(changed, algorithm, key)).toEqual(ours);
        if (changed !== token) expect(typeof ours).toBe('string');
      }),
    );
  });

  it('that is signed right, with whatever in it, is accepted only if jose accepts it, with the same claims', async () => {
    const key = await keyOf(algorithm);
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom<unknown>('{"a":1', '\uFEFF{}', '[]', '"x"', '{}x'),
    );
    const extra = fc.dictionary(fc.constantFrom('crit', 'b64', 'kid', 'typ', 'alg'), fc.jsonValue());
    const header = fc.oneof(
      value,
      extra.map((more): unknown => ({ alg: algorithm, ...more })),
    );
    const claims = fc.oneof(
      value,
      fc.dictionary(fc.string(), fc.jsonValue()).map((more): unknown => ({ ...more, ...CLAIMS })),
    );
    await fc.assert(
      fc.asyncProperty(header, claims, async (head, body) => {
        const token = await signed(algorithm, head, body);
        const ours = await read(token, algorithm, key);
        if (typeof ours !== 'string') expect(await readByJose(token, algorithm, key)).toEqual(ours);
      }),
    );
  });
});

const hmacKey = (hash: string, usage: 'sign' | 'verify', secret = SECRET) =>
  crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash }, false, [usage]);

/** Signs a content, whatever is in it. */
async function signedText(content: string, key: CryptoKey): Promise<string> {
  const signature = await crypto.subtle.sign(key.algorithm.name, key, new TextEncoder().encode(content));
  return `${content}.${encode(new Uint8Array(signature), 'base64url')}`;
}

/** A token of whatever is in it. Texts stand for themselves, so that they need not be JSON. */
async function signed(algorithm: Algorithm, header: unknown, claims: unknown): Promise<string> {
  const key = algorithm === 'RS256' ? rsa.privateKey : await hmacKey(HASHES[algorithm], 'sign');
  return signedText(`${segment(header)}.${segment(claims)}`, key);
}

/** As lenient as the platform is. */
const decodeBase64 = (token: string): string =>
  atob((token.split('.')[2] ?? '').replaceAll('-', '+').replaceAll('_', '/'));

const refused = async (token: string) => read(token, 'HS256', await keyOf('HS256'));

it('a token is refused that has bytes in it that are no UTF-8, or an order of bytes before it', async () => {
  const bytes = Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d);
  const content = `${segment({ alg: 'HS256' })}.${encode(bytes, 'base64url')}`;
  expect(await refused(await signedText(content, await hmacKey('SHA-256', 'sign')))).toBe('malformed');
  expect(await refused(await signed('HS256', { alg: 'HS256' }, '\uFEFF{}'))).toBe('malformed');
});

it('a token is refused that has a signature in another of the texts that mean its bytes', async () => {
  const token = await sign('HS256');
  const last = token.charCodeAt(token.length - 1);
  const other = `${token.slice(0, -1)}${String.fromCharCode(last + 1)}`;
  expect(decodeBase64(other)).toEqual(decodeBase64(token));
  expect(await refused(other)).toBe('malformed');
  expect(await refused(`${token}=`)).toBe('malformed');
});

it('a token is refused that names its algorithm in its prototype', async () => {
  expect(await refused(await signed('HS256', '{"__proto__":{"alg":"HS256"}}', CLAIMS))).toBe('mismatch');
});

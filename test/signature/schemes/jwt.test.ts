import { createHash, createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { jwtSchema, verifyJwt } from '../../../src/signature/schemes/jwt.ts';
import { contextAt, encode, NOW, outcome, requestOf } from '../support.ts';

const SECRET = 'a-secret-of-the-app';
const BODY = '{"id":"evt_1"}';
const SECONDS = NOW / 1_000;
const ADDRESS = 'https://hooks.example.com/hooks/shop?tenant=7';
const HS256 = { alg: 'HS256', typ: 'JWT' };

const segment = (value: unknown): string =>
  encode(new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value)), 'base64url');

interface TokenParts {
  readonly header?: unknown;
  readonly secret?: string;
  readonly hash?: 'sha256' | 'sha384' | 'sha512';
}

/** A token made by hand. Texts stand for themselves, so that they need not be JSON. */
function tokenOf(claims: unknown, { header = HS256, secret = SECRET, hash = 'sha256' }: TokenParts = {}) {
  const content = `${segment(header)}.${segment(claims)}`;
  return `${content}.${encode(createHmac(hash, secret).update(content).digest(), 'base64url')}`;
}
const sha256 = (body: string | Uint8Array) => createHash('sha256').update(body).digest('hex');

const jwtOf = (options: object = {}) =>
  jwtSchema.parse({ scheme: 'jwt', header: 'X-Token', unsigned_body: true, ...options });
const BARE = jwtOf();
const BY_HASH = jwtOf({ body_hash_claim: 'sha256', unsigned_body: undefined });

interface Options {
  readonly scheme?: typeof BARE;
  readonly secrets?: readonly string[];
  readonly now?: number;
  readonly body?: string | Uint8Array;
  readonly registeredUrl?: string | null;
}

function verify(token: string, options: Options = {}) {
  const { scheme = BARE, secrets = [SECRET], now = NOW, body = BODY, registeredUrl = ADDRESS } = options;
  const request = requestOf({ body, registeredUrl, url: ADDRESS, headers: { 'X-Token': token } });
  return verifyJwt(scheme, { ...contextAt(now), secrets, request });
}
const said = async (token: string, options?: Options) => outcome(await verify(token, options));
/** The outcome for a token with these claims that is signed right. */
const of = (claims: unknown, options?: Options) => said(tokenOf(claims), options);

it('a token has a prefix, in upper or lower case, exactly where the source says so', async () => {
  const token = tokenOf({});
  const needed = { scheme: jwtOf({ prefix: 'Bearer ' }) };
  const optional = { scheme: jwtOf({ prefix: 'Bearer ', prefix_optional: true }) };
  for (const prefix of ['Bearer ', 'bearer ', 'BEARER  '])
    expect(await said(`${prefix}${token}`, needed)).toBe('accepted');
  for (const prefix of ['Bearer ', '']) expect(await said(`${prefix}${token}`, optional)).toBe('accepted');
  for (const text of [token, `Token ${token}`]) expect(await said(text, needed)).toBe('malformed');
  expect(await said('Bearer ', optional)).not.toBe('accepted');
  expect(await said(`Bearer ${token}`)).toBe('malformed');
});

it('a token that is older than `max_age`, or says no time, is refused', async () => {
  const scheme = jwtOf({ max_age: '5m' });
  const ages = [0, 300, 301].map((age) => ({ iat: SECONDS - age }));
  const claims = [...ages, {}, { iat: 'now' }];
  const expected = ['accepted', 'accepted', 'stale', 'missing_field', 'malformed'];
  expect(await Promise.all(claims.map((one) => of(one, { scheme })))).toEqual(expected);
});

it('a token does not choose its algorithm, and least of all none, in whatever case', async () => {
  for (const alg of ['none', 'None', 'NONE'])
    expect(await said(`${segment({ alg })}.${segment({})}.`)).toBe('mismatch');
  const others = [
    'none',
    'RS256',
    'HS512',
    'hs256',
    'HS256 ',
    '',
    5,
    null,
    ['HS256'],
    undefined,
    '__proto__',
  ];
  for (const alg of others)
    expect(await said(tokenOf({}, { header: { alg } })), String(alg)).toBe('mismatch');
});

it('a token that is none is refused, and one that is longer than 8 KiB', async () => {
  const [header = '', claims = '', signature = ''] = tokenOf({}).split('.');
  const whole = `${header}.${claims}.${signature}`;
  const cut = [header, `${header}.${claims}`, `${whole}.x`, `${whole}.x.y`, `.${claims}.${signature}`];
  const other = [`${whole}=`, `${header}.${claims}.+/+/`, `${whole}, ${whole}`, `${header}..${signature}`];
  const headers = ['alg', ['HS256'], null].map((one) => tokenOf({}, { header: one }));
  const bodies = ['claims', [1], null, '"text"', { filler: 'x'.repeat(8_192) }].map((one) => tokenOf(one));
  for (const token of [...cut, ...other, ...headers, ...bodies])
    expect(await said(token), token).toBe('malformed');
  const long = tokenOf({ filler: 'x'.repeat(6_040) });
  expect([long.length > 8_100, long.length <= 8_192, await said(long)]).toEqual([true, true, 'accepted']);
});

it('the times of a token are kept within the tolerance', async () => {
  for (const claims of [{ exp: -299 }, { nbf: 300 }, { iat: 300 }])
    expect(await of(shifted(claims))).toBe('accepted');
  for (const claims of [{ exp: -300 }, { nbf: 301 }, { iat: 301 }, { iat: 300.001 }])
    expect(await of(shifted(claims)), JSON.stringify(claims)).toBe('stale');
  expect(await of({ exp: SECONDS + 1 }, { now: NOW + 301_000 })).toBe('stale');
  expect(await of('{"iat":1e999}')).toBe('stale');
  expect(await of({ iat: 0 })).toBe('accepted');
});

/** Claims of times, from seconds from now. */
const shifted = (claims: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(claims).map(([name, seconds]) => [name, SECONDS + seconds]));

const BY_URL = jwtOf({ audience: 'url' });

it('the audience of a token is the one that the source names, and then no other, or its address, alone or in a list, or left out', async () => {
  const scheme = jwtOf({ audience: 'hookbell' });
  for (const aud of ['hookbell', ['another', 'hookbell']])
    expect(await of({ aud }, { scheme })).toBe('accepted');
  expect(await of({ aud: 'another' }, { scheme })).toBe('mismatch');
  expect(await of({}, { scheme })).toBe('missing_field');
  const same = [`${ADDRESS}#part`, ADDRESS.replace('hooks.example.com', 'HOOKS.example.com:443')];
  for (const aud of [ADDRESS, ...same, ['https://other.example', ADDRESS]])
    expect(await of({ aud }, { scheme: BY_URL })).toBe('accepted');
  expect(await of({}, { scheme: BY_URL })).toBe('accepted');
  expect(await of({ aud: 'https://other.example' }, { registeredUrl: null })).toBe('accepted');
});

it('the audience of a token is never compared with the address of the request, whose host its sender chose, and refused with any other part, or with no address', async () => {
  const registeredUrl = 'https://relay.example/shop';
  expect(await of({ aud: registeredUrl }, { scheme: BY_URL, registeredUrl })).toBe('accepted');
  expect(await of({ aud: ADDRESS }, { scheme: BY_URL, registeredUrl })).toBe('mismatch');
  for (const claims of [{ aud: ADDRESS }, {}])
    expect(await of(claims, { scheme: BY_URL, registeredUrl: null })).toBe('misconfigured');
  const changes = [
    ['https', 'http'],
    ['.com', '.org'],
    ['.com', '.com:8443'],
    ['shop', 'shop/'],
    ['7', '8'],
    ['?tenant=7', ''],
  ] as const;
  const others = changes.map(([from, to]) => ADDRESS.replace(from, to));
  for (const aud of [...others, 'hooks.example.com', '', null, 5, [], [[ADDRESS]], { url: ADDRESS }])
    expect(await of({ aud }, { scheme: BY_URL }), JSON.stringify(aud)).toBe('mismatch');
});

const hashed = (hash: unknown, body: string | Uint8Array) => of({ sha256: hash }, { scheme: BY_HASH, body });

it('the hash of the body is of the raw bytes, in hex of either case, and nothing but 64 digits', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), async (body) => {
      expect(await hashed(sha256(body), body)).toBe('accepted');
      expect(await hashed(sha256(body).toUpperCase(), body)).toBe('accepted');
      expect(await hashed(sha256(body), Uint8Array.of(...body, 1))).toBe('mismatch');
    }),
  );
  expect(await of({}, { scheme: BY_HASH })).toBe('missing_field');
  const hash = sha256('a');
  for (const other of [null, 5, '', 'a', [hash], hash.slice(2), `${hash}00`, `0x${hash.slice(2)}`])
    expect(await hashed(other, 'a'), String(other)).toBe('malformed');
});

const scheme = jwtOf({ issuer: 'x', audience: 'url', body_hash_claim: 'sha256', require_exp: true });

it('whatever is sent a refusal shows neither the token nor a secret', async () => {
  const token = tokenOf({ sub: 'someone', iss: 'somewhere' }, { secret: 'another' });
  const refusals = JSON.stringify([
    await verify(token),
    await verify(token, { secrets: ['another'], scheme }),
    await verify(tokenOf({ exp: 1 })),
  ]);
  for (const text of [SECRET, 'another', 'someone', 'somewhere', token]) expect(refusals).not.toContain(text);
});

const once = async (claims: object, scheme = BARE) => {
  const verified = await verify(tokenOf(claims), { scheme });
  return verified.ok ? verified.value.once : verified.error.code;
};

it('a token with an id makes one event for as long as it is taken, unless it covers the body', async () => {
  const digests = [sha256('t-1')];
  expect(await once({ jti: 't-1', exp: SECONDS + 60 })).toEqual({ digests, freshMs: 360_000 });
  expect(await once({ jti: 't-1' })).toEqual({ digests, freshMs: 0 });
  expect(await once({ jti: 't-1', sha256: sha256(BODY) }, BY_HASH)).toBeNull();
  // Two events of one second may have one token.
  for (const jti of [undefined, '', 5, null]) expect(await once({ jti })).toBeNull();
});

import { createHash, createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bySecret } from '../../../src/signature/basics/match.ts';
import { jwtSchema, verifyJwt } from '../../../src/signature/schemes/jwt.ts';
import { encode, NOW, problemsOf, requestOf, schemeOf } from '../support.ts';

const problems = (options: object) => problemsOf({ scheme: 'jwt', header: 'X-Token', ...options }).join('\n');

describe('a jwt block', () => {
  it('needs a header and what covers the body: HS256, with five minutes of tolerance', () => {
    expect(schemeOf({ scheme: 'jwt', header: 'X-Token', body_hash_claim: 'sha256' })).toEqual({
      scheme: 'jwt',
      header: ['X-Token'],
      algorithm: 'HS256',
      body_hash_claim: 'sha256',
      tolerance: 300_000,
    });
  });

  it('may say that nothing covers the body', () => {
    expect(problems({ unsigned_body: true })).toBe('');
  });

  it.each([
    ['a body that nothing covers', {}, /^: does not cover the body.*`unsigned_body: true`/],
    [
      'a body that is denied to be covered',
      { unsigned_body: false },
      /^unsigned_body: must be true or absent/m,
    ],
    [
      'an optional prefix without one',
      { unsigned_body: true, prefix_optional: true },
      /^prefix_optional: needs a `prefix`$/,
    ],
    ['no header', { unsigned_body: true, header: undefined }, /^header: must be the name of a header/],
    ['no signature', { unsigned_body: true, algorithm: 'none' }, /^algorithm: must be one of HS256/],
    ['an unknown key', { unsigned_body: true, isuer: 'x' }, /unknown key `isuer`; did you mean `issuer`\?/],
    ['an empty audience', { unsigned_body: true, audience: '' }, /^audience: must not be empty/],
  ])('%s is refused', (_, options, problem) => {
    expect(problems(options)).toMatch(problem);
  });
});

const SECRET = 'a-secret-of-the-app';
const BODY = '{"id":"evt_1"}';
const SECONDS = NOW / 1_000;

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
const sha256 = (body: string) => createHash('sha256').update(body).digest('hex');
const HS256 = { alg: 'HS256', typ: 'JWT' };

const jwtOf = (options: object = {}) =>
  jwtSchema.parse({ scheme: 'jwt', header: 'X-Token', tolerance: '5m', unsigned_body: true, ...options });
const BARE = jwtOf();

interface Options {
  readonly scheme?: typeof BARE;
  readonly secrets?: readonly string[];
  readonly now?: number;
}

const noFetch = () => Promise.reject(new Error('nothing to fetch'));

const verify = (token: string, { scheme = BARE, secrets = [SECRET], now = NOW }: Options = {}) =>
  verifyJwt(scheme, secrets, requestOf({ body: BODY, headers: { 'X-Token': token } }), {
    now,
    fetch: noFetch,
  });

const accepted = { ok: true, value: bySecret(0) };
const refusal = (reason: string) => ({ ok: false, error: { reason } });

describe('a token', () => {
  it('is accepted when it was made with the secret', async () => {
    expect(await verify(tokenOf({}))).toEqual(accepted);
    expect(await verify(tokenOf({ iat: SECONDS, exp: SECONDS + 60, anything: ['else'] }))).toEqual(accepted);
  });

  it('may be made with any of the secrets', async () => {
    const secrets = ['another', SECRET, 'a third'];
    expect(await verify(tokenOf({}), { secrets })).toEqual({ ok: true, value: bySecret(1) });
    expect(await verify(tokenOf({}), { secrets: ['another', 'a third'] })).toMatchObject(refusal('mismatch'));
  });

  it.each([
    ['HS384', 'sha384'],
    ['HS512', 'sha512'],
  ] as const)('may be made with %s where the source says so', async (algorithm, hash) => {
    const token = tokenOf({}, { header: { alg: algorithm }, hash });
    expect(await verify(token, { scheme: jwtOf({ algorithm }) })).toEqual(accepted);
    expect(await verify(token)).toMatchObject(refusal('mismatch'));
  });

  it('may be for an audience that the source names, and then for no other', async () => {
    const scheme = jwtOf({ audience: 'hookbell' });
    for (const aud of ['hookbell', ['another', 'hookbell']])
      expect(await verify(tokenOf({ aud }), { scheme })).toEqual(accepted);
    expect(await verify(tokenOf({ aud: 'another' }), { scheme })).toMatchObject(refusal('mismatch'));
    expect(await verify(tokenOf({}), { scheme })).toMatchObject(refusal('missing_field'));
  });

  it.each(['x', 'é', 'x'.repeat(500)])('may be made with a secret as odd as %j', async (secret) => {
    expect(await verify(tokenOf({}, { secret }), { secrets: [secret] })).toEqual(accepted);
    expect(await verify(tokenOf({}), { secrets: [secret] })).toMatchObject(refusal('mismatch'));
  });

  it('without a header is missed', async () => {
    expect(await verify('')).toMatchObject(refusal('missing_header'));
  });

  it('stands in the first header of the list that is there', async () => {
    const scheme = jwtOf({ header: ['X-New', 'X-Token'] });
    expect(await verify(tokenOf({}), { scheme })).toEqual(accepted);
  });
});

describe('the prefix of a token', () => {
  const needed = jwtOf({ prefix: 'Bearer ' });
  const optional = jwtOf({ prefix: 'Bearer ', prefix_optional: true });

  it('is needed where there is one, in upper or lower case', async () => {
    for (const prefix of ['Bearer ', 'bearer ', 'BEARER  '])
      expect(await verify(`${prefix}${tokenOf({})}`, { scheme: needed })).toEqual(accepted);
    expect(await verify(tokenOf({}), { scheme: needed })).toMatchObject(refusal('malformed'));
    expect(await verify(`Token ${tokenOf({})}`, { scheme: needed })).toMatchObject(refusal('malformed'));
  });

  it('may be left out where the source says so', async () => {
    for (const prefix of ['Bearer ', ''])
      expect(await verify(`${prefix}${tokenOf({})}`, { scheme: optional })).toEqual(accepted);
    expect(await verify('Bearer ', { scheme: optional })).toMatchObject({ ok: false });
  });

  it('is not taken where there is none', async () => {
    expect(await verify(`Bearer ${tokenOf({})}`)).toMatchObject(refusal('malformed'));
  });
});

describe('the algorithm of a token', () => {
  it('is never `none`, in whatever case', async () => {
    for (const alg of ['none', 'None', 'NONE']) {
      const content = `${segment({ alg })}.${segment({})}`;
      expect(await verify(`${content}.`)).toMatchObject(refusal('mismatch'));
      expect(await verify(tokenOf({}, { header: { alg } }))).toMatchObject(refusal('mismatch'));
    }
  });

  it.each(['RS256', 'HS512', 'hs256', 'HS256 ', '', 5, null, ['HS256'], undefined, '__proto__'])(
    'is not the token’s to choose: %j',
    async (alg) => {
      expect(await verify(tokenOf({}, { header: { alg } }))).toMatchObject(refusal('mismatch'));
    },
  );

  it.each([[['b64']], [['exp']], [[]], ['b64'], [null], [[5]]])(
    'comes without extensions that are critical: %j',
    async (crit) => {
      const header = { ...HS256, crit, b64: true, exp: 1 };
      expect(await verify(tokenOf({}, { header }))).toMatchObject(refusal('malformed'));
    },
  );
});

describe('a token that is none is refused:', () => {
  const [header = '', claims = '', signature = ''] = tokenOf({}).split('.');

  it.each([
    ['one part', header],
    ['two parts', `${header}.${claims}`],
    ['four parts', `${header}.${claims}.${signature}.x`],
    ['an encrypted one', `${header}.${claims}.${signature}.x.y`],
    ['padding', `${header}.${claims}.${signature}=`],
    ['plain base64', `${header}.${claims}.+/+/`],
    ['two tokens', `${header}.${claims}.${signature}, ${header}.${claims}.${signature}`],
    ['an empty header', `.${claims}.${signature}`],
    ['an empty body', `${header}..${signature}`],
    ['a header that is no JSON', tokenOf({}, { header: 'alg' })],
    ['a header that is a list', tokenOf({}, { header: ['HS256'] })],
    ['a header that is null', tokenOf({}, { header: null })],
    ['claims that are no JSON', tokenOf('claims')],
    ['claims that are a list', tokenOf([1])],
    ['claims that are null', tokenOf(null)],
    ['claims that are text', tokenOf('"text"')],
    ['too long a token', tokenOf({ filler: 'x'.repeat(8_192) })],
  ])('%s', async (_, token) => {
    expect(await verify(token)).toMatchObject(refusal('malformed'));
  });

  it('and one of 8 KiB is not too long', async () => {
    const long = tokenOf({ filler: 'x'.repeat(6_000) });
    expect(long.length).toBeGreaterThan(8_000);
    expect(long.length).toBeLessThanOrEqual(8_192);
    expect(await verify(long)).toEqual(accepted);
  });
});

describe('a token that was tampered with is refused', () => {
  it('in its header, its claims or its signature', async () => {
    const [header = '', claims = '', signature = ''] = tokenOf({ sub: 'a' }).split('.');
    const other = tokenOf({ sub: 'b' }).split('.');
    for (const token of [
      `${segment({ ...HS256, kid: 'x' })}.${claims}.${signature}`,
      `${header}.${segment({ sub: 'admin' })}.${signature}`,
      `${header}.${claims}.${other[2]}`,
      `${header}.${claims}.`,
      `${header}.${claims}.${signature.slice(0, -3)}`,
      `${header}.${claims}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    ])
      expect(await verify(token)).toMatchObject(refusal('mismatch'));
  });
});

describe('the times of a token', () => {
  it('after `exp` it is stale, once the tolerance is over', async () => {
    expect(await verify(tokenOf({ exp: SECONDS - 299 }))).toEqual(accepted);
    expect(await verify(tokenOf({ exp: SECONDS - 300 }))).toMatchObject(refusal('stale'));
    expect(await verify(tokenOf({ exp: SECONDS + 1 }), { now: NOW + 301_000 })).toMatchObject(
      refusal('stale'),
    );
  });

  it('before `nbf` it is stale, down to the tolerance', async () => {
    expect(await verify(tokenOf({ nbf: SECONDS + 300 }))).toEqual(accepted);
    expect(await verify(tokenOf({ nbf: SECONDS + 301 }))).toMatchObject(refusal('stale'));
  });

  it('made in the future it is stale, down to the tolerance', async () => {
    expect(await verify(tokenOf({ iat: SECONDS + 300 }))).toEqual(accepted);
    expect(await verify(tokenOf({ iat: SECONDS + 301 }))).toMatchObject(refusal('stale'));
  });

  it('`exp` has to be there where the source says so', async () => {
    const scheme = jwtOf({ require_exp: true });
    expect(await verify(tokenOf({ exp: SECONDS + 60 }), { scheme })).toEqual(accepted);
    expect(await verify(tokenOf({}), { scheme })).toMatchObject(refusal('missing_field'));
  });

  it.each(['exp', 'nbf', 'iat'])('`%s` is a number and nothing else', async (claim) => {
    for (const value of [String(SECONDS + 60), null, true, [SECONDS], {}])
      expect(await verify(tokenOf({ [claim]: value }))).toMatchObject(refusal('malformed'));
  });

  it('do not report whether the secret was right', async () => {
    const token = tokenOf({ exp: 1 }, { secret: 'another' });
    expect(await verify(token)).toMatchObject(refusal('mismatch'));
  });
});

describe('the issuer of a token', () => {
  const scheme = jwtOf({ issuer: 'netlify' });

  it('has to be the one of the source', async () => {
    expect(await verify(tokenOf({ iss: 'netlify' }), { scheme })).toEqual(accepted);
    expect(await verify(tokenOf({}), { scheme })).toMatchObject(refusal('missing_field'));
    for (const iss of ['Netlify', '', ['netlify'], null, 5])
      expect(await verify(tokenOf({ iss }), { scheme })).toMatchObject(refusal('mismatch'));
  });
});

describe('the claims about the request', () => {
  it('are checked too', async () => {
    const scheme = jwtOf({ body_hash_claim: 'sha256', unsigned_body: undefined });
    expect(await verify(tokenOf({ sha256: sha256(BODY) }), { scheme })).toEqual(accepted);
    expect(await verify(tokenOf({ sha256: sha256('{}') }), { scheme })).toMatchObject(refusal('mismatch'));
    expect(await verify(tokenOf({}), { scheme })).toMatchObject(refusal('missing_field'));
  });
});

describe('whatever is sent', () => {
  const times = fc.oneof(fc.integer(), fc.double(), fc.string(), fc.constant(null));
  const claims = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom('exp', 'nbf', 'iat', 'aud', 'iss', 'sha256', '__proto__'), times),
  );
  const scheme = jwtOf({
    issuer: 'x',
    audience: 'url',
    body_hash_claim: 'sha256',
    require_exp: true,
  });

  it('as a token that is signed right, it is answered by a result', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), claims, fc.boolean(), async (header, body, strange) => {
        const token = tokenOf(body, strange ? { header } : {});
        expect(await verify(token, { scheme })).toMatchObject({ ok: false });
        expect(typeof (await verify(token)).ok).toBe('boolean');
      }),
    );
  });

  it('as text of any kind, it is refused', async () => {
    const text = fc.oneof(
      fc.stringMatching(/^[\x21-\x7e]{0,60}$/),
      fc.stringMatching(/^[A-Za-z0-9_-]{0,20}\.[A-Za-z0-9_-]{0,20}\.[A-Za-z0-9_-]{0,20}$/),
    );
    await fc.assert(
      fc.asyncProperty(text, async (token) => {
        expect(await verify(token)).toMatchObject({ ok: false });
      }),
    );
  });

  it('a refusal shows neither the token nor a secret', async () => {
    const token = tokenOf({ sub: 'someone', iss: 'somewhere' }, { secret: 'another' });
    const said = JSON.stringify([
      await verify(token),
      await verify(token, { secrets: ['another'], scheme }),
      await verify(tokenOf({ exp: 1 })),
    ]);
    for (const text of [SECRET, 'another', 'someone', 'somewhere', token]) expect(said).not.toContain(text);
  });
});

const once = async (claims: object, scheme = BARE) => {
  const verified = await verify(tokenOf(claims), { scheme });
  return verified.ok ? verified.value.once : verified.error.reason;
};

describe('a token with an id that does not cover the body', () => {
  it('makes one event for as long as it is taken', async () => {
    expect(await once({ jti: 't-1', exp: SECONDS + 60 })).toEqual({
      digests: [sha256('t-1')],
      freshMs: 360_000,
    });
    expect(await once({ jti: 't-1' })).toEqual({ digests: [sha256('t-1')], freshMs: 0 });
  });

  it('makes any number without an id: two events of one second may have one token', async () => {
    for (const jti of [undefined, '', 5, null]) expect(await once({ jti })).toBeNull();
  });

  it('makes one for each body that it covers', async () => {
    const covering = jwtSchema.parse({ scheme: 'jwt', header: 'X-Token', body_hash_claim: 'sha256' });
    expect(await once({ jti: 't-1', sha256: sha256(BODY) }, covering)).toBeNull();
  });
});

import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { oidcSchema, verifyOidc } from '../../../src/signature/schemes/oidc.ts';
import { verifySignature } from '../../../src/signature/verify.ts';
import { newIssuer, type Issuer } from '../issuer.ts';
import { bytesOf, encode, NOW, problemsOf, requestOf, schemeOf } from '../support.ts';

const EMAIL = 'push@my-project.iam.gserviceaccount.com';
const BLOCK = { scheme: 'oidc', issuer: 'google', email: EMAIL };
const SCHEME = oidcSchema.parse(BLOCK);
const ADDRESS = 'https://hooks.example.com/hooks/shop';
const SECONDS = NOW / 1_000;
const HOUR = 3_600;

const problems = (changes: object) => problemsOf({ ...BLOCK, ...changes }).join('\n');

describe('an oidc block', () => {
  it('needs an issuer and the account that posts', () => {
    expect(schemeOf(BLOCK)).toEqual(BLOCK);
  });

  it.each([
    ['no account: anybody can have a token', { email: undefined }, /^email: /],
    ['an account that is none', { email: 'my-project' }, /^email: must be the e-mail address of the service/],
    [
      'an address in place of an issuer',
      { issuer: 'https://evil.example' },
      /^issuer: must be one of google/,
    ],
    ['an unknown key', { emial: EMAIL }, /unknown key `emial`; did you mean `email`\?/],
    ['an empty audience', { audience: '' }, /^audience: /],
  ])('%s is refused', (_, changes, problem) => {
    expect(problems(changes)).toMatch(problem);
  });
});

/** Google, for the tests of this file: keys are kept in memory, so there is one. */
let google: Issuer;

beforeAll(async () => {
  google = await newIssuer();
});

/** A token as Google makes it for a push subscription; undefined takes a claim away. */
const tokenOf = (changes: object = {}, header: Readonly<Record<string, unknown>> = {}) =>
  google.sign(
    {
      aud: ADDRESS,
      azp: '113774264463038321964',
      email: EMAIL,
      email_verified: true,
      exp: SECONDS + HOUR,
      iat: SECONDS,
      iss: 'https://accounts.google.com',
      sub: '113774264463038321964',
      ...changes,
    },
    header,
  );

interface Options {
  readonly scheme?: typeof SCHEME;
  readonly now?: number;
  readonly registeredUrl?: string | null;
  readonly body?: string;
  readonly fetch?: typeof fetch;
}

const verify = (authorization: string | null, options: Options = {}) => {
  const { scheme = SCHEME, now = NOW, body = '{}', fetch = google.fetch, registeredUrl = ADDRESS } = options;
  const headers: Record<string, string> = authorization === null ? {} : { Authorization: authorization };
  const request = requestOf({ body, headers, registeredUrl });
  return verifyOidc(scheme, request, { now, fetch });
};

const bearer = async (changes: object = {}, options: Options = {}) =>
  verify(`Bearer ${await tokenOf(changes)}`, options);

const accepted = { ok: true, value: undefined };
const refusal = (reason: string) => ({ ok: false, error: { reason } });

const segment = (value: unknown) => encode(bytesOf(JSON.stringify(value)), 'base64url');
const down = () => Promise.resolve(new Response('no', { status: 500 }));

describe('a token of Google', () => {
  it("is accepted for the source's account and address, with keys from Google's own host", async () => {
    expect(await bearer()).toEqual(accepted);
    expect(google.asked).toEqual(['https://www.googleapis.com/oauth2/v3/certs']);
  });

  it('is found by verification without a secret', async () => {
    const headers = { Authorization: `Bearer ${await tokenOf()}` };
    const request = requestOf({ headers, registeredUrl: ADDRESS });
    const context = { now: NOW, fetch: google.fetch };
    expect(await verifySignature(SCHEME, [], request, context)).toEqual({
      ok: true,
      value: { secretIndex: null, once: null },
    });
    expect(await verifySignature(SCHEME, [], requestOf(), context)).toMatchObject(refusal('missing_header'));
  });

  it('may name its issuer without https', async () => {
    expect(await bearer({ iss: 'accounts.google.com' })).toEqual(accepted);
  });

  it('says nothing of the body, so it comes with any', async () => {
    expect(await bearer({}, { body: 'another' })).toEqual(accepted);
  });

  it.each<[string, object, string]>([
    ['another account', { email: 'push@other-project.iam.gserviceaccount.com' }, 'mismatch'],
    ['an account that only begins alike', { email: `${EMAIL}.evil.example` }, 'mismatch'],
    ['several accounts', { email: [EMAIL] }, 'mismatch'],
    ['no account', { email: undefined }, 'missing_field'],
    ['an e-mail that Google has not verified', { email_verified: false }, 'mismatch'],
    ['an e-mail of which it does not say so', { email_verified: undefined }, 'mismatch'],
    ['a text for true', { email_verified: 'true' }, 'mismatch'],
    ['another audience', { aud: 'https://other.example/hooks/shop' }, 'mismatch'],
    ['another source', { aud: 'https://hooks.example.com/hooks/other' }, 'mismatch'],
    ['no audience', { aud: undefined }, 'missing_field'],
    ['another issuer', { iss: 'https://accounts.google.com.evil.example' }, 'mismatch'],
    ['no issuer', { iss: undefined }, 'missing_field'],
    ['no end', { exp: undefined }, 'missing_field'],
    ['an end that is no number', { exp: 'never' }, 'malformed'],
    ['an end that was a minute ago', { exp: SECONDS - 60 }, 'stale'],
    ['a beginning that is more than a minute ahead', { iat: SECONDS + 61 }, 'stale'],
  ])('is refused with %s', async (_, changes, reason) => {
    expect(await bearer(changes)).toMatchObject(refusal(reason));
  });

  it('is good until a minute after its end', async () => {
    expect(await bearer({ exp: SECONDS - 59 })).toEqual(accepted);
    expect(await bearer({ iat: SECONDS + 60 })).toEqual(accepted);
  });

  it('is not compared with the address of the request, whose host its sender chose', async () => {
    expect(await bearer({}, { registeredUrl: null })).toMatchObject(refusal('misconfigured'));
    expect(await bearer({}, { registeredUrl: 'https://relay.example/hooks/shop' })).toMatchObject(
      refusal('mismatch'),
    );
  });

  it('may be for an audience that the source names, and then for no other', async () => {
    const scheme = oidcSchema.parse({ ...BLOCK, audience: 'hookbell' });
    expect(await bearer({ aud: 'hookbell' }, { scheme })).toEqual(accepted);
    expect(await bearer({ aud: ADDRESS }, { scheme })).toMatchObject(refusal('mismatch'));
    expect(await bearer({ aud: undefined }, { scheme })).toMatchObject(refusal('missing_field'));
  });

  it('is for the address as the sender has it', async () => {
    const registeredUrl = 'https://proxy.example/in';
    expect(await bearer({ aud: registeredUrl }, { registeredUrl })).toEqual(accepted);
    expect(await bearer({}, { registeredUrl })).toMatchObject(refusal('mismatch'));
  });

  it.each<[string, (token: string) => string | null, string]>([
    ['no header', () => null, 'missing_header'],
    ['another word before it', (token) => `Basic ${token}`, 'malformed'],
    ['no word before it', (token) => token, 'malformed'],
    ['nothing', () => 'Bearer ', 'malformed'],
    ['a token that is cut off', (token) => `Bearer ${token.slice(0, token.lastIndexOf('.'))}`, 'malformed'],
    ['no signature', (token) => `Bearer ${token.slice(0, token.lastIndexOf('.') + 1)}`, 'mismatch'],
    ['too long a token', (token) => `Bearer ${token}${'a'.repeat(8_192)}`, 'malformed'],
  ])('is refused as %s', async (_, change, reason) => {
    expect(await verify(change(await tokenOf()))).toMatchObject(refusal(reason));
  });

  it('with other claims under its signature is refused', async () => {
    const [head, , tail] = (await tokenOf()).split('.');
    const [, claims] = (await tokenOf({ sub: 'another' })).split('.');
    expect(await verify(`Bearer ${head}.${claims}.${tail}`)).toMatchObject(refusal('mismatch'));
  });

  it.each(['none', 'HS256', 'RS512'])('that names the algorithm %s is refused', async (alg) => {
    const [, claims = ''] = (await tokenOf()).split('.');
    const text = `${segment({ alg, kid: 'k1' })}.${claims}`;
    const tail =
      alg === 'none' ? '' : encode(createHmac('sha256', 'the public key').update(text).digest(), 'base64url');
    expect(await verify(`Bearer ${text}.${tail}`)).toMatchObject(refusal('mismatch'));
  });

  it('of somebody who has keys of the same name is refused', async () => {
    const stranger = await newIssuer();
    const token = await stranger.sign({
      aud: ADDRESS,
      email: EMAIL,
      email_verified: true,
      exp: SECONDS + HOUR,
      iss: 'https://accounts.google.com',
    });
    expect(await verify(`Bearer ${token}`)).toMatchObject(refusal('mismatch'));
  });

  it('without the name of a key, or with one that Google does not have, is refused', async () => {
    expect(await verify(`Bearer ${await tokenOf({}, { kid: undefined })}`)).toMatchObject(
      refusal('malformed'),
    );
    expect(await verify(`Bearer ${await tokenOf({}, { kid: 'made-up' })}`)).toMatchObject(
      refusal('mismatch'),
    );
  });

  it('is never accepted, but to be sent again, when Google’s keys cannot be fetched', async () => {
    // An hour later the keys have to be fetched again.
    const later = NOW + HOUR * 1_000;
    const fresh = { iat: SECONDS + HOUR, exp: SECONDS + 2 * HOUR };
    expect(await bearer(fresh, { now: later, fetch: down })).toMatchObject({
      ok: false,
      error: { reason: 'unavailable', detail: "the issuer's keys could not be fetched: Error: answered 500" },
    });
    expect(await bearer(fresh, { now: later + 5_000 })).toEqual(accepted);
  });
});

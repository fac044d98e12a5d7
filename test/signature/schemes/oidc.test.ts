import { beforeAll, expect, it } from 'vitest';
import { oidcSchema, verifyOidc } from '../../../src/signature/schemes/jwt.ts';
import { newIssuer, type Issuer } from '../issuer.ts';
import { NOW, outcome, outcomeInFull, requestOf } from '../support.ts';

const EMAIL = 'push@my-project.iam.gserviceaccount.com';
const BLOCK = { scheme: 'oidc', issuer: 'google', email: EMAIL };
const SCHEME = oidcSchema.parse(BLOCK);
const ADDRESS = 'https://hooks.example.com/hooks/shop';
const SECONDS = NOW / 1_000;
const HOUR = 3_600;

/** Google, for the tests of this file: keys are kept in memory, so there is one. */
let google: Issuer;

beforeAll(async () => {
  google = await newIssuer();
});

/** What Google signs for a push subscription. */
const CLAIMS = {
  aud: ADDRESS,
  azp: '113774264463038321964',
  email: EMAIL,
  email_verified: true,
  exp: SECONDS + HOUR,
  iat: SECONDS,
  iss: 'https://accounts.google.com',
  sub: '113774264463038321964',
};
/** A token with such claims; undefined takes one away. */
const tokenOf = (changes: object = {}, header: Readonly<Record<string, unknown>> = {}) =>
  google.sign({ ...CLAIMS, ...changes }, header);

interface Options {
  readonly scheme?: typeof SCHEME;
  readonly now?: number;
  readonly registeredUrl?: string | null;
  readonly body?: string;
  readonly fetch?: typeof fetch;
}

const verify = (Authorization: string | null, options: Options = {}) => {
  const { scheme = SCHEME, now = NOW, body = '{}', fetch = google.fetch, registeredUrl = ADDRESS } = options;
  const headers: Record<string, string> = Authorization === null ? {} : { Authorization };
  return verifyOidc(scheme, { request: requestOf({ body, headers, registeredUrl }), now, fetch });
};
const said = async (authorization: string | null, options?: Options) =>
  outcome(await verify(authorization, options));
/** The outcome for a token with these changes. */
const of = async (changes: object = {}, options: Options = {}) =>
  said(`Bearer ${await tokenOf(changes)}`, options);

const down = () => Promise.resolve(new Response('no', { status: 500 }));

it("a token of Google is accepted for the source's account and address, with any body, with keys of Google's own host", async () => {
  expect(await verify(`Bearer ${await tokenOf()}`)).toEqual({ ok: true, value: undefined });
  expect(google.asked).toEqual(['https://www.googleapis.com/oauth2/v3/certs']);
  expect(await of({}, { body: 'another' })).toBe('accepted');
  expect(await of({ iss: 'accounts.google.com' })).toBe('accepted');
});

it('a token of Google is refused with claims of another kind, and by the key of a stranger with the same name', async () => {
  for (const [changes, reason] of [
    [{ email: [EMAIL] }, 'mismatch'],
    [{ email_verified: undefined }, 'mismatch'],
    [{ exp: 'never' }, 'malformed'],
  ] as const)
    expect(await of(changes)).toBe(reason);
  const stranger = await newIssuer();
  expect(await said(`Bearer ${await stranger.sign(CLAIMS)}`)).toBe('mismatch');
  expect(await said(`Bearer ${await tokenOf({}, { kid: undefined })}`)).toBe('malformed');
});

it('a token of Google is for the address as the sender has it, never that of the request, or for an audience that the source names, and then no other', async () => {
  const registeredUrl = 'https://proxy.example/in';
  expect(await of({ aud: registeredUrl }, { registeredUrl })).toBe('accepted');
  expect(await of({}, { registeredUrl })).toBe('mismatch');
  expect(await of({}, { registeredUrl: null })).toBe('misconfigured');
  const scheme = oidcSchema.parse({ ...BLOCK, audience: 'hookbell' });
  expect(await of({ aud: 'hookbell' }, { scheme })).toBe('accepted');
  expect(await of({ aud: ADDRESS }, { scheme })).toBe('mismatch');
  expect(await of({ aud: undefined }, { scheme })).toBe('missing_field');
});

it('a token of Google is refused when it is none, cut off, too long, or not after `Bearer`', async () => {
  const token = await tokenOf();
  const end = token.lastIndexOf('.');
  expect(await said(null)).toBe('missing_header');
  for (const text of [`Basic ${token}`, token, 'Bearer ', `Bearer ${token.slice(0, end)}`])
    expect(await said(text), text).toBe('malformed');
  expect(await said(`Bearer ${token.slice(0, end + 1)}`)).toBe('mismatch');
  expect(await said(`Bearer ${token}${'a'.repeat(8_192)}`)).toBe('malformed');
});

it('a token of Google is never accepted, but to be sent again, when Google’s keys cannot be fetched', async () => {
  // An hour later the keys have to be fetched again.
  const later = NOW + HOUR * 1_000;
  const fresh = { iat: SECONDS + HOUR, exp: SECONDS + 2 * HOUR };
  const refused = await verify(`Bearer ${await tokenOf(fresh)}`, { now: later, fetch: down });
  const why = "the issuer's keys could not be fetched: its server answered 500";
  expect(outcomeInFull(refused)).toBe(`unavailable: ${why}`);
  expect(await of(fresh, { now: later + 5_000 })).toBe('accepted');
});

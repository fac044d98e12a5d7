import { createHmac } from 'node:crypto';
import { decode, encode, utf8 } from './bytes.ts';
import { asObject } from './json.ts';
import { GOOGLE_ACCOUNTS, RSA_KEY } from './keys.ts';
import { headerOf, type OtherAlgorithm, type Sender, type Webhook, withHeader } from './sender.ts';

const same = (text: string): string => text;

/** The address at which Google publishes its keys. The tests serve {@link googleKeySet} there. */
export const GOOGLE_KEYS = 'https://www.googleapis.com/oauth2/v3/certs';

const RS256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };

/** Google's keys, for these tests: that of {@link RSA_KEY}, and another that signs nothing. */
export async function googleKeySet(): Promise<object> {
  const other = await crypto.subtle.generateKey(
    { ...RS256, modulusLength: 2_048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ['sign', 'verify'],
  );
  if (!('privateKey' in other)) throw new Error('not a pair');
  return {
    keys: [await publicPart(await signingKey(), GOOGLE_KID), await publicPart(other.privateKey, OTHER_KID)],
  };
}

const textAt = (value: object, key: string): string => String(Reflect.get(value, key));

const publicPart = async (key: CryptoKey, kid: string): Promise<object> => {
  const jwk = asObject(await crypto.subtle.exportKey('jwk', key));
  return { kty: 'RSA', alg: 'RS256', use: 'sig', kid, n: textAt(jwk, 'n'), e: textAt(jwk, 'e') };
};

/** The id of the key that signs. */
export const GOOGLE_KID = '7d680d8c70d44e947133cbd499ebc1a61c3d5abc';
const OTHER_KID = '0b1f64711bf04ddaaec3cb9272f09590f02b81b0';

const signingKey = (): Promise<CryptoKey> => crypto.subtle.importKey('pkcs8', RSA_KEY, RS256, true, ['sign']);

const base64url = (value: object): string => encode(utf8(JSON.stringify(value)), 'base64url');

/** The lifetime of Google's tokens, in seconds. */
const LIFETIME = 3_600;

/** A compact JWS (RFC 7515) with RS256. */
async function googleToken(claims: object, alter = same, header: object = {}): Promise<string> {
  const text = `${base64url({ alg: 'RS256', kid: GOOGLE_KID, typ: 'JWT', ...header })}.${base64url(claims)}`;
  const signature = await crypto.subtle.sign(RS256, await signingKey(), utf8(text));
  return `${text}.${alter(encode(new Uint8Array(signature), 'base64url'))}`;
}

/** The claims of a push subscription's tokens, as Google documents them. */
const pushClaims = (email: string, url: string, now: number, expires?: string | number) => {
  const seconds = Math.floor(now / 1_000);
  return {
    aud: url,
    azp: '113774264463038321964',
    email,
    sub: '113774264463038321964',
    email_verified: true,
    exp: expires ?? seconds + LIFETIME,
    iat: seconds,
    iss: 'https://accounts.google.com',
  };
};

const withToken = (sent: Webhook, token: string): Webhook =>
  withHeader(sent, 'Authorization', `Bearer ${token}`);

const tokenIn = (sent: Webhook): readonly string[] =>
  (headerOf(sent, 'Authorization') ?? '').replace('Bearer ', '').split('.');

const claimsIn = (sent: Webhook): object =>
  asObject(JSON.parse(new TextDecoder().decode(decode(tokenIn(sent)[1] ?? '', 'base64url'))));

/** A token that Google made, for somebody or something else. */
const signedAnew = (name: string, claims: object, reason: 'mismatch' | 'missing_field', header?: object) => ({
  name,
  change: async (sent: Webhook) =>
    withToken(sent, await googleToken({ ...claimsIn(sent), ...claims }, same, header)),
  reason,
});

const headed = (alg: string): string => base64url({ alg, kid: GOOGLE_KID, typ: 'JWT' });

/** A token that Google did not make. */
const other = (name: string, made: (sent: Webhook) => string): OtherAlgorithm => ({
  name,
  change: (sent) => withToken(sent, made(sent)),
  reason: 'mismatch',
});

const googlePubsub: Sender = {
  provider: 'google-pubsub',
  keys: GOOGLE_ACCOUNTS,
  send: async (draft, { keys: [email = ''], now, time, alter = same, restate }) => {
    const claims = pushClaims(email, draft.url, now, time);
    const sent = withToken(draft, await googleToken(claims, alter));
    if (restate === undefined) return sent;
    const [head, , signature] = tokenIn(sent);
    const restated = base64url({ ...claims, exp: Number(restate(String(claims.exp))) });
    return withToken(sent, [head, restated, signature].join('.'));
  },
  proof: { in: 'header', name: 'Authorization' },
  encoding: 'base64url',
  time: { late: LIFETIME + 60, early: 60 },
  covers: { body: { open: 'the token covers the sender and the address, not the body' }, address: true },
  otherAlgorithms: [
    other('alg none', (sent) => `${headed('none')}.${tokenIn(sent)[1]}.`),
    other('HS256 with what is public', (sent) => {
      const text = `${headed('HS256')}.${tokenIn(sent)[1]}`;
      return `${text}.${createHmac('sha256', GOOGLE_KID).update(text).digest('base64url')}`;
    }),
    other('another claim under the same signature', (sent) => {
      const [head, , signature] = tokenIn(sent);
      return [head, base64url({ ...claimsIn(sent), sub: '1' }), signature].join('.');
    }),
    signedAnew('the name of another key', {}, 'mismatch', { kid: OTHER_KID }),
    signedAnew('the name of no key', {}, 'mismatch', { kid: 'unknown' }),
    signedAnew('another issuer', { iss: 'https://accounts.google.com.example.com' }, 'mismatch'),
    signedAnew('an e-mail that is not verified', { email_verified: false }, 'mismatch'),
    signedAnew('no e-mail', { email: undefined }, 'missing_field'),
    signedAnew('no audience', { aud: undefined }, 'missing_field'),
    signedAnew('no end', { exp: undefined }, 'missing_field'),
  ],
};

/** Senders of clouds, with tokens of their own. */
export const cloudSenders: readonly Sender[] = [googlePubsub];

import { createHash, createHmac } from 'node:crypto';
import { decode, encode, utf8 } from './bytes.ts';
import { asObject } from './json.ts';
import { TEXT } from './keys.ts';
import { type OtherAlgorithm, type Sender, type Webhook, withHeader } from './sender.ts';

const same = (text: string): string => text;

const base64url = (value: object): string => encode(utf8(JSON.stringify(value)), 'base64url');

/** The lifetime of tokens with an end in these tests, in seconds. */
const LIFETIME = 300;

interface JwtFacts {
  readonly header: string;
  readonly prefix?: string;
  readonly variant?: string;
  readonly claims: (draft: Webhook, now: number, time: string | undefined) => object;
  readonly rest: Pick<Sender, 'covers' | 'time' | 'reasons'>;
}

/** The signed text, and its signature: as the header says, or with another hash. */
function token(alg: string, payload: string, key: string, hash = 'sha256') {
  const text = `${base64url({ alg, typ: 'JWT' })}.${payload}`;
  return { text, signature: createHmac(hash, key).update(text).digest('base64url') };
}

const tokenText = (...args: Parameters<typeof token>): string => Object.values(token(...args)).join('.');

/** The same token with other claims, and nothing signed anew. */
function withClaims(sent: Webhook, header: string, claims: object): Webhook {
  const [head = '', payload = '', signature = ''] = (sent.headers[header] ?? '').split('.');
  const old: unknown = JSON.parse(new TextDecoder().decode(decode(payload, 'base64url')));
  return withHeader(sent, header, [head, base64url({ ...asObject(old), ...claims }), signature].join('.'));
}

/** A sender of a compact JWS with HS256 (RFC 7515). */
function jwtSender(provider: string, { header, prefix = '', variant, claims, rest }: JwtFacts): Sender {
  const other = (name: string, made: (sent: Webhook, key: string) => string): OtherAlgorithm => ({
    name,
    change: (sent, key) => withHeader(sent, header, `${prefix}${made(sent, key)}`),
    reason: 'mismatch',
  });
  const payloadOf = (sent: Webhook) => (sent.headers[header] ?? '').split('.')[1] ?? '';
  return {
    provider,
    ...(variant !== undefined && { variant }),
    keys: TEXT,
    send: async (draft, { keys: [key = ''], now, time, alter = same, restate }) => {
      const { text, signature } = token('HS256', base64url(claims(draft, now, time)), key);
      const sent = withHeader(draft, header, `${prefix}${text}.${alter(signature)}`);
      if (restate === undefined) return sent;
      const expires = restate(String(Math.floor(now / 1_000) + LIFETIME));
      return withClaims(sent, header, { exp: Number(expires) });
    },
    proof: { in: 'header', name: header },
    encoding: 'base64url',
    otherAlgorithms: [
      other('alg none', (sent) => `${base64url({ alg: 'none', typ: 'JWT' })}.${payloadOf(sent)}.`),
      other('HS512', (sent, key) => tokenText('HS512', payloadOf(sent), key, 'sha512')),
      other('RS256 in name only', (sent, key) => tokenText('RS256', payloadOf(sent), key)),
      {
        name: 'another claim under the same signature',
        change: (sent) => withClaims(sent, header, { accountId: 1, iss: 'netlify ' }),
        reason: 'mismatch',
      },
    ],
    ...rest,
  };
}

const netlify = jwtSender('netlify', {
  header: 'X-Webhook-Signature',
  claims: ({ body }) => ({ iss: 'netlify', sha256: createHash('sha256').update(body).digest('hex') }),
  rest: { covers: { body: 'raw' } },
});

const monday = (variant?: 'Bearer'): Sender =>
  jwtSender('monday', {
    header: 'Authorization',
    ...(variant !== undefined && { variant, prefix: 'Bearer ' }),
    claims: ({ url }, now, time) => {
      const seconds = Math.floor(now / 1_000);
      const times = { iat: seconds, exp: time ?? seconds + LIFETIME };
      return { accountId: 1825528, userId: 4012689, aud: url, ...times };
    },
    rest: {
      covers: { body: { open: 'the token covers the sender and the address, not the body' }, address: true },
      time: { late: LIFETIME + 60, early: 60 },
    },
  });

/** Senders of a JSON Web Token. */
export const jwtSenders: readonly Sender[] = [netlify, monday(), monday('Bearer')];

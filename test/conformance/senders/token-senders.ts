import { createHash, createHmac } from 'node:crypto';
import { type HmacFacts, hmacSender } from './hmac-sender.ts';
import { BASIC, TEXT } from './keys.ts';
import { type Sender, type Webhook, withHeader, withQuery } from './sender.ts';

const same = (text: string): string => text;
const OPEN = { body: { open: 'a word that both know, and no signature' } } as const;

interface TokenFacts {
  readonly prefix?: string;
  /** Whether the prefix may be left out: then what stands there is a token, and a wrong one. */
  readonly optional?: boolean;
  readonly variant?: string;
  readonly reasons?: Sender['reasons'];
}

/** A token in a header, after a prefix such as `Bearer `. */
const headerToken = (
  provider: string,
  name: string,
  { prefix = '', optional = false, variant, reasons }: TokenFacts = {},
): Sender => ({
  provider,
  ...(variant !== undefined && { variant }),
  keys: TEXT,
  send: async (draft, { keys: [key = ''], alter = same }) => withHeader(draft, name, `${prefix}${alter(key)}`),
  proof: { in: 'header', name },
  covers: OPEN,
  otherAlgorithms:
    prefix === ''
      ? []
      : [
          {
            name: 'Basic for Bearer',
            change: (sent, key) => withHeader(sent, name, `Basic ${Buffer.from(key).toString('base64')}`),
            reason: optional ? 'mismatch' : 'malformed',
          },
        ],
  // What a header says twice is one text, and not the token.
  reasons: { doubled: 'mismatch', ...reasons },
});

/** A token in the query. */
const queryToken = (provider: string, name: string): Sender => ({
  provider,
  variant: 'query',
  keys: TEXT,
  send: async (draft, { keys: [key = ''], alter = same }) => withQuery(draft, name, alter(key)),
  proof: { in: 'query', name },
  covers: OPEN,
  otherAlgorithms: [],
  reasons: { empty: 'missing_field' },
});

/** A token in the address, for those who can send nothing else. */
const pathToken = (provider: string): Sender => ({
  provider,
  keys: TEXT,
  send: async (draft, { keys: [key = ''], alter = same }) => {
    const url = new URL(draft.url);
    url.pathname += `/${encodeURIComponent(alter(key))}`;
    return { ...draft, url: url.href };
  },
  proof: { in: 'path' },
  covers: OPEN,
  otherAlgorithms: [],
  reasons: { doubled: null },
});

const basic = (provider: string): Sender => ({
  provider,
  keys: BASIC,
  send: async (draft, { keys: [key = ''], alter = same }) =>
    withHeader(draft, 'Authorization', `Basic ${alter(Buffer.from(key).toString('base64'))}`),
  proof: { in: 'header', name: 'Authorization' },
  encoding: 'base64',
  covers: { body: { open: 'a user and a password, and no signature' } },
  otherAlgorithms: [
    {
      name: 'Bearer for Basic',
      change: (sent, key) => withHeader(sent, 'Authorization', `Bearer ${key.replaceAll(/[^ -~]/g, '')}`),
      reason: 'malformed',
    },
  ],
});

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** How long tokens with an end are good for in these tests, in seconds. */
const LIFETIME = 300;

interface JwtFacts {
  readonly header: string;
  readonly prefix?: string;
  readonly variant?: string;
  readonly claims: (draft: Webhook, now: number, time: string | undefined) => object;
  readonly rest: Pick<Sender, 'covers' | 'time' | 'reasons'>;
}

/** The same token with other claims, and nothing signed anew. */
function withClaims(sent: Webhook, header: string, claims: object): Webhook {
  const [head = '', payload = '', signature = ''] = (sent.headers[header] ?? '').split('.');
  const old: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
  return withHeader(sent, header, [head, base64url({ ...Object(old), ...claims }), signature].join('.'));
}

/** A sender of a compact JWS with HS256 (RFC 7515). */
function jwtSender(provider: string, { header, prefix = '', variant, claims, rest }: JwtFacts): Sender {
  const token = (alg: string, payload: string, key: string, hash = 'sha256') => {
    const text = `${base64url({ alg, typ: 'JWT' })}.${payload}`;
    return { text, signature: createHmac(hash, key).update(text).digest('base64url') };
  };
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
      {
        name: 'alg none',
        change: (sent) =>
          withHeader(sent, header, `${prefix}${base64url({ alg: 'none', typ: 'JWT' })}.${payloadOf(sent)}.`),
        reason: 'mismatch',
      },
      {
        name: 'HS512',
        change: (sent, key) => {
          const { text, signature } = token('HS512', payloadOf(sent), key, 'sha512');
          return withHeader(sent, header, `${prefix}${text}.${signature}`);
        },
        reason: 'mismatch',
      },
      {
        name: 'RS256 in name only',
        change: (sent, key) => {
          const { text, signature } = token('RS256', payloadOf(sent), key);
          return withHeader(sent, header, `${prefix}${text}.${signature}`);
        },
        reason: 'mismatch',
      },
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
      covers: { body: { open: 'the token says who posts and where to, not what' }, url: true },
      time: { late: LIFETIME + 300, early: 300 },
    },
  });

const flutterwaveV4: HmacFacts = {
  variant: 'v4',
  header: 'flutterwave-signature',
  encoding: 'base64',
  // The same header may hold the secret itself, which whatever stands there is not.
  otherHash: 'mismatch',
  reasons: { doubled: 'mismatch' },
};

const BEARER = { prefix: 'Bearer ' };
const MAYBE_BEARER = { prefix: 'Bearer ', optional: true };

/** Senders of a token, a password or a JWT. */
export const tokenSenders: readonly Sender[] = [
  headerToken('flutterwave', 'verif-hash'),
  hmacSender('flutterwave', flutterwaveV4),
  headerToken('flutterwave', 'flutterwave-signature', { variant: 'v4, plain' }),
  headerToken('xendit', 'x-callback-token'),
  headerToken('gitlab', 'X-Gitlab-Token'),
  headerToken('okta', 'Authorization'),
  headerToken('auth0', 'Authorization'),
  headerToken('auth0', 'Authorization', { ...MAYBE_BEARER, variant: 'Bearer' }),
  headerToken('supabase-db-webhooks', 'Authorization', MAYBE_BEARER),
  headerToken('google-forms-apps-script', 'Authorization', MAYBE_BEARER),
  // Without the header the query is where a token may still be.
  headerToken('cloudevents-abuse-protection', 'Authorization', {
    ...MAYBE_BEARER,
    reasons: { missing: 'missing_field', empty: 'missing_field' },
  }),
  queryToken('cloudevents-abuse-protection', 'access_token'),
  headerToken('alertmanager', 'Authorization', BEARER),
  headerToken('uptime-kuma', 'Authorization', BEARER),
  headerToken('uptimerobot', 'Authorization', BEARER),
  pathToken('generic'),
  pathToken('better-stack'),
  pathToken('mollie-legacy'),
  pathToken('jotform'),
  pathToken('pingdom'),
  basic('chargebee'),
  basic('postmark'),
  netlify,
  monday(),
  monday('Bearer'),
];

import { createHash, createHmac } from 'node:crypto';
import * as z from 'zod';
import { base64url } from './canary-bytes.ts';
import { secretOf, type SecretName } from './canary-values.ts';

/** The additions to a request that make it pass. */
export interface Proof {
  readonly path?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of the body as it was. */
  readonly body?: string;
}

interface Sender {
  readonly secret: SecretName;
  readonly prove: (body: string) => Proof;
}

const hmac = (key: string, text: string, encoding: 'hex' | 'base64' | 'base64url' = 'hex'): string =>
  createHmac('sha256', key).update(text).digest(encoding);
const seconds = (): string => String(Math.floor(Date.now() / 1_000));
const signed = (secret: SecretName): Sender => ({
  secret,
  prove: (body) => ({ headers: { 'x-signature': hmac(secretOf(secret), body) } }),
});
const inHeader = (secret: SecretName, name: string, prefix = ''): Sender => ({
  secret,
  prove: () => ({ headers: { [name]: prefix + secretOf(secret) } }),
});

/** By the id of the source; `broken` and `tasks` take nothing. */
export const SENDERS = {
  orders: signed('ORDERS_HMAC'),
  odd: signed('ODD_HMAC'),
  quiet: signed('QUIET_HMAC'),
  leads: {
    secret: 'LEADS_HMAC',
    prove: (body) => {
      const time = seconds();
      return {
        headers: { 'x-time': time, 'x-signature': hmac(secretOf('LEADS_HMAC'), `${time}.${body}`) },
      };
    },
  },
  'by-hash': {
    secret: 'HASH_SECRET',
    prove: (body) => ({
      headers: {
        'x-hash': createHash('sha256')
          .update(secretOf('HASH_SECRET') + body)
          .digest('hex'),
      },
    }),
  },
  'by-header': inHeader('HEADER_TOKEN', 'x-token'),
  'by-bearer': inHeader('BEARER_TOKEN', 'authorization', 'Bearer '),
  'by-query': {
    secret: 'QUERY_TOKEN',
    prove: () => ({ query: `k=${encodeURIComponent(secretOf('QUERY_TOKEN'))}` }),
  },
  'by-path': {
    secret: 'PATH_TOKEN',
    prove: () => ({ path: `/${encodeURIComponent(secretOf('PATH_TOKEN'))}` }),
  },
  'by-body': {
    secret: 'BODY_TOKEN',
    prove: (body) => ({ body: withFirst(body, { auth: { code: secretOf('BODY_TOKEN'), by: 'us' } }) }),
  },
  'by-form': {
    secret: 'FORM_TOKEN',
    prove: (body) => ({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...parsed(body), code: secretOf('FORM_TOKEN') }).toString(),
    }),
  },
  'by-basic': {
    secret: 'BASIC_LOGIN',
    prove: () => ({ headers: { authorization: `Basic ${btoa(secretOf('BASIC_LOGIN'))}` } }),
  },
  'by-jwt': {
    secret: 'JWT_SECRET',
    prove: () => ({ headers: { authorization: `Bearer ${jwt(secretOf('JWT_SECRET'))}` } }),
  },
  'by-either': inHeader('SPLIT_SECRETS', 'x-either'),
  standard: {
    secret: 'STANDARD_SECRET',
    prove: (body) => {
      const [id, time] = ['msg_canary', seconds()];
      const key = atob(secretOf('STANDARD_SECRET').slice('whsec_'.length));
      return {
        headers: {
          'webhook-id': id,
          'webhook-timestamp': time,
          'webhook-signature': `v1,${hmac(key, `${id}.${time}.${body}`, 'base64')}`,
        },
      };
    },
  },
  slack: {
    secret: 'SLACK_SECRET',
    prove: (body) => {
      const time = seconds();
      return {
        headers: {
          'x-slack-request-timestamp': time,
          'x-slack-signature': `v0=${hmac(secretOf('SLACK_SECRET'), `v0:${time}:${body}`)}`,
        },
      };
    },
  },
  meta: {
    secret: 'META_APP_SECRET',
    prove: (body) => ({
      headers: { 'x-hub-signature-256': `sha256=${hmac(secretOf('META_APP_SECRET'), body)}` },
    }),
  },
} as const satisfies Readonly<Record<string, Sender>>;

export type SenderId = keyof typeof SENDERS;
const isSender = (id: string): id is SenderId => Object.hasOwn(SENDERS, id);
export const SENDER_IDS: readonly SenderId[] = Object.keys(SENDERS).filter(isSender);

const texts = z.record(z.string(), z.string());
const parsed = (body: string): Readonly<Record<string, string>> => texts.parse(JSON.parse(body));

const withFirst = (body: string, first: object): string => JSON.stringify({ ...first, ...parsed(body) });

const jwtPart = (value: object): string => base64url(JSON.stringify(value));

function jwt(secret: string): string {
  const exp = Math.floor(Date.now() / 1_000) + 60;
  const head = `${jwtPart({ alg: 'HS256', typ: 'JWT' })}.${jwtPart({ iss: 'us', exp })}`;
  return `${head}.${hmac(secret, head, 'base64url')}`;
}

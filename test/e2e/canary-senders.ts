import { createHash, createHmac } from 'node:crypto';
import * as z from 'zod';
import type { Answered, Ask } from './canary-stage.ts';
import { base64url, GUESS, PAYLOAD_TEXT, secretOf, type SecretName } from './canary-values.ts';

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
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const seconds = (): string => String(Math.floor(Date.now() / 1_000));
const sender = (secret: SecretName, prove: (value: string, body: string) => Proof): Sender => ({
  secret,
  prove: (body) => prove(secretOf(secret), body),
});
const inHeaders = (
  secret: SecretName,
  headers: (value: string, body: string) => Readonly<Record<string, string>>,
): Sender => sender(secret, (value, body) => ({ headers: headers(value, body) }));
const signed = (secret: SecretName): Sender =>
  inHeaders(secret, (key, body) => ({ 'x-signature': hmac(key, body) }));

/** By the id of the source; `broken` and `tasks` take nothing. */
export const SENDERS = {
  orders: signed('ORDERS_HMAC'),
  odd: signed('ODD_HMAC'),
  quiet: signed('QUIET_HMAC'),
  leads: inHeaders('LEADS_HMAC', (key, body) => {
    const time = seconds();
    return { 'x-time': time, 'x-signature': hmac(key, `${time}.${body}`) };
  }),
  'by-hash': inHeaders('HASH_SECRET', (secret, body) => ({ 'x-hash': sha256(secret + body) })),
  'by-header': inHeaders('HEADER_TOKEN', (token) => ({ 'x-token': token })),
  'by-bearer': inHeaders('BEARER_TOKEN', (token) => ({ authorization: `Bearer ${token}` })),
  'by-query': sender('QUERY_TOKEN', (token) => ({ query: `k=${encodeURIComponent(token)}` })),
  'by-path': sender('PATH_TOKEN', (token) => ({ path: `/${encodeURIComponent(token)}` })),
  'by-body': sender('BODY_TOKEN', (code, body) => ({
    body: JSON.stringify({ auth: { code, by: 'us' }, ...parsed(body) }),
  })),
  'by-form': sender('FORM_TOKEN', (code, body) => ({
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...parsed(body), code }).toString(),
  })),
  'by-basic': inHeaders('BASIC_LOGIN', (login) => ({ authorization: `Basic ${btoa(login)}` })),
  'by-jwt': inHeaders('JWT_SECRET', (secret) => ({ authorization: `Bearer ${jwt(secret)}` })),
  'by-either': inHeaders('SPLIT_SECRETS', (token) => ({ 'x-either': token })),
  standard: inHeaders('STANDARD_SECRET', (secret, body) => {
    const [id, time] = ['msg_canary', seconds()];
    const signature = hmac(atob(secret.slice('whsec_'.length)), `${id}.${time}.${body}`, 'base64');
    return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` };
  }),
  slack: inHeaders('SLACK_SECRET', (secret, body) => {
    const time = seconds();
    const signature = `v0=${hmac(secret, `v0:${time}:${body}`)}`;
    return { 'x-slack-request-timestamp': time, 'x-slack-signature': signature };
  }),
  meta: inHeaders('META_APP_SECRET', (secret, body) => ({
    'x-hub-signature-256': `sha256=${hmac(secret, body)}`,
  })),
} as const satisfies Readonly<Record<string, Sender>>;

export type SenderId = keyof typeof SENDERS;
const isSender = (id: string): id is SenderId => Object.hasOwn(SENDERS, id);
export const SENDER_IDS: readonly SenderId[] = Object.keys(SENDERS).filter(isSender);

const texts = z.record(z.string(), z.string());
const parsed = (body: string): Readonly<Record<string, string>> => texts.parse(JSON.parse(body));

const jwtPart = (value: object): string => base64url(JSON.stringify(value));

function jwt(secret: string): string {
  const exp = Math.floor(Date.now() / 1_000) + 60;
  const head = `${jwtPart({ alg: 'HS256', typ: 'JWT' })}.${jwtPart({ iss: 'us', exp })}`;
  return `${head}.${hmac(secret, head, 'base64url')}`;
}

const say = (message: string): object => ({ kind: 'text', message });

const TO_PHONE = {
  name: 'all',
  to: '{{ payload.phone }}',
  send: say('{{ payload.text }}'),
};

/** A source of the generic provider that sends each payload's `text` to its `phone`. */
const source = (secrets: readonly SecretName[], verify: object, more: object = {}): object => ({
  verify,
  secrets,
  dedupe: { key: '{{ payload.id }}' },
  routes: [TO_PHONE],
  ...more,
});

const HMAC = { scheme: 'hmac', header: 'X-Signature' };
const TIMED = { ...HMAC, signed: '{ts}.{raw_body}', timestamp: { header: 'X-Time' } };
const byToken = (more: object): object => ({ scheme: 'token', ...more });

/** As much as a moment allows: what is looked at here is not the pace. */
const ACCOUNT = { rate: false, per_recipient: false, timeout: '400ms', retry: ['100ms', '100ms'] };

/** Every kind of scheme, each with a secret of its own; `noticeUrl` is where owners are notified. */
export const canaryConfig = (noticeUrl: string): object => ({
  sources: {
    orders: source(['ORDERS_HMAC'], HMAC),
    leads: source(['LEADS_HMAC'], TIMED, { account: 'sales' }),
    odd: source(['ODD_HMAC'], HMAC, { account: 'odd' }),
    quiet: source(['QUIET_HMAC'], HMAC, { store: 'metadata' }),
    'by-hash': source(['HASH_SECRET'], { scheme: 'hash', header: 'X-Hash', signed: '{secret}{raw_body}' }),
    'by-header': source(['HEADER_TOKEN'], byToken({ in: 'header', name: 'X-Token' })),
    'by-bearer': source(
      ['BEARER_TOKEN'],
      byToken({ in: 'header', name: 'Authorization', prefix: 'Bearer ' }),
    ),
    'by-query': source(['QUERY_TOKEN'], byToken({ in: 'query', name: 'k' })),
    'by-path': source(['PATH_TOKEN'], byToken({ in: 'path' })),
    'by-body': source(['BODY_TOKEN'], byToken({ in: 'body', name: 'auth.code' })),
    'by-form': source(['FORM_TOKEN'], byToken({ in: 'body', name: 'code' })),
    'by-basic': source(['BASIC_LOGIN'], { scheme: 'basic' }),
    'by-jwt': source(['JWT_SECRET'], {
      scheme: 'jwt',
      header: 'Authorization',
      prefix: 'Bearer ',
      unsigned_body: true,
    }),
    'by-either': source(['SPLIT_SECRETS'], {
      scheme: 'any',
      of: [{ ...HMAC, secret_separator: '|' }, byToken({ in: 'header', name: 'X-Either' })],
    }),
    standard: { provider: 'standard-webhooks', secrets: ['STANDARD_SECRET'], routes: [TO_PHONE] },
    broken: { provider: 'standard-webhooks', secrets: ['BROKEN_SECRET'], routes: [TO_PHONE] },
    slack: { provider: 'slack', secrets: ['SLACK_SECRET'], routes: [TO_PHONE] },
    meta: {
      provider: 'meta-whatsapp',
      secrets: ['META_APP_SECRET'],
      handshake: { secret: 'META_VERIFY_TOKEN' },
      routes: [TO_PHONE],
    },
    tasks: { provider: 'asana' },
  },
  templates: { greeting: say('Hello {{ payload.name }}') },
  recipients: { office: { numbers: ['4915187654321'] } },
  accounts: {
    default: {
      ...ACCOUNT,
      circuit: { failures: 1_000 },
      permanent_errors: ['never$'],
      notify: { url: `${noticeUrl}/default/{secret}`, secret: 'NOTIFY_PATH' },
    },
    sales: {
      ...ACCOUNT,
      circuit: { failures: 2, probe: '200ms' },
      notify: { url: `${noticeUrl}/sales?key={secret}`, secret: 'NOTIFY_PATH', format: 'slack' },
    },
    odd: { ...ACCOUNT, circuit: { failures: 1_000 } },
  },
});

/** A webhook as its sender means it; `extra` goes along unasked for. */
export function post(ask: Ask, id: SenderId, payload: object, extra: Proof = {}): Promise<Answered> {
  const body = JSON.stringify(payload);
  const proof: Proof = SENDERS[id].prove(body);
  const query = [proof.query, extra.query].filter((one) => one !== undefined).join('&');
  return ask(`/hooks/${id}`, 'POST', `/hooks/${id}${proof.path ?? ''}${query === '' ? '' : `?${query}`}`, {
    headers: { 'content-type': 'application/json', ...extra.headers, ...proof.headers },
    body: proof.body ?? body,
  });
}

/** A webhook that is right, with its secret in further places, as some senders have it. */
export function postTwiceOver(ask: Ask, id: SenderId, payload: object): Promise<Answered> {
  const secret = secretOf(SENDERS[id].secret);
  const encoded = encodeURIComponent(secret);
  return post(ask, id, payload, {
    query: `note=${encoded}&token=${encoded}&${encoded}=1`,
    headers: { 'x-note': `it is ${secret}`, 'x-sender-key': secret, cookie: secret, referer: `/?${secret}` },
  });
}

/** The right secret in every place where it is not looked for, and what else a sender may get wrong. */
export async function postWrongly(ask: Ask, id: SenderId): Promise<readonly number[]> {
  const secret = secretOf(SENDERS[id].secret);
  const encoded = encodeURIComponent(secret);
  const place = `/hooks/${id}`;
  const body = JSON.stringify({ id: 'wrong', text: PAYLOAD_TEXT.value });
  const json = { 'content-type': 'application/json' };
  const wrong: readonly Proof[] = [
    {},
    ...['k', 'token', 'note', encoded].map((name) => ({ query: `${name}=${encoded}` })),
    ...['x-debug', 'referer', 'user-agent', 'cookie', 'x-signature', 'x-hook-secret'].map((name) => ({
      headers: { ...json, [name]: secret },
    })),
    { headers: { ...json, authorization: `Bearer ${secret.slice(0, -1)}` } },
    { headers: { ...json, authorization: `Basic ${btoa(`wrong:${secret}`)}` } },
    { headers: { 'content-type': `application/${secret}` } },
    { headers: { ...json, 'x-token': GUESS.value, 'x-signature': GUESS.value } },
    { body: JSON.stringify({ secret, auth: { code: `${secret}x` }, code: secret.slice(1) }) },
    { body: `{"secret": "${secret}` },
    { body: secret, headers: { 'content-type': 'text/plain' } },
    { path: `/${encoded}x` },
    { path: `/more/${encoded}` },
  ];
  const statuses: number[] = [];
  for (const one of wrong) {
    const path = `${place}${one.path ?? ''}${one.query === undefined ? '' : `?${one.query}`}`;
    const answered = await ask(place, 'POST', path, {
      headers: one.headers ?? json,
      body: one.body ?? body,
    });
    statuses.push(answered.status);
  }
  for (const method of ['GET', 'DELETE', 'OPTIONS', 'HEAD'])
    statuses.push((await ask(place, method, `${place}?token=${encoded}`)).status);
  // The secret where the source's name should be, and as a path of its own.
  for (const path of [
    `/hooks/${encoded}`,
    `/${encoded}`,
    `/hooks/a/b/${encoded}`,
    `/hooks/%E0%A4%A${encoded}`,
  ])
    statuses.push((await ask('somewhere', 'POST', path, { headers: json, body })).status);
  return statuses;
}

/** Of a verified sender, whose bodies nobody can make sense of. */
export async function postMalformed(ask: Ask, id: 'by-header' | 'by-basic' | 'by-path'): Promise<void> {
  const { headers = {}, path = '' }: Proof = SENDERS[id].prove('');
  const secret = secretOf(SENDERS[id].secret);
  const bodies = [
    ['application/json', `{"secret": "${secret}", ${PAYLOAD_TEXT.value}`],
    ['application/xml', `<a>${secret}</b>`],
    ['application/x-www-form-urlencoded', `code=%ff${secret}&=%zz`],
    ['multipart/form-data; boundary=x', `--x\r\n${secret}`],
    [`text/plain; charset=${secret}`, 'text'],
    [`application/x-${secret}`, 'text'],
    [secret, 'text'],
  ] as const;
  for (const [type, body] of bodies)
    await ask(`/hooks/${id}`, 'POST', `/hooks/${id}${path}`, {
      headers: { ...headers, 'content-type': type },
      body,
    });
}

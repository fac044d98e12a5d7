import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { lookUntil } from '../eventually.ts';
import type { Answered, Ask } from './canary-stage.ts';
import { GUESS, secretOf } from './canary-values.ts';
import { PATIENCE_MS } from './real-time.ts';

const API = '/admin/api/v1';

/** A call of the admin API with its token. `place`: the route, where the path has a value in it. */
export const admin =
  (ask: Ask, tokenName: 'ADMIN_TOKEN' | 'ADMIN_TOKEN_NEXT' = 'ADMIN_TOKEN') =>
  (method: string, path: string, body?: unknown, place = path.split('?')[0] ?? ''): Promise<Answered> =>
    ask(API + place, method, API + path, {
      headers: { authorization: `Bearer ${secretOf(tokenName)}` },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });

export type Admin = ReturnType<typeof admin>;

const file = join(import.meta.dirname, '../../assets/admin/openapi.json');
const { paths } = z
  .object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
  .parse(JSON.parse(readFileSync(file, 'utf8')));

/** Every route of the API, from its own description: `GET /events/{id}`. */
export const ROUTES: readonly string[] = Object.entries(paths).flatMap(([path, methods]) =>
  ['get', 'put', 'post', 'delete']
    .filter((method) => Object.hasOwn(methods, method))
    .map((method) => `${method.toUpperCase()} ${path}`),
);

const statusSchema = z.object({ queued: z.number(), retrying: z.number(), sending: z.number() });

/** Waits until the calls that were started have come to an end, one way or another. */
export async function settled(call: Admin, ...accounts: readonly string[]): Promise<void> {
  for (const account of accounts) {
    const waitingIn = async (): Promise<number> => {
      const { text } = await call('GET', `/accounts/${account}/status`);
      const { queued, retrying, sending } = statusSchema.parse(JSON.parse(text));
      return queued + retrying + sending;
    };
    const waiting = await lookUntil(waitingIn, (n) => n === 0, { withinMs: PATIENCE_MS, eachMs: 50 });
    if (waiting > 0) throw new Error(`${waiting} messages of ${account} still wait`);
  }
}

/** Logins that must fail: wrong tokens, and the right one where it is not looked for. */
export async function knockWrongly(ask: Ask): Promise<readonly number[]> {
  const token = secretOf('ADMIN_TOKEN');
  const encoded = encodeURIComponent(token);
  const garbled = [token.slice(1), `${token}x`, token.toUpperCase(), `${token},${token}`];
  const headers: readonly Readonly<Record<string, string>>[] = [
    ...[GUESS.value, ...garbled].map((wrong) => ({ authorization: `Bearer ${wrong}` })),
    { authorization: token },
    { authorization: `Basic ${btoa(`admin:${token}`)}` },
    { authorization: `Token ${token}` },
    { 'x-admin-token': token },
    { cookie: `token=${token}; CF_Authorization=${token}` },
    { 'cf-access-jwt-assertion': token },
    { 'cf-access-jwt-assertion': `${btoa('{"alg":"none","kid":"x"}')}.${btoa(token)}.x` },
  ];
  const statuses: number[] = [];
  for (const path of [`${API}/config`, '/metrics', `${API}/tail`]) {
    for (const one of headers) statuses.push((await ask(path, 'GET', path, { headers: one })).status);
    const query = `?token=${encoded}&access_token=${encoded}`;
    statuses.push((await ask(path, 'GET', path + query)).status);
  }
  return statuses;
}

/** All that an admin can read: every list to its end, every event and message on its own. */
export async function readEverything(call: Admin): Promise<void> {
  for (const route of ROUTES) {
    const [method, path = ''] = route.split(' ');
    if (method === 'GET' && !path.includes('{')) await call('GET', path);
  }
  for (const path of [
    '/stats/series?metric=events',
    '/stats/series?metric=rejected',
    '/providers/stripe',
    '/nothing',
  ])
    await call('GET', path);
  await call('POST', '/doctor');
  await call('POST', '/session/link');
  await call('POST', '/invitations', { name: 'Ada', role: 'viewer' });
  await call('POST', '/search', { number: '+49 151 000 000 00' });
  await call('POST', '/silences/preview', { when: 'true' });
  for (const change of ['acknowledge', 'resolve'])
    await call('POST', `/incidents/${change}?dry_run=true`, { source: 'orders' });
  for (const account of ['default', 'sales', 'odd']) await call('GET', `/accounts/${account}/status`);
  for (const list of ['events', 'messages'])
    for (const id of await idsOf(call, list)) await call('GET', `/${list}/${id}`, undefined, `/${list}/{id}`);
  const { text } = await call('GET', '/rejections?limit=5');
  for (const { n } of rejectionsSchema.parse(JSON.parse(text)).items) {
    await call('GET', `/rejections/${n}`, undefined, '/rejections/{n}');
    // No spam, so it is refused.
    await call('POST', `/rejections/${n}/release`, undefined, '/rejections/{n}/release');
  }
}

const rejectionsSchema = z.object({ items: z.array(z.object({ n: z.number() })) });
const pageSchema = z.object({ items: z.array(z.object({ id: z.string() })) });

/** The ids of a list, newest first. */
export async function idsOf(call: Admin, list: string, filter = ''): Promise<readonly string[]> {
  const { text } = await call('GET', `/${list}?limit=200${filter}`);
  return pageSchema.parse(JSON.parse(text)).items.map(({ id }) => id);
}

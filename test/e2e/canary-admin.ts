import { request } from 'node:http';
import * as z from 'zod';
import { lookUntil } from '../eventually.ts';
import { readable } from './canary-bytes.ts';
import type { Trace } from './canary-search.ts';
import type { Answered, Ask, CanaryStage } from './canary-stage.ts';
import { GUESS, secretOf } from './canary-values.ts';

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

/** Waits until the calls that were started have come to an end, one way or another. */
export async function settled(call: Admin, accounts: readonly string[], withinMs: number): Promise<void> {
  const waitingIn = async (account: string): Promise<number> => {
    const { text } = await call('GET', `/accounts/${account}/status`);
    const { queued, retrying, sending } = statusSchema.parse(JSON.parse(text));
    return queued + retrying + sending;
  };
  const deadline = Date.now() + withinMs;
  for (const account of accounts) {
    const waiting = await lookUntil(
      () => waitingIn(account),
      (count) => count === 0,
      { withinMs: deadline - Date.now(), eachMs: 50 },
    );
    if (waiting > 0) throw new Error(`${waiting} messages of ${account} still wait`);
  }
}

const statusSchema = z.object({ queued: z.number(), retrying: z.number(), sending: z.number() });

/** Logins that must fail: wrong tokens, and the right one where it is not looked for. */
export async function knockWrongly(ask: Ask): Promise<readonly number[]> {
  const token = secretOf('ADMIN_TOKEN');
  const encoded = encodeURIComponent(token);
  const garbled = [token.slice(1), `${token}x`, token.toUpperCase(), `${token},${token}`];
  const tries = [
    ...[GUESS.value, ...garbled].map((wrong) => ({ headers: { authorization: `Bearer ${wrong}` } })),
    { headers: { authorization: token } },
    { headers: { authorization: `Basic ${btoa(`admin:${token}`)}` } },
    { headers: { authorization: `Token ${token}` } },
    { headers: { 'x-admin-token': token } },
    { headers: { cookie: `token=${token}; CF_Authorization=${token}` } },
    { headers: { 'cf-access-jwt-assertion': token } },
    { headers: { 'cf-access-jwt-assertion': `${btoa('{"alg":"none","kid":"x"}')}.${btoa(token)}.x` } },
    { query: `?token=${encoded}&access_token=${encoded}` },
  ];
  const statuses: number[] = [];
  for (const path of [`${API}/config`, '/metrics', `${API}/tail`]) {
    for (const one of tries) {
      const query = 'query' in one ? one.query : '';
      statuses.push((await ask(path, 'GET', path + query, 'headers' in one ? one : {})).status);
    }
  }
  return statuses;
}

/** The frames of the tail until it is stopped, as they come over the wire. */
export async function watchTail({ url }: CanaryStage): Promise<{ stop: () => readonly Trace[] }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ stop: () => readonly Trace[] }>();
  const opening = request(`${url}${API}/tail`, {
    headers: {
      authorization: `Bearer ${secretOf('ADMIN_TOKEN')}`,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': btoa('sixteen bytes ..'),
    },
  });
  opening.once('error', reject);
  opening.once('response', ({ statusCode }) => reject(new Error(`no tail: ${statusCode}`)));
  opening.once('upgrade', (_response, socket, head) => {
    // A server's frames are not masked.
    let text = readable(head);
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => (text += chunk));
    // The relay is killed under it.
    socket.on('error', () => undefined);
    resolve({ stop: () => (socket.destroy(), tailTraces(text)) });
  });
  opening.end();
  return promise;
}

/** A subject is made of the payload: the only part of the tail that may show its words. */
function tailTraces(text: string): readonly Trace[] {
  const subject = /"subject":"(?:[^"\\]|\\.)*"/g;
  return [
    { place: 'tail', text: text.replaceAll(subject, '') },
    { place: 'subjects of the tail', text: (text.match(subject) ?? []).join('\n') },
  ];
}

/** All that an admin can read: every list to its end, every event and message on its own. */
export async function readEverything(call: Admin): Promise<void> {
  for (const path of [
    '/config',
    '/config/versions',
    '/config/files',
    '/sources',
    '/templates',
    '/recipients',
    '/silences',
    '/suppressions',
    '/incidents',
    '/open-incidents',
    '/done',
    '/release',
    '/session',
    '/sessions',
    '/accounts',
    '/status',
    '/many?paths=/config+/stats+/doctor',
    '/rejections',
    '/stats',
    '/stats/series?metric=events',
    '/stats/series?metric=rejected',
    '/metrics',
    '/doctor',
    '/providers',
    '/providers/stripe',
    '/openapi.json',
    '/docs',
    '/nothing',
  ])
    await call('GET', path);
  await call('POST', '/doctor');
  await call('POST', '/session/link');
  await call('POST', '/invitations', { name: 'Ada', role: 'viewer' });
  await call('POST', '/search', { number: '+49 151 000 000 00' });
  await call('POST', '/silences/preview', { when: 'true' });
  await call('POST', '/done', { card: 'source:orders', mark: 1 });
  await call('DELETE', '/done?card=source:orders');
  await call('PUT', '/release', { version: '0.1.1', since: '0.1.0', changes: [] });
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

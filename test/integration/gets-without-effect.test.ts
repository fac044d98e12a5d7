import { env, exports } from 'cloudflare:workers';
import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { ROUTES } from '../../api-docs/routes.ts';
import { app } from '../../src/app.ts';
import { registry } from '../../src/config/load.ts';
import { eventually } from './outside.ts';
import { take } from './posted.ts';
import { admin, callsTo, config, isSent, message, postJson, publish, UNPACED } from './relay.ts';
import { open, text } from './sources.ts';

const ADMIN = '/admin/api/v1';
const PHONE = '4915112359001';
const ASKED = '4915112359002';
const TOKEN = { authorization: 'Bearer admin-token-of-the-tests' };

/** Ids of what there is, once it is there. */
const ids = { sent: '', waiting: '', event: '', failed: '', link: '', calendar: '' };

/** The addresses to ask under each route: whole paths below it, with every query that it knows. */
const addresses = (): Readonly<Record<string, readonly string[]>> => ({
  '/health': ['/health'],
  '/metrics': ['/metrics'],
  '/a': ['/a'],
  '/a/': ['/a/'],
  '/a/:token': [ids.link],
  '/A': ['/A'],
  '/A/': ['/A/'],
  '/A/:token': [ids.link.toUpperCase()],
  '/calendar/:file': [ids.calendar],
  ...Object.fromEntries(
    Object.entries(adminAddresses()).map(([path, all]) => [ADMIN + path, all.map((one) => ADMIN + one)]),
  ),
});

/** With the queries and names that each is asked with, where it is not asked just as it is. */
const adminAddresses = (): Readonly<Record<string, readonly string[]>> => ({
  ...Object.fromEntries(
    [
      '/openapi.json /accounts /config/files /doctor /sources /templates /recipients /silences',
      '/session /sessions /open-incidents /metrics /stats /status /providers',
    ]
      .flatMap((line) => line.split(' '))
      .map((path) => [path, [path]]),
  ),
  '/accounts/:name': ['/accounts/default', '/accounts/sales'],
  '/accounts/:name/status': ['/accounts/default/status', '/accounts/sales/status'],
  '/config': ['/config', '/config?version=1'],
  '/config/versions': ['/config/versions', '/config/versions?limit=1'],
  '/rejections': ['/rejections', '/rejections?limit=1'],
  '/rejections/:n': ['/rejections/1'],
  '/sources/:id': ['/sources/form', '/sources/tasks'],
  '/sources/:id/pair': ['/sources/tasks/pair', '/sources/open-window/pair', '/sources/closed/pair'],
  '/templates/:name': ['/templates/hello'],
  '/recipients/:name': ['/recipients/team'],
  '/recipients/:name/on-call': ['/recipients/team/on-call'],
  '/suppressions': ['/suppressions', '/suppressions?limit=1'],
  '/suppressions/:phone': ['/suppressions/4915112345678'],
  '/silences/:id': ['/silences/nights'],
  '/events': [
    '/events',
    '/events?limit=1&source=form',
    '/events?state=failed&since=1h',
    '/events?text=4915&until=1ms',
  ],
  '/events/:id': [`/events/${ids.event}`, `/events/${ids.failed}`],
  '/incidents': ['/incidents', '/incidents?source=alerts&state=open&limit=1'],
  '/incidents/:id': [`/incidents/${encodeURIComponent('alerts/reported/disk')}`],
  '/messages': ['/messages', `/messages?phone=${PHONE}&state=sent&limit=1`, `/messages?event=${ids.event}`],
  '/messages/:id': [`/messages/${ids.sent}`, `/messages/${ids.waiting}`],
  '/stats/series': ['/stats/series?metric=sent', '/stats/series?metric=rejected&step=1h'],
  '/providers/:id': ['/providers/stripe'],
  '/tail': ['/tail', '/tail?source=form&type=event'],
});

/** The answers that are not 200, by route: a link needs a token. */
const STATUSES: ReadonlyMap<string, number> = new Map(['/a', '/a/', '/A', '/A/'].map((path) => [path, 404]));

/**
 * Every route that a GET reaches, as the router has it. Middleware is none. Webhooks are left out: a cookie opens nothing
 * there, and a handshake that is a GET is the sender's.
 */
const getRoutes = (): readonly string[] => [
  ...new Set(
    app.routes
      .filter(({ method, path }) => (method === 'GET' || method === 'ALL') && !/\*|^\/hooks\//.test(path))
      .map(({ path }) => path),
  ),
];

/** Everything that is stored: each table of each object, its alarm, and KV. */
async function stored(): Promise<Readonly<Record<string, unknown>>> {
  const found: Record<string, unknown> = { registry: await contents(registry(env)) };
  for (const id of await listDurableObjectIds(env.OUTBOX))
    found[id.toString()] = await contents(env.OUTBOX.get(id));
  found['registries'] = (await listDurableObjectIds(env.REGISTRY)).map(String);
  const { keys } = await config.list();
  for (const { name } of keys) found[`kv ${name}`] = await config.getWithMetadata(name);
  return found;
}

const contents = (stub: DurableObjectStub): Promise<unknown> =>
  runInDurableObject(stub, async (_, { storage }) => {
    const tables = storage.sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
      )
      .toArray()
      .map(({ name }) => [name, storage.sql.exec(`SELECT * FROM "${name}"`).toArray()]);
    return { tables, alarm: await storage.getAlarm(), values: [...(await storage.list())] };
  });

const ask = (address: string, method: string, headers: Record<string, string> = TOKEN): Promise<Response> =>
  exports.default.fetch(`https://relay.example${address}`, { method, headers });

/** A relay in use: events of each kind, messages that were sent and that wait, a pause, rejections, pairing windows. */
beforeAll(async () => {
  const send = text('hello');
  const to = '{{ payload.phone }}';
  const incident = { key: '{{ payload.key }}' };
  const group = { wait: '1h', interval: '1h' };
  const asking = { to: ASKED, actions: { yes: { label: 'Yes' } }, send: text('{{ actions.yes.url }}') };
  // fixed date: long ago
  const rotation = { order: ['anna'], every: '1w', from: '2020-01-06T09:00', timezone: 'Europe/Berlin' };
  await publish({ sources: { before: open() } });
  await publish({
    sources: {
      form: open([
        { name: 'now', to, template: 'hello' },
        { name: 'later', to, send, delay: '1d' },
        { name: 'ask', ...asking },
      ]),
      signed: {
        provider: 'stripe',
        secrets: ['STRIPE_SECRET'],
        account: 'sales',
        routes: [{ name: 'x', to: 'team', send }],
      },
      alerts: open([{ name: 'reported', to: PHONE, incident, group, send }]),
      tasks: { provider: 'asana' },
      'open-window': { provider: 'asana' },
      closed: { provider: 'notion' },
    },
    templates: { hello: send },
    recipients: { team: { people: { anna: PHONE }, rotation } },
    silences: { nights: { when: 'event.source == "nobody"' } },
    accounts: { default: UNPACED, sales: {} },
  });
  const { event, messages } = await take('form', { phone: `+${PHONE}` });
  Object.assign(ids, {
    event,
    sent: messages[0],
    waiting: messages[1],
    failed: (await take('form', { phone: '?' })).event,
  });
  await message(ids.sent, isSent);
  await message(messages[2] ?? '', isSent);
  const [asked] = await callsTo(ASKED);
  ids.link = (asked?.params['message'] ?? '').replace('https://relay.example.com', '');
  const onCall = await ask(`${ADMIN}/recipients/team/on-call`, 'GET');
  ids.calendar = new URL((await onCall.json<{ calendar: string }>()).calendar).pathname;
  await admin('PUT', '/suppressions/4915112345678');
  await postJson('signed', {});
  await postJson('alerts', { key: 'disk' });
  for (const id of ['tasks', 'open-window']) await admin('POST', `/sources/${id}/pair`);
  await postJson('tasks', {}, { 'x-hook-secret': 'the-key-that-came' });
  await admin('POST', '/accounts/sales/pause');
  await admin('GET', '/accounts/sales/status');
  // Until nothing moves any more: rejections are recorded after the answer, and the alarm goes on for a moment.
  let last = '';
  await eventually(async () => {
    const now = JSON.stringify(await stored());
    const isStill = now === last;
    last = now;
    expect(isStill && now.includes('missing_header') && now.includes('the-key-that-came')).toBe(true);
  });
});

describe('a GET, which another site’s page can have a browser make under Cloudflare Access,', () => {
  it('is known here for every route, and described', () => {
    expect(Object.keys(addresses()).toSorted()).toEqual(getRoutes().toSorted());
    const described = ROUTES.filter(({ method }) => method === 'GET').map(({ path }) =>
      path.replaceAll(/\{\w+\}/g, ':_'),
    );
    const known = Object.keys(adminAddresses()).map((path) => path.replaceAll(/:\w+/g, ':_'));
    expect(known.toSorted()).toEqual(described.toSorted());
  });

  it.each(['GET', 'HEAD'])('changes nothing that is stored, and calls nobody: %s', async (method) => {
    const outside = vi.spyOn(globalThis, 'fetch');
    const called = (await callsTo('')).length;
    const before = await stored();
    outside.mockClear();
    for (const [route, all] of Object.entries(addresses()))
      for (const address of all) {
        const response = await ask(address, method);
        await response.text();
        expect([address, response.status]).toEqual([address, STATUSES.get(route) ?? 200]);
        expect([address, outside.mock.calls.length]).toEqual([address, 0]);
      }
    outside.mockRestore();
    expect(await stored()).toEqual(before);
    expect(await callsTo('')).toHaveLength(called);
  });
});

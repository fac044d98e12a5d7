import * as z from 'zod/mini';
import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { beforeAll, expect, it, vi } from 'vitest';
import type { RouteSpec } from '../../api-docs/routes.ts';
import { problemsOf, typeOf } from '../../api-docs/problems.ts';
import { activated, providerPage } from '../../src/admin/config/api-config.ts';
import { incident as incidentSchema } from '../../src/answers/api-incident.ts';
import { message as messageSchema } from '../../src/answers/api-message.ts';
import { byHand } from '../../src/answers/api-registry.ts';
import { MAX_BY_HAND } from '../../src/registry/overlay.ts';
import { MAX_SUPPRESSIONS } from '../../src/config/compiled/config.ts';
import { sessionLink, sessionPage } from '../../src/admin/api-sessions.ts';
import { exampleSet } from '../../api-docs/routes/documents.ts';
import { eventually, lookUntil } from '../eventually.ts';
import { newTeam } from '../admin/access-tokens.ts';
import { knock } from '../admin/knock.ts';
import { callWith } from '../admin/support.ts';
import { GHOST } from '../config/ghost.ts';
import { isSent, message, post, postJson, script } from '../integration/relay.ts';
import { ask, routes, seen, type Ask } from './session.ts';

/** The queries that name what there is not. */
const NOT_THERE: Readonly<Record<string, string>> = {
  '/config': '?version=999999',
  '/config/files': '?path=none.yaml',
};

/** The path of a thing that does not exist. */
const NONE = { at: ['none', 'none'] };

const ALL = { name: 'all', to: '{{ payload.phone }}', template: 'hello' };
const form = (change: object = {}) => ({
  verify: { scheme: 'none' },
  country: 'DE',
  routes: [
    ALL,
    { name: 'owners', when: 'payload.loud', to: 'owners', send: { kind: 'text', message: 'Loud' } },
  ],
  ...change,
});

/** An override of the list `1`. */
const LATER = { person: 'ben', from: '2030-02-01T00:00', to: '2030-02-02T00:00' };

const ALERT = { incident: { key: '{{ payload.name }}' }, send: { kind: 'text', message: '{{ count }}' } };
const WEEKLY = { order: ['ada'], every: '1w', from: '2026-01-01T00:00', timezone: 'UTC', overrides: [LATER] };
const SET = {
  sources: {
    forms: form(),
    secret: form({ store: 'metadata' }),
    tasks: { provider: 'asana' },
    shop: { provider: 'stripe', secrets: ['STRIPE_SECRET'], heartbeat: '1d' },
    contact: { provider: 'html-form', origins: ['https://shop.example'], spam: { honeypot: 'website' } },
    sales: form({ account: 'sales' }),
    blog: { provider: 'gazette', secrets: ['STRIPE_SECRET'] },
    alerts: form({ routes: [{ name: 'on-call', to: '4915187650009', ...ALERT }] }),
  },
  templates: {
    hello: { kind: 'text', message: 'Hello {{ payload.name }}' },
    idle: { kind: 'status', text: 'x' },
  },
  recipients: {
    owners: { numbers: ['4915187650001'] },
    // Whoever asks about any document asks about this name.
    '1': { people: { ada: '4915187650011', ben: '4915187650012' }, rotation: WEEKLY },
  },
  accounts: {
    default: { rate: false, per_recipient: false, retry: ['1h'] },
    sales: { rate: { per_minute: 600 } },
  },
  silences: { night: { when: 'event.source == "none"' } },
  providers: { gazette: GHOST },
};

const COLLECTIONS = [
  ['Source', 'Sources', 'forms', form()],
  ['Template', 'Templates', 'hello', SET.templates.hello],
  ['Recipients', 'RecipientsLists', 'owners', SET.recipients.owners],
  ['Account', 'Accounts', 'sales', SET.accounts.sales],
  ['Silence', 'Silences', 'night', SET.silences.night],
  ['Provider', 'Providers', 'gazette', GHOST],
] as const;

/** The routes that may answer with an error. */
const giving = (name: string) =>
  [...routes.values()].filter((route) => problemsOf(route).some((one) => one === name));

async function expectProblem(problem: string, id: string, given?: Ask): Promise<void> {
  expect((await ask(id, given)).problem, id).toBe(problem);
}

/** `ask` throws unless the relay really answers as its description says, to the last key. */
beforeAll(async () => {
  await ask('publishConfig', { body: SET });
});

it('the answers of the relay about documents', async () => {
  for (const [Id, Ids, name, body] of COLLECTIONS) {
    await ask(`list${Ids}`);
    await ask(`get${Id}`, { at: [name] });
    await ask(`put${Id}`, { at: [name], body });
    await ask(`put${Id}`, { at: ['another'], query: '?dry_run=true', body });
    await ask(`put${Id}`, { at: ['another'], body });
    await ask(`delete${Id}`, { at: ['another'] });
    await expectProblem('invalid-configuration', `put${Id}`, { at: ['odd'], body: { odd: true } });
  }
});

it('the answers of the relay about who is on call', async () => {
  await ask('getOnCall', { at: [1] });
  await ask('addOverride', { at: [1], body: OVERRIDE });
  await ask('addOverride', { at: [1], body: OVERRIDE });
  await ask('getOnCall', { at: [1], query: `?at=${FROM}` });
  await expectProblem('invalid', 'addOverride', { at: [1], body: { ...OVERRIDE, person: 'zoe' } });
  const deleted = { at: [1, OVERRIDE.from] };
  await ask('deleteOverride', deleted);
  await expectProblem('not-found', 'deleteOverride', deleted);
  for (let n = 0; n < 100; n += 1)
    await ask('addOverride', { at: [1], body: { ...OVERRIDE, person: n % 2 === 0 ? 'ben' : 'ada' } });
  await expectProblem('conflict', 'addOverride', { at: [1], body: OVERRIDE });
  await expectProblem('not-found', 'getOnCall', { at: ['owners'] });
  await ask('revokeCalendar', { at: [1] });
  await expectProblem('not-found', 'revokeCalendar', { at: ['owners'] });
  await ask('publishConfig', { body: SET });
});

it('the answers of the relay about silences by hand', async () => {
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const body = { when: 'event.source == "none"', until, reason: 'maintenance' };
  const ids: string[] = [];
  for (let n = 0; n < MAX_BY_HAND; n += 1)
    ids.push(byHand.parse((await ask('addSilence', { body })).body).id);
  await expectProblem('conflict', 'addSilence', { body });
  await ask('listSilences');
  for (const id of ids) await ask('deleteSilence', { at: [id] });
  await expectProblem('conflict', 'deleteSilence', { at: ids.slice(0, 1) });
  await expectProblem('invalid', 'deleteSilence', { at: ids.slice(0, 1), query: '?nope=1' });
});

const exec = (sql: string) =>
  runInDurableObject(env.REGISTRY.getByName('registry'), (_, { storage }) => void storage.sql.exec(sql));

it('the answers of the relay about receivers who have opted out', async () => {
  const [phone, other] = ['4915187650002', '4915187650003'];
  await ask('putSuppression', { at: [phone], body: { reason: 'asked' } });
  await ask('putSuppression', { at: [phone] });
  await ask('getSuppression', { at: [phone] });
  await ask('listSuppressions', { query: '?limit=1' });
  await expectProblem('not-found', 'getSuppression', { at: [other] });
  await expectProblem('invalid', 'putSuppression', { at: ['0151'] });
  await exec(
    `INSERT INTO suppressions (phone, at, by, reason)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MAX_SUPPRESSIONS - 1})
       SELECT 491500000000 + i, 0, 'ada', 'x' FROM n`,
  );
  await expectProblem('conflict', 'putSuppression', { at: [other] });
  await exec("DELETE FROM suppressions WHERE by = 'ada'");
  await ask('deleteSuppression', { at: [phone] });
  await expectProblem('not-found', 'deleteSuppression', { at: [phone] });
});

it('the answers of the relay about the whole configuration', async () => {
  const { body } = await ask('exportConfig');
  await ask('publishConfig', { body, query: '?dry_run=true' });
  await ask('listVersions', { query: '?limit=2' });
  const { version } = activated.parse((await ask('publishConfig', { body: SET })).body);
  await ask('activateVersion', { at: [version] });
});

it('the answers of the relay about a set that is kept in git, until it is taken over', async () => {
  const files = { 'recipients/owners.yaml': "numbers: ['4915187650001'] # Ada\n" };
  await ask('publishConfig', { body: { ...SET, files }, query: '?managed=true' });
  await ask('listVersions', { query: '?limit=1' });
  await ask('readConfigFiles');
  await ask('readConfigFiles', { query: '?path=recipients/owners.yaml' });
  for (const { id } of giving('managed')) {
    const body = bodyFor(id);
    await expectProblem('managed', id, { at: atFor(id), ...(body !== undefined && { body }) });
  }
  await ask('activateVersion', { at: [1], query: '?managed=true' });
  await ask('publishConfig', { body: SET, query: '?managed=true' });
  await ask('takeOverConfig', { body: { name: 'Ann' } });
  await expectProblem('conflict', 'takeOverConfig', { body: { name: 'Ann' } });
  await ask('listVersions', { query: '?limit=1' });
});

it('the answers of the relay about pairing, until the key is shown', async () => {
  await ask('getPairing', { at: ['tasks'] });
  await ask('openPairing', { at: ['tasks'] });
  await ask('getPairing', { at: ['tasks'] });
  await post('tasks', '', { 'x-hook-secret': 'b537207f20cbfa02357cf448134da559' });
  expect((await ask('getPairing', { at: ['tasks'] })).body).toMatchObject({ state: 'captured' });
  expect((await ask('takePairedKey', { at: ['tasks'] })).body).toMatchObject({ state: 'taken' });
  await expectProblem('conflict', 'takePairedKey', { at: ['tasks'] });
  await ask('getPairing', { at: ['tasks'] });
  await post('tasks', '', { 'x-hook-secret': 'another-key' });
  expect((await ask('getPairing', { at: ['tasks'] })).body).toMatchObject({ state: 'void' });
  await ask('closePairing', { at: ['tasks'] });
});

it('the answers of the relay about events, messages and what can be done with them', async () => {
  const phone = '4915187650002';
  const { event, messages } = await accepted({ phone, name: 'Ada', loud: true });
  await message(messages[0] ?? '', isSent);
  await ask('listEvents', { query: '?limit=5&source=forms&state=routed&since=1h' });
  await ask('listEvents', { query: '?text=ADA&until=1ms' });
  await ask('getEvent', { at: [event] });
  await ask('replayEvent', { at: [event] });
  await ask('replayEvents', { query: '?dry_run=true', body: { source: 'forms' } });
  await ask('replayEvents', { body: { source: 'forms' } });
  await expectProblem('invalid', 'replayEvents', { body: {} });
  await ask('listMessages', { query: `?limit=5&phone=${phone}&state=sent&event=${event}` });
  await ask('getMessage', { at: messages.slice(0, 1) });
  await expectProblem('conflict', 'retryMessage', { at: messages.slice(0, 1) });
  await expectProblem('conflict', 'cancelMessage', { at: messages.slice(0, 1) });
});

it('the answers of the relay about incidents', async () => {
  const { event } = await accepted({ name: 'disk' }, 'alerts');
  const at = ['alerts/on-call/disk'];
  const reported = await eventually(async () => {
    const { receivers } = incidentSchema.parse((await ask('getIncident', { at })).body);
    const id = receivers[0]?.message;
    if (id === undefined) throw new Error('it is not recorded yet');
    return id;
  });
  expect((await ask('getEvent', { at: [event] })).body).toMatchObject({ items: [{ outcome: 'notified' }] });
  expect((await ask('getMessage', { at: [reported] })).body).toMatchObject({ about: { new: 1 } });
  const query = '?limit=5&source=alerts&route=on-call&state=open&since=1h&critical=false';
  await ask('listIncidents', { query });
  await ask('summarizeIncidents');
  await ask('previewSilence', { body: { when: 'event.source == "alerts"' } });
  expect((await ask('acknowledgeIncident', { at })).body).toMatchObject({ state: 'acknowledged' });
  expect((await ask('resolveIncident', { at })).body).toMatchObject({ state: 'resolved' });
  for (const operation of ['resolveIncident', 'acknowledgeIncident'])
    await expectProblem('conflict', operation, { at });
  for (const operation of ['resolveIncidents', 'acknowledgeIncidents'])
    await ask(operation, { body: { incidents: at } });
});

it('the answers of the relay about an event that fails, and one that nobody keeps', async () => {
  const failed = await accepted({ name: 'no phone' });
  expect((await ask('getEvent', { at: [failed.event] })).body).toMatchObject({ state: 'failed' });
  const kept = await accepted({ phone: '4915187650003' }, 'secret');
  const { body } = await ask('getEvent', { at: [kept.event] });
  expect(body).toMatchObject({ stored: false, payload: null });
  await expectProblem('conflict', 'replayEvent', { at: [kept.event] });
});

it('the answers of the relay about a status, a poll and a message that has to be tried again', async () => {
  await ask('sendMessage', { body: { kind: 'status', text: 'Closed' } });
  const poll = { to: '4915187650005', kind: 'poll', question: 'When?', options: ['Now', 'Later'] };
  await ask('sendMessage', { body: poll });
  const phone = '4915187650004';
  await script(phone, { failure: 'status', status: 500 }, { failure: 'status', status: 500 });
  const sent = await ask('sendMessage', { body: { to: phone, kind: 'text', message: 'Hi' } });
  const { id } = messageSchema.parse(sent.body);
  await message(id, ({ state }) => state === 'retrying');
  await ask('getMessage', { at: [id] });
  await ask('retryMessage', { at: [id] });
  await message(id, ({ state }) => state === 'retrying');
  await ask('cancelMessage', { at: [id] });
  await ask('cancelMessages', { body: { event: 'evt_0', since: '1h' }, query: '?dry_run=true' });
  await ask('cancelMessages', { body: { state: 'uncertain' } });
  await expectProblem('invalid', 'cancelMessages', { body: {} });
  await ask('retryMessages', { body: { state: 'dead', event: 'evt_0' }, query: '?dry_run=true' });
  await ask('retryMessages', { body: { state: 'cancelled', since: '1h' } });
  await message(id, isSent);
});

it('the answers of the relay about accounts', async () => {
  await ask('pauseAccount', { at: ['sales'] });
  await accepted({ phone: '4915187650006' }, 'sales');
  for (const id of ['getAccountStatus', 'resumeAccount']) await ask(id, { at: ['sales'] });
});

it('the answers of the relay about sessions', async () => {
  const own = { origin: 'https://relay.example' };
  const body = { token: 'admin-token-of-the-tests' };
  const opened = await ask('signIn', { body, headers: own, token: null });
  const [cookie = ''] = (opened.headers.get('set-cookie') ?? '').split(';');
  const bySession = { headers: { cookie, ...own }, token: null } as const;
  await ask('getSession', bySession);
  await ask('getSession');
  const { code } = sessionLink.parse((await ask('createSessionLink', bySession)).body);
  await ask('signIn', { body: { code }, token: null });
  expect((await ask('signIn', { body: { code }, token: null })).status).toBe(401);
  await ask('signIn', { body, token: null });
  await ask('invite', { ...bySession, body: { name: 'Ben', role: 'operator' } });
  const { items } = sessionPage.parse((await ask('listSessions', bySession)).body);
  await ask('signOut', bySession);
  for (const { id, is_current: isCurrent, made_by: maker } of items)
    expect((await ask('endSession', { at: [id] })).status).toBe(isCurrent || maker !== null ? 404 : 204);
});

it('the answers of the relay about a link that who signs in through Access does not need', async () => {
  const team = await newTeam(Date.now());
  vi.spyOn(globalThis, 'fetch').mockImplementation(team.fetch);
  const headers = { 'cf-access-jwt-assertion': await team.token() };
  const response = await knock(team.bindings, headers, ['POST', '/session/link']);
  const { code } = sessionLink.parse((await ask('createSessionLink')).body);
  const asked = await knock(team.bindings, headers, ['POST', '/session', JSON.stringify({ code })]);
  vi.restoreAllMocks();
  const ben = JSON.stringify({ name: 'Ben', role: 'viewer' });
  const unsigned = await knock({ ...team.bindings, ADMIN_TOKEN: '' }, headers, ['POST', '/invitations', ben]);
  for (const answer of [response, asked, unsigned])
    expect(await answer.json()).toMatchObject({ type: 'urn:hookbell:problem:conflict' });
  for (const id of ['createSessionLink', 'signIn', 'invite']) seen.add(`${id} conflict`);
});

it('the answers of the relay about previews', async () => {
  await accepted({ phone: '4915187650007', name: 'Grace' });
  const at = ['forms'];
  const payload = { phone: '0151 87650007', name: 'Ada' };
  await ask('previewSource', { at, body: { payload } });
  await ask('previewSource', { at, body: { payload: {} } });
  await ask('previewSource', { at: ['shop'], body: { samples: true } });
  const draft = form({ dedupe: { key: '{{ payload.x }}' } });
  await ask('previewSource', { at: ['new'], body: { payload, draft } });
  const drafts = { templates: { hello: { kind: 'text', message: 'Hi {{ payload.name }}' } } };
  const compared = await ask('previewSource', { at, body: { last: 10, drafts } });
  expect(compared.body).toMatchObject({ summary: { changed: expect.any(Number) as unknown } });
  await ask('previewSource', { at: ['secret'], body: { last: 10 } });
});

it('the answers of the relay about rejections, counters and checks', async () => {
  await postJson('shop', {});
  await postJson('contact', { name: 'Ada', website: 'x' }, { origin: 'https://shop.example' });
  const { body } = await ask('listRejections', { query: '?source=contact&spam=true' });
  const [{ n }] = z.object({ items: z.tuple([z.object({ n: z.number() })]) }).parse(body).items;
  await ask('getRejection', { at: [String(n)] });
  await ask('releaseRejection', { at: [String(n)] });
  await expectProblem('conflict', 'releaseRejection', { at: [String(n)] });
  await ask('findNumber', { body: { number: '+49 151 876 500 01' } });
  await ask('getSeries', { query: '?metric=sent' });
  for (const id of 'getStats listAccountStatus getMetrics diagnose examine getOpenApi'.split(' '))
    await ask(id);
});

it('the answers of the relay about every provider', async () => {
  const { items } = providerPage.parse((await ask('listProviders')).body);
  for (const { id } of items) await ask('getProvider', { at: [id] });
});

it('the answers of the relay in the tail', async () => {
  const { messages } = await accepted({ phone: '4915187650008', name: 'Ada' });
  await message(messages[0] ?? '', isSent);
  await postJson('shop', {});
  await lookUntil(
    async () => JSON.stringify(await ask('tail')),
    (text) => text.includes('"rejection"') && text.includes('"sent"'),
  );
});

/** Asks each route that may answer with an error so that it does. */
const forEach = async (problem: string, given: (route: RouteSpec) => Ask): Promise<void> => {
  for (const route of giving(problem)) await expectProblem(problem, route.id, given(route));
};

it('the errors of the relay without a token', () =>
  forEach('unauthorized', () => ({ ...NONE, token: null })));

it('the errors of the relay while the admin API is shut, and to a role that may do less', async () => {
  const token = 'viewer-token-of-the-tests';
  const answers = {
    'admin-closed': await callWith({ ADMIN_TOKEN: '' }, '/events'),
    'role-required': await callWith({ VIEWER_TOKEN: token }, '/messages?phone=1', `Bearer ${token}`),
  };
  for (const [problem, response] of Object.entries(answers)) {
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ type: `urn:hookbell:problem:${problem}` });
    for (const { id } of giving(problem)) seen.add(`${id} ${problem}`);
  }
});

it('the errors of the relay with a body that is no JSON', () =>
  forEach('malformed-body', () => ({ ...NONE, body: '{' })));

it('the errors of the relay with a body that is too large', () =>
  forEach('body-too-large', () => ({ ...NONE, body: ' '.repeat(3_000_001) })));

it('the errors of the relay with a parameter or a body that is not right', () =>
  forEach('invalid', ({ body, path, query }) => {
    if (body === undefined) return { at: path.includes('{version}') ? [1] : ['none'], query: '?nope=1' };
    return { ...NONE, ...(query.length > 0 ? { query: '?nope=1', body: {} } : { body: { nope: 1 } }) };
  }));

it('the errors of the relay about what is not there', () =>
  forEach('not-found', ({ id, path, body }) => {
    const at = path.includes('{version}') ? [999_999] : ['none'];
    const sent = id === 'addOverride' ? OVERRIDE : { payload: {} };
    const isSent = body !== undefined && !body.isOptional;
    return { at, query: NOT_THERE[path] ?? '', ...(isSent && { body: sent }) };
  }));

it('the errors of the relay under a condition that is none, or does not hold', async () => {
  for (const { id } of giving('invalid-if-match')) {
    const answered = await ask(id, { at: atFor(id), body: bodyFor(id), headers: { 'if-match': 'seven' } });
    expect(answered, id).toMatchObject({ status: 400, problem: 'invalid' });
  }
  const headers = { 'if-match': '"999999"' };
  await forEach('precondition-failed', ({ id }) => ({ at: atFor(id), body: bodyFor(id), headers }));
});

it('the errors of the relay about what is in use', () =>
  forEach('in-use', ({ id }) => ({ at: [COLLECTIONS.find(([Id]) => id === `delete${Id}`)?.[2] ?? ''] })));

it('the errors of the relay about a source that does not pair', async () => {
  for (const id of ['openPairing', 'getPairing', 'takePairedKey', 'closePairing'])
    await expectProblem('conflict', id, { at: ['forms'] });
});

it('the errors of the relay about a set that is not right, or too large', async () => {
  await expectProblem('invalid-configuration', 'publishConfig', { body: exampleSet });
  const message = 'x'.repeat(15_000);
  const texts = Array.from({ length: 110 }, (_, n) => [`t${n}`, { kind: 'text', message }]);
  const templates: unknown = Object.fromEntries(texts);
  await expectProblem('too-large', 'publishConfig', { body: { templates } });
});

/** Faults, other people's pages, too many tries: what no request of this test can bring about. */
const NOT_PROVOKED = new Set(
  'unavailable access-unavailable not-accepted storage-full cross-site role-required too-many-failures body-cut-off'.split(
    ' ',
  ),
);

/** The same code for each of them, which one route shows. */
const SHOWN_ONCE = new Set(['too-large', 'invalid-configuration']);

it('the description promises no answer that was not seen', () => {
  const promised = [...routes.values()].flatMap((route) => [
    `${route.id} ${route.answer.status}`,
    ...problemsOf(route)
      .filter((name) => !NOT_PROVOKED.has(name) && !SHOWN_ONCE.has(name))
      .map((name) => `${route.id} ${typeOf(name)}`),
  ]);
  expect(promised.filter((one) => !seen.has(one))).toEqual([]);
});

interface Receipt {
  readonly event: string;
  readonly messages: readonly string[];
}

async function accepted(payload: object, source = 'forms'): Promise<Receipt> {
  const response = await postJson(source, payload);
  expect(response.status).toBe(202);
  return response.json<Receipt>();
}

const [FROM = '', TO = ''] = [1, 2].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
const OVERRIDE = { person: 'ben', from: FROM.slice(0, 16), to: TO.slice(0, 16) };

/** The values in a route's path that name something that exists. */
const atFor = (id: string) => (id === 'deleteOverride' ? [1, LATER.from] : [1]);

function bodyFor(id: string): unknown {
  if (id === 'addOverride') return OVERRIDE;
  if (id === 'putProvider') return GHOST;
  return routes.get(id)?.body === undefined ? undefined : {};
}

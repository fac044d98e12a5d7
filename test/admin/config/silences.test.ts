import { env } from 'cloudflare:workers';
import { beforeEach, expect, it } from 'vitest';
import { app } from '../../../src/app.ts';
import { CURRENT_KEY, parsePublished } from '../../../src/config/load.ts';
import { admin, listOf } from '../../integration/relay.ts';
import { open, routeWith } from '../../config/support.ts';
import { envWith } from '../../platform/env.ts';
import { refusal } from '../support.ts';

const HOUR = 3_600_000;
const inAnHour = () => new Date(Date.now() + HOUR).toISOString();
const WHEN = 'event.source == "shop"';
const shop = open({ routes: [routeWith({ name: 'hello' })] });
const SET = { sources: { shop }, silences: { always: { when: WHEN, reason: 'x' } } };

type SilenceJson = Readonly<Record<'id' | 'origin' | 'state', string>>;

const moving = (change: object) => ({ when: WHEN, until: inAnHour(), reason: 'moving', ...change });

const add = (change: object = {}) => admin<SilenceJson>('POST', '/silences', moving(change));

const refused = (change: object) => refusal('POST', '/silences', moving(change));

const list = () => listOf<SilenceJson>('/silences');

/** The ids of the silences in force, as webhooks read them. */
const inForce = async (): Promise<readonly string[]> => {
  const { set, silences = {} } = parsePublished((await env.CONFIG.get(CURRENT_KEY)) ?? '');
  return [set.silences, silences].flatMap((some) => Object.keys(some));
};

beforeEach(async () => {
  for (const { id, origin, state } of await list())
    if (origin === 'hand' && state !== 'ended') await admin('DELETE', `/silences/${id}`);
  await admin('POST', '/config', SET);
});

it('a silence by hand is in force at once, and says who added it, until when and why', async () => {
  const until = inAnHour();
  const { status, body } = await add({ until });
  const given = { origin: 'hand', state: 'active', when: WHEN, until, reason: 'moving', by: 'token' };
  expect({ status, body }).toMatchObject({ status: 201, body: { ...given, matches: 0, warnings: [] } });
  expect(await inForce()).toEqual(['always', body.id]);
  expect(await list()).toContainEqual(expect.objectContaining({ ...given, id: body.id }));
});

const fails = () => Promise.reject(new Error('overloaded'));
const OVERLOADED = { useConfig: fails, lookAtSilence: fails };

it('a silence by hand is in force although an outbox does not answer, and its warnings name the account', async () => {
  const call = new Request('https://relay.example/admin/api/v1/silences', {
    method: 'POST',
    headers: { authorization: 'Bearer admin-token-of-the-tests' },
    body: JSON.stringify(moving({})),
  });
  const answer = await app.fetch(call, envWith({ OUTBOX: { getByName: () => OVERLOADED } }));
  const body = await answer.json<SilenceJson>();
  const warnings = ['the account `default` does not answer: its incidents are not counted'];
  expect({ status: answer.status, body }).toMatchObject({ status: 201, body: { warnings } });
  expect(await list()).toContainEqual(expect.objectContaining({ id: body.id, state: 'active' }));
});

it('a silence by hand ends when a person says so, and is not in force from then on', async () => {
  const { body } = await add();
  const ended = await admin('DELETE', `/silences/${body.id}`);
  expect(ended).toMatchObject({ status: 200, body: { id: body.id, state: 'ended' } });
  expect(await inForce()).toEqual(['always']);
  expect((await list()).find(({ id }) => id === body.id)).toMatchObject({ state: 'ended' });
  expect(await admin('DELETE', `/silences/${body.id}`)).toMatchObject({ status: 409 });
  expect(await admin('DELETE', '/silences/sil_none')).toMatchObject({ status: 404 });
});

it('a silence by hand is refused where it is wrong, has no end or holds a secret', async () => {
  for (const [change, error] of [
    [{ when: 'itm.x' }, 'when: column 1: unknown name "itm" (did you mean "item"?)'],
    [{ until: undefined }, 'until: is required'],
    [{ until: '2020-01-01T00:00:00Z' }, 'until: must be in the future'], // fixed date: long past
    [{ reason: undefined }, 'reason: is required'],
    [{ reason: '' }, 'reason: must not be empty'],
    [{ every: {} }, 'every: unknown key `every`'],
    [{ reason: 'admin-token-of-the-tests' }, ': contains the value of ADMIN_TOKEN'],
  ] as const)
    expect((await refused(change))[0]).toContain(error);
  expect(await inForce()).toEqual(['always']);
});

it('a silence of things keeps them as they are, one and a thousand, and says how many of the open incidents they are', async () => {
  const keys = [
    'C:\\temp',
    'volume C:\\',
    '"\'',
    '{{ x }}',
    'a\nb',
    '\u2028',
    ...Array.from({ length: 1_000 }, (_, n) => `k${n}`),
  ];
  const of = { source: 'shop', route: 'hello', keys };
  const { status, body } = await add({ when: undefined, of });
  expect({ status, body }).toMatchObject({ status: 201, body: { of, matches: 0, warnings: [] } });
  expect(await list()).toContainEqual(expect.objectContaining({ id: body.id, of }));
});

it('a silence by hand of a source or a route that is not there says so', async () => {
  for (const [of, warning] of [
    [{ source: 'shpo' }, 'there is no source `shpo`; did you mean `shop`?'],
    [{ source: 'shop', route: 'helo' }, 'there is no route `helo`; did you mean `hello`?'],
  ] as const)
    expect((await add({ when: undefined, of })).body).toMatchObject({ warnings: [warning] });
});

it('silences by hand are refused beyond what every webhook can read', async () => {
  const keys = Array.from({ length: 10_000 }, (_, n) => `${n} ${'x'.repeat(50)}`);
  const of = { source: 'shop', route: 'hello', keys };
  for (const status of [201, 201, 201, 409]) expect((await add({ of })).status).toBe(status);
});

it('a silence by hand may begin later, but not end before it begins', async () => {
  const later = await add({ from: new Date(Date.now() + HOUR / 2).toISOString() });
  expect(later.body.state).toBe('pending');
  const from = new Date(Date.now() + 2 * HOUR).toISOString();
  expect(await refused({ from })).toEqual(['until: must be after `from`']);
});

it('a silence by document is listed beside those by hand, with its state', async () => {
  const every = { days: ['sun'], from: '02:00', to: '04:00', timezone: 'UTC' };
  await admin('PUT', '/silences/over', { when: WHEN, until: '2020-01-01T00:00:00Z', every }); // fixed date: long past
  expect((await list()).filter(({ origin }) => origin === 'document')).toEqual([
    { id: 'always', origin: 'document', state: 'active', when: WHEN, reason: 'x' },
    { id: 'over', origin: 'document', state: 'ended', when: WHEN, until: '2020-01-01T00:00:00Z', every }, // fixed date: long past
  ]);
});

it('a silence by document is deleted as other documents are: a version without it is published', async () => {
  expect((await admin('DELETE', '/silences/always?dry_run=true')).body).toMatchObject({ dry_run: true });
  expect((await admin('DELETE', '/silences/always')).status).toBe(200);
  expect(await inForce()).toEqual([]);
  expect(await listOf('/config/versions?limit=1')).toMatchObject([{ note: 'delete silences/always' }]);
});

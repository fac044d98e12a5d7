import { beforeAll, expect, it } from 'vitest';
import type { IncidentAnswer } from '../../../src/answers/api-incident.ts';
import { eventually } from '../../eventually.ts';
import { admin, message, isSent, publish, UNPACED } from '../../integration/relay.ts';
import { lines, listAll, raw, type PageJson, type ProblemJson } from '../support.ts';
import { alerting, fire, incidentOf, nameOf, pathOf } from './alerts.ts';

/** Twelve receivers, who are in all the objects of an account of four. */
const PHONES = Array.from({ length: 12 }, (_, n) => String(4_915_112_364_000 + n));
const ONE = '4915112365001';

const alert = (name: string) => ({ name, status: 'firing' });

const list = (query: string, limit?: number) => listAll<IncidentAnswer>(`incidents?${query}`, limit);

const keys = (found: readonly IncidentAnswer[]): readonly string[] => found.map(({ key }) => key);

beforeAll(async () => {
  await publish({
    accounts: { default: UNPACED, sales: UNPACED },
    recipients: { all: { numbers: PHONES } },
    sources: {
      alerts: alerting({ to: ONE }),
      later: alerting({ to: ONE, group: { by: ['{{ item.name }}'], wait: '1h', interval: '1h' } }),
      many: alerting({ to: ['all'] }, { account: 'sales' }),
      lone: alerting({ to: ONE, incident: undefined, throttle: [{ max: 100, per: '1h' }] }),
    },
  });
  await fire('alerts', alert('disk'));
  await fire('many', alert('cpu'), alert('memory'));
  await fire('lone', alert('x'));
  await fire('alerts', alert('fan'));
  await fire('many', alert('net'));
  await eventually(async () => {
    const receivers = (await list('')).flatMap((one) => one.receivers);
    expect(receivers.map(({ state }) => state)).toEqual(receivers.map(() => 'notified'));
  });
});

it('GET /incidents lists each once with all its receivers, page by page', async () => {
  for (const limit of [1, 2, 50]) {
    const found = await list('', limit);
    expect(keys(found).toSorted()).toEqual(['cpu', 'disk', 'fan', 'memory', 'net']);
    const cpu = found.find(({ key }) => key === 'cpu');
    expect(cpu?.receivers.map(({ phone }) => phone).toSorted()).toEqual(PHONES);
    expect(cpu).toMatchObject({ account: 'sales', state: 'open', occurrences: 1 });
  }
  expect(keys(await list('')).indexOf('net')).toBeLessThan(keys(await list('')).indexOf('disk'));
});

it('GET /incidents filters by source, route, state and time', async () => {
  for (const query of ['', '&state=open', '&since=1h'])
    expect([query, ...keys(await list(`&source=alerts${query}`))]).toEqual([query, 'fan', 'disk']);
  for (const query of ['&route=other', '&state=resolved', '&since=2999-01-01'])
    expect([query, ...keys(await list(`&source=alerts${query}`))]).toEqual([query]);
});

it('GET /incidents refuses what it does not know, and the cursor of another list', async () => {
  const wrong = await admin<ProblemJson>('GET', '/incidents?state=closed&limit=0');
  expect(wrong.status).toBe(422);
  expect(lines(wrong.body).map((line) => line.split(':')[0])).toEqual(['limit', 'state']);
  const events = await admin<PageJson<unknown>>('GET', '/events?limit=1&source=alerts');
  const other = await admin<ProblemJson>('GET', `/incidents?cursor=${events.body.next_cursor}`);
  expect(other.status).toBe(422);
  expect(lines(other.body)).toEqual(['cursor: must be the `next_cursor` of the previous response']);
});

it('GET /incidents/{id} shows who was notified of what, and when', async () => {
  const id = (await incidentOf('alerts', 'disk')).receivers[0]?.message ?? '';
  await message(id, isSent);
  const sent_at: unknown = expect.any(String);
  const notifications = [{ message: id, items: 1, state: 'sent', sent_at }];
  const shown = await incidentOf('alerts', 'disk');
  expect(shown.id).toMatch(/^inc_[0-9a-z]{16}$/);
  expect(shown).toMatchObject({
    key: 'disk',
    state: 'open',
    receivers: [{ phone: ONE, state: 'notified', items: { notified: 1 }, notifications }],
  });
});

it('POST /incidents/{id}/acknowledge says who has it, and is found by its state', async () => {
  const { id } = await incidentOf('many', 'memory');
  const answer = await admin('POST', `/incidents/${id}/acknowledge`);
  expect(answer).toMatchObject({
    status: 200,
    body: { id, state: 'acknowledged', acknowledged_by: 'token' },
  });
  expect(keys(await list('&source=many&state=acknowledged'))).toEqual(['memory']);
  expect(keys(await list('&source=many&state=open'))).not.toContain('memory');
});

it('POST /incidents/{id}/resolve ends it for all receivers, who are notified only once', async () => {
  const { id } = await incidentOf('many', 'memory');
  const resolved = await admin<IncidentAnswer>('POST', `/incidents/${id}/resolve`);
  expect(resolved).toMatchObject({ status: 200, body: { id, state: 'resolved' } });
  expect(resolved.body.resolved_at).toBeDefined();
  const sent = { state: 'sent' };
  await eventually(async () =>
    expect((await incidentOf('many', 'memory')).receivers).toMatchObject(
      PHONES.map(() => ({ state: 'done', notifications: [sent, sent] })),
    ),
  );
  for (const what of ['resolve', 'acknowledge']) {
    const again = await admin<ProblemJson>('POST', `/incidents/${id}/${what}`);
    expect(again).toMatchObject({ status: 409, body: { detail: 'The incident is not open.' } });
  }
  expect(keys(await list('&source=many&state=resolved'))).toEqual(['memory']);
  expect(keys(await list('', 2)).at(-1)).toBe('memory');
});

it('POST /incidents/{id}/resolve opens again with the next item', async () => {
  await fire('many', alert('memory'));
  expect(await incidentOf('many', 'memory')).toMatchObject({ state: 'open', occurrences: 1 });
});

const accountStatus = async () =>
  (await admin<{ waiting: number; open_incidents: number }>('GET', '/accounts/default/status')).body;

it('what waits is seen in the status of its account, in its incident and in the metrics', async () => {
  const before = await accountStatus();
  const [waiting, open] = [before.waiting + 2, before.open_incidents + 2];
  await fire('later', alert('slow'), alert('slower'));
  expect(await accountStatus()).toMatchObject({ queued: 0, waiting, open_incidents: open });
  expect((await incidentOf('later', 'slow')).receivers).toMatchObject([
    { state: 'waiting', items: { waiting: 1 }, notifications: [] },
  ]);
  const metrics = await (await raw('GET', '/metrics')).text();
  expect(metrics).toContain(`hookbell_items_waiting{account="default"} ${waiting}\n`);
  expect(metrics).toContain(`hookbell_incidents_open{account="default"} ${open}\n`);
  // An incident that nobody was notified of resolves without a notification.
  await admin('POST', `/incidents/${pathOf('later', 'slow')}/resolve`);
  expect(await incidentOf('later', 'slow')).toMatchObject({
    state: 'resolved',
    receivers: [{ state: 'done', items: { resolved: 1 }, notifications: [] }],
  });
});

const change = (what: string, body: object) => admin('POST', `/incidents/${what}`, body);

it('POST /incidents/acknowledge and /resolve change many in one step, say what is over or unknown, and each receiver hears once', async () => {
  const [disk = '', fan = '', none = ''] = ['disk', 'fan', 'none'].map((key) => nameOf('alerts', key));
  const left = [
    { incident: fan, why: 'not_open' },
    { incident: none, why: 'unknown' },
  ];
  await change('resolve', { incidents: [fan] });
  const two = await change('acknowledge', { incidents: [disk, fan, none, disk] });
  expect(two.body).toEqual({ changed: 1, left, next_cursor: null });
  expect((await change('acknowledge?dry_run=true', { source: 'many' })).body).toMatchObject({ changed: 3 });
  expect((await change('acknowledge', { source: 'many' })).body).toMatchObject({ changed: 3, left: [] });
  expect((await change('acknowledge', { source: 'many' })).body).toMatchObject({ changed: 0 });
  const heard = await listAll<{ params: { message: string } }>(`messages?source=many&phone=${PHONES[0]}`);
  expect(heard.filter(({ params }) => params.message.includes('• '))).toHaveLength(1);
  await fire('later', alert('one'), alert('two'));
  expect((await change('resolve', { source: 'later', group: 'one' })).body).toMatchObject({ changed: 1 });
  expect(keys(await list('&source=later&state=open'))).not.toContain('one');
  for (const wrong of [{}, { all: true, source: 'many' }])
    expect((await change('resolve', wrong)).status).toBe(422);
});

it('an incident of a source that has changed its account is one, by the id of either', async () => {
  const fireIn = async (account: string): Promise<string> => {
    const accounts = { default: UNPACED, sales: UNPACED };
    await publish({ accounts, sources: { moved: alerting({ to: ONE }, { account }) } });
    await fire('moved', alert('disk'));
    return (await incidentOf('moved', 'disk')).id;
  };
  const before = await fireIn('default');
  const id = await fireIn('sales');
  expect(id).not.toBe(before);
  const receivers = [{ phone: ONE }, { phone: ONE }];
  expect(await list('source=moved')).toMatchObject([{ id, account: 'sales', receivers }]);
  const { body } = await admin('POST', `/incidents/${before}/resolve`);
  expect(body).toMatchObject({ key: 'disk', state: 'resolved', receivers });
  expect(await list('source=moved&state=open')).toEqual([]);
});

import { beforeAll, expect, it } from 'vitest';
import type { IncidentAnswer, OpenIncidentsAnswer } from '../../../src/answers/api-incident.ts';
import type { SilencePreview } from '../../../src/answers/api-registry.ts';
import { eventually } from '../../eventually.ts';
import { admin, listOf, postJson, publish, UNPACED } from '../../integration/relay.ts';
import { refusal } from '../support.ts';
import { alerting, fire, pathOf, incidentOf } from './alerts.ts';

const ON_CALL = ['4915112366001', '4915112366002'];
const OF_SITE = { incident: { key: '{{ payload.site }}' } };

const alerts = (route: object = {}, source: object = {}) => {
  const incident = { key: '{{ item.fingerprint }}', resolved: 'item.status == "resolved"' };
  return alerting({ to: ['night'], incident, ...route }, source);
};

const alert = (fingerprint: string, labels: object, status = 'firing') => ({ fingerprint, status, labels });

const summary = () => listOf<OpenIncidentsAnswer>('/open-incidents');

const of = async (source: string): Promise<OpenIncidentsAnswer | undefined> =>
  (await summary()).find((one) => one.source === source);

const look = async (what: object): Promise<SilencePreview> =>
  (await admin<SilencePreview>('POST', '/silences/preview', what)).body;

beforeAll(async () => {
  await publish({
    accounts: { default: UNPACED },
    recipients: { night: { numbers: ON_CALL } },
    sources: {
      monitor: alerts(),
      grouped: alerts({ group: { by: ['{{ item.labels.service }}'], wait: '1s' } }),
      named: alerts({}, { subject: 'Job {{ item.labels.job }}' }),
      secret: alerts({}, { store: 'metadata' }),
      ranked: alerts(),
      high: alerts({ priority: 'high' }),
      uptime: {
        provider: 'generic',
        verify: { scheme: 'none' },
        limit: false,
        subject: '{{ payload.site }} is down',
        routes: [{ name: 'on-call', to: ['night'], ...OF_SITE, send: { kind: 'text', message: 'x' } }],
      },
    },
  });
});

it('the title of an incident is the name of its alert and where it is, whatever its key', async () => {
  await fire('monitor', alert('0f', { alertname: 'HighLatency', instance: 'web-1', severity: 'Critical' }));
  const shown = { title: 'HighLatency web-1', severity: 'critical' };
  expect(await incidentOf('monitor', '0f')).toMatchObject(shown);
});

it('the title of an incident is what its source declares, of an item or of the whole payload', async () => {
  await fire('named', alert('1f', { alertname: 'X', job: 'backup' }));
  expect((await incidentOf('named', '1f')).title).toBe('Job backup');
  await postJson('uptime', { site: 'shop.example' });
  expect((await incidentOf('uptime', 'shop.example')).title).toBe('shop.example is down');
});

it('the title of an incident is absent where nothing says it, and where the source keeps no payloads', async () => {
  await fire('named', { fingerprint: '2f', status: 'firing' });
  // `Job` stands in the subject itself.
  expect((await incidentOf('named', '2f')).title).toBe('Job');
  await fire('secret', alert('3f', { alertname: 'Hidden', severity: 'critical' }));
  const secret = await incidentOf('secret', '3f');
  expect(secret).not.toHaveProperty('title');
  expect(secret).not.toHaveProperty('severity');
});

it('GET /open-incidents counts each incident of a source once, says how many are critical and which is the worst, and apart what somebody has', async () => {
  const slow = alert('10', { alertname: 'Slow', severity: 'warning' });
  await fire('monitor', slow, alert('11', { alertname: 'Full' }));
  expect(await of('monitor')).toMatchObject({
    open: 3,
    unattended: 3,
    critical: 1,
    worst: { title: 'HighLatency web-1', receivers: [{}, {}] },
  });
  expect((await summary())[0]?.source).toBe('monitor');
  await admin('POST', `/incidents/${pathOf('monitor', '10')}/acknowledge`);
  expect(await of('monitor')).toMatchObject({ open: 3, unattended: 2, acknowledged: 1 });
});

it('GET /open-incidents fires again with the next occurrence, and is gone with the last resolution', async () => {
  const before = (await of('monitor'))?.fired_at ?? '';
  await eventually(async () => {
    await fire('monitor', alert('11', { alertname: 'Full' }));
    expect(((await of('monitor'))?.fired_at ?? '') > before).toBe(true);
  });
  await admin('POST', `/incidents/${pathOf('uptime', 'shop.example')}/resolve`);
  expect(await of('uptime')).toBeUndefined();
});

const listed = (query: string) => listOf<IncidentAnswer>(`/incidents?${query}`);

it('an incident is critical by the same rule for itself and in the count of its source, whatever its sender’s word', async () => {
  const words = ['Critical', 'page', 'P1', 'warning', 'info', ''];
  await fire('ranked', ...words.map((severity, n) => alert(`r${n}`, { alertname: 'Rank', severity })));
  const shown = await Promise.all(words.map((_word, n) => incidentOf('ranked', `r${n}`)));
  expect(shown.map(({ critical }) => critical)).toEqual([true, true, true, false, false, false]);
  expect((await of('ranked'))?.critical).toBe(3);
});

it('an incident is critical by the priority of its route, and by a severity that its source does not keep', async () => {
  await fire('high', alert('h1', { alertname: 'Plain' }));
  expect(await incidentOf('high', 'h1')).toMatchObject({ critical: true });
  expect((await of('high'))?.critical).toBe(1);
  expect((await incidentOf('secret', '3f')).critical).toBe((await of('secret'))?.critical === 1);
});

it('an incident is critical is listed by the same rule, however many newer ones there are, and the others are listed without it', async () => {
  const keysOf = async (query: string) => (await listed(query)).map(({ key }) => key).toSorted();
  expect(await keysOf('source=ranked&critical=true')).toEqual(['r0', 'r1', 'r2']);
  expect(await keysOf('source=ranked&critical=false')).toEqual(['r3', 'r4', 'r5']);
  expect(await keysOf('source=high&critical=true')).toEqual(['h1']);
  expect(await keysOf('source=high&critical=false')).toEqual([]);
  const all = await listed('limit=200');
  const critical = all.filter((one) => one.critical).map(({ id }) => id);
  expect((await listed('critical=true&limit=200')).map(({ id }) => id)).toEqual(critical);
  expect(critical.length).toBeGreaterThan(3);
});

it('an incident that a person resolves says who, until it opens again', async () => {
  const { body } = await admin<IncidentAnswer>('POST', `/incidents/${pathOf('named', '1f')}/resolve`);
  expect(body).toMatchObject({ state: 'resolved', resolved_by: 'token' });
  await fire('named', alert('1f', { job: 'backup' }));
  expect(await incidentOf('named', '1f')).not.toHaveProperty('resolved_by');
  await fire('named', alert('1f', { job: 'backup' }, 'resolved'));
  expect(await incidentOf('named', '1f')).toMatchObject({ state: 'resolved' });
  expect(await incidentOf('named', '1f')).not.toHaveProperty('resolved_by');
});

it('what silences an incident is it alone, its group and its source, and matches what it says', async () => {
  const shop = { service: 'shop' };
  await fire('grouped', alert('a', shop), alert('b', shop), alert('c', { service: 'mail' }));
  const by = (await incidentOf('grouped', 'a')).silence_by ?? [];
  const counts = by.map(async (of) => [of, (await look({ of })).matches]);
  const { route } = await incidentOf('grouped', 'a');
  expect(await Promise.all(counts)).toEqual([
    [{ source: 'grouped', route, keys: ['a'] }, 1],
    [{ source: 'grouped', route, group: ['shop'] }, 2],
    [{ source: 'grouped' }, 3],
  ]);
});

it('what silences an incident holds back all that they match, from the first moment and until they end', async () => {
  const [, group] = (await incidentOf('grouped', 'a')).silence_by ?? [];
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const added = await admin<SilencePreview & { id: string }>('POST', '/silences', {
    of: group,
    until,
    reason: 'deploying',
  });
  expect(added).toMatchObject({ status: 201, body: { matches: 2, warnings: [] } });
  expect(await of('grouped')).toMatchObject({ open: 3, unattended: 1, silenced: 2 });
  const silence = added.body.id;
  expect((await incidentOf('grouped', 'a')).receivers).toMatchObject([{ silence }, { silence }]);
  for (const receiver of (await incidentOf('grouped', 'c')).receivers)
    expect(receiver).not.toHaveProperty('silence');
  await admin('DELETE', `/silences/${added.body.id}`);
  expect(await of('grouped')).toMatchObject({ unattended: 3, silenced: 0 });
});

it('POST /silences/preview counts what it would match, of all that is open', async () => {
  const { open, matches } = await look({ when: 'event.source == "grouped"' });
  expect(matches).toBe(3);
  expect(open).toBeGreaterThan(matches);
  expect((await look({ of: { source: 'gruoped' } })).matches).toBe(0);
});

it('POST /silences/preview warns of a field that no recent event has, silences nothing, and refuses what is no condition', async () => {
  expect((await look({ when: 'item.labels.sevrity == "critical"' })).warnings).toEqual([
    'no recent event has `item.labels.sevrity`: check its name',
  ]);
  expect(
    (await look({ when: 'item.labels.severity == "critical" and event.source == "x"' })).warnings,
  ).toEqual([]);
  expect((await look({ when: 'payload.site == "x"' })).warnings).toEqual([]);
  const silences = await listOf<{ state: string }>('/silences');
  expect(silences.filter(({ state }) => state === 'active')).toEqual([]);
  const wrong = await refusal('POST', '/silences/preview', { when: 'itm' });
  expect(wrong[0]).toContain('unknown name "itm"');
});

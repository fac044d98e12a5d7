import { beforeAll, describe, expect, it } from 'vitest';
import { incidentId } from '../../../src/outbox/incidents/incident-id.ts';
import { eventually } from '../../eventually.ts';
import { admin, message, isSent, postJson, publish, UNPACED } from '../../integration/relay.ts';
import { lines, raw, type PageJson, type ProblemJson } from '../support.ts';

interface ReceiverJson {
  readonly phone: string;
  readonly state: string;
  readonly message?: string;
  readonly items: Readonly<Record<string, number>>;
  readonly notifications?: readonly {
    readonly message: string;
    readonly state?: string;
    readonly sent_at?: string;
  }[];
}

interface IncidentJson {
  readonly id: string;
  readonly account: string;
  readonly state: string;
  readonly key: string;
  readonly occurrences: number;
  readonly resolved_at?: string;
  readonly receivers: readonly ReceiverJson[];
}

/** Twelve receivers, who are in all the objects of an account of four. */
const PHONES = Array.from({ length: 12 }, (_, n) => String(4_915_112_364_000 + n));
const ONE = '4915112365001';

const alerts = (route: object = {}, source: object = {}) => ({
  verify: { scheme: 'none' },
  limit: false,
  ...source,
  routes: [
    {
      name: 'on-call',
      each: 'payload.alerts',
      incident: { key: '{{ item.name }}', resolved: 'item.status == "resolved"' },
      send: { kind: 'text', message: '{{ count }}' },
      ...route,
    },
  ],
});

const idOf = (key: string, source = 'alerts'): string => incidentId({ source, route: 'on-call', key });

const fire = async (source: string, ...names: readonly string[]): Promise<void> => {
  const response = await postJson(source, { alerts: names.map((name) => ({ name, status: 'firing' })) });
  expect(response.status).toBe(202);
};

const get = async (id: string): Promise<IncidentJson> =>
  (await admin<IncidentJson>('GET', `/incidents/${id}`)).body;

async function list(query: string, limit = 50): Promise<readonly IncidentJson[]> {
  const found: IncidentJson[] = [];
  let cursor = '';
  for (let page = 0; page < 100; page += 1) {
    const { status, body } = await admin<PageJson<IncidentJson>>(
      'GET',
      `/incidents?limit=${limit}${query}${cursor}`,
    );
    expect(status).toBe(200);
    expect(body.items.length).toBeLessThanOrEqual(limit);
    found.push(...body.items);
    if (body.next_cursor === null) return found;
    cursor = `&cursor=${body.next_cursor}`;
  }
  throw new Error('no end');
}

const keys = (found: readonly IncidentJson[]): readonly string[] => found.map(({ key }) => key);

beforeAll(async () => {
  await publish({
    accounts: { default: UNPACED, sales: UNPACED },
    recipients: { all: { numbers: PHONES } },
    sources: {
      alerts: alerts({ to: ONE }),
      later: alerts({ to: ONE, group: { by: ['{{ item.name }}'], wait: '1h', interval: '1h' } }),
      many: alerts({ to: ['all'] }, { account: 'sales' }),
      lone: alerts({ to: ONE, incident: undefined, throttle: [{ max: 100, per: '1h' }] }),
    },
  });
  await fire('alerts', 'disk');
  await fire('many', 'cpu', 'memory');
  await fire('lone', 'x');
  await fire('alerts', 'fan');
  await fire('many', 'net');
  await eventually(async () => {
    const receivers = (await list('')).flatMap((one) => one.receivers);
    expect(receivers.map(({ state }) => state)).toEqual(receivers.map(() => 'notified'));
  });
});

describe('GET /incidents', () => {
  it('lists each once with all its receivers, page by page', async () => {
    for (const limit of [1, 2, 50]) {
      const found = await list('', limit);
      expect(keys(found).toSorted()).toEqual(['cpu', 'disk', 'fan', 'memory', 'net']);
      const cpu = found.find(({ key }) => key === 'cpu');
      expect(cpu?.receivers.map(({ phone }) => phone).toSorted()).toEqual(PHONES);
      expect(cpu).toMatchObject({ account: 'sales', state: 'open', occurrences: 1 });
    }
    expect(keys(await list('')).indexOf('net')).toBeLessThan(keys(await list('')).indexOf('disk'));
  });

  it('filters by source, route, state and time', async () => {
    expect(keys(await list('&source=alerts'))).toEqual(['fan', 'disk']);
    expect(keys(await list('&source=alerts&route=other'))).toEqual([]);
    expect(keys(await list('&source=alerts&state=open'))).toEqual(['fan', 'disk']);
    expect(keys(await list('&source=alerts&state=resolved'))).toEqual([]);
    expect(keys(await list('&source=alerts&since=1h'))).toEqual(['fan', 'disk']);
    expect(keys(await list('&source=alerts&since=2999-01-01'))).toEqual([]);
  });

  it('refuses what it does not know, and the cursor of another list', async () => {
    const wrong = await admin<ProblemJson>('GET', '/incidents?state=closed&limit=0');
    expect(wrong.status).toBe(422);
    expect(lines(wrong.body).map((line) => line.split(':')[0])).toEqual(['limit', 'state']);
    const events = await admin<PageJson<unknown>>('GET', '/events?limit=1&source=alerts');
    const other = await admin<ProblemJson>('GET', `/incidents?cursor=${events.body.next_cursor}`);
    expect(other.status).toBe(422);
    expect(other.body.detail).toBe('`cursor` must be a `next_cursor` of this list.');
  });
});

describe('GET /incidents/{id}', () => {
  it('shows who was notified of what, and when', async () => {
    const disk = await get(idOf('disk'));
    const [receiver] = disk.receivers;
    expect(disk).toMatchObject({ id: idOf('disk'), key: 'disk', state: 'open' });
    expect(receiver).toMatchObject({ phone: ONE, state: 'notified', items: { notified: 1 } });
    expect(receiver?.notifications).toHaveLength(1);
    await message(receiver?.message ?? '', isSent);
    const sent_at: unknown = expect.any(String);
    expect((await get(idOf('disk'))).receivers[0]?.notifications).toMatchObject([
      { message: receiver?.message, items: 1, state: 'sent', sent_at },
    ]);
  });

  it('is 404 for what there is not', async () => {
    for (const id of [idOf('nothing'), 'inc_', 'inc_%25', 'evt_01m7ygnc129ats8d9q95vre3gr']) {
      const { status, body } = await admin<ProblemJson>('GET', `/incidents/${id}`);
      expect(status).toBe(404);
      expect(body.detail).toBe('There is no such incident.');
      expect((await admin('POST', `/incidents/${id}/resolve`)).status).toBe(404);
    }
  });
});

describe('POST /incidents/{id}/acknowledge', () => {
  it('says who has it, and is found by its state', async () => {
    const id = idOf('memory', 'many');
    const answer = await admin<IncidentJson>('POST', `/incidents/${id}/acknowledge`);
    expect(answer).toMatchObject({
      status: 200,
      body: { id, state: 'acknowledged', acknowledged_by: 'token' },
    });
    expect(keys(await list('&source=many&state=acknowledged'))).toEqual(['memory']);
    expect(keys(await list('&source=many&state=open'))).not.toContain('memory');
    expect((await admin('POST', `/incidents/${idOf('nothing')}/acknowledge`)).status).toBe(404);
  });
});

describe('POST /incidents/{id}/resolve', () => {
  it('ends it for all receivers, who are notified only once', async () => {
    const id = idOf('memory', 'many');
    const resolved = await admin<IncidentJson>('POST', `/incidents/${id}/resolve`);
    expect(resolved).toMatchObject({ status: 200, body: { id, state: 'resolved' } });
    expect(resolved.body.resolved_at).toBeDefined();
    await eventually(async () =>
      expect(
        (await get(id)).receivers.map(({ state, notifications = [] }) => [
          state,
          notifications.map((one) => one.state),
        ]),
      ).toEqual(PHONES.map(() => ['done', ['sent', 'sent']])),
    );
    for (const what of ['resolve', 'acknowledge']) {
      const again = await admin<ProblemJson>('POST', `/incidents/${id}/${what}`);
      expect(again).toMatchObject({ status: 409, body: { detail: 'The incident is not open.' } });
    }
    expect(keys(await list('&source=many&state=resolved'))).toEqual(['memory']);
    expect(keys(await list('', 2)).at(-1)).toBe('memory');
  });

  it('opens again with the next item', async () => {
    await fire('many', 'memory');
    expect(await get(idOf('memory', 'many'))).toMatchObject({ state: 'open', occurrences: 1 });
  });
});

const accountStatus = async () =>
  (await admin<{ waiting: number; open_incidents: number }>('GET', '/accounts/default/status')).body;

describe('what waits', () => {
  it('is seen in the status of its account, in its incident and in the metrics', async () => {
    const before = await accountStatus();
    const [waiting, open] = [before.waiting + 2, before.open_incidents + 2];
    await fire('later', 'slow', 'slower');
    expect(await accountStatus()).toMatchObject({ queued: 0, waiting, open_incidents: open });
    expect((await get(idOf('slow', 'later'))).receivers).toMatchObject([
      { state: 'waiting', items: { waiting: 1 }, notifications: [] },
    ]);
    const metrics = await (await raw('GET', '/metrics')).text();
    expect(metrics).toContain(`hookbell_items_waiting{account="default"} ${waiting}\n`);
    expect(metrics).toContain(`hookbell_incidents_open{account="default"} ${open}\n`);
    // An incident that nobody was notified of resolves without a notification.
    await admin('POST', `/incidents/${idOf('slow', 'later')}/resolve`);
    expect(await get(idOf('slow', 'later'))).toMatchObject({
      state: 'resolved',
      receivers: [{ state: 'done', items: { resolved: 1 }, notifications: [] }],
    });
  });
});

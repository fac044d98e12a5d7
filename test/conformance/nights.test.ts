import { expect, it } from 'vitest';
import { routeEvent } from '../../src/ingest/routing/match.ts';
import { providers } from '../../src/provider/catalog/catalog.ts';
import { sampleOf } from '../../src/config/starter.ts';
import { inStorage } from '../outbox/in-storage.ts';
import { IncidentsBench } from '../outbox/incidents/bench.ts';
import { asObject } from './senders/json.ts';
import { eventOf, factsOf, starterOf, starterSet } from './starters.ts';

const MINUTE = 60_000;
const PEOPLE = new Map([
  ['4915112345678', 'anna'],
  ['4915112345679', 'ben'],
  ['4915112345680', 'carl'],
]);
const [ANNA = '', BEN = '', CARL = ''] = PEOPLE.keys();

type Json = Record<string, unknown>;

/** One night with a starter as `init` writes it: Anna and Ben are on call, Carl is the second line. */
interface Night {
  readonly now: () => number;
  /** ISO 8601, so many minutes before now. */
  readonly ago: (minutes: number) => string;
  /** A sample arrives, changed; returns the first line of what each person hears by it, within a minute. */
  readonly post: (sample: string, change?: (payload: Json) => Json) => Promise<readonly string[]>;
  /** Time passes; returns what they hear. */
  readonly pass: (minutes: number) => Promise<readonly string[]>;
  readonly open: () => number;
}

const night = (id: string, body: (one: Night) => Promise<void>): Promise<void> =>
  inStorage(async ({ storage }) => {
    const provider = providers.get(id);
    if (provider === undefined) throw new Error(`no provider ${id}`);
    const { sources, templates } = starterSet(provider);
    const routes = sources.shop.routes.map((route) =>
      route['incident'] === undefined
        ? route
        : {
            ...route,
            incident: { ...asObject(route['incident']), repeat: '1h' },
            escalate: [{ after: '15m', to: [CARL] }],
          },
    );
    const numbers = { numbers: [ANNA, BEN] };
    const bench = new IncidentsBench(storage, {
      sources: { alerts: { ...sources.shop, routes } },
      templates,
      recipients: { 'on-call': numbers, team: numbers },
    });
    let told = 0;
    const heard = (): readonly string[] => {
      const fresh = bench.messages.slice(told);
      told = bench.messages.length;
      return fresh.flatMap(({ phone, text, state }) =>
        state === 'sent' ? `${PEOPLE.get(phone ?? '')}: ${text.replaceAll('*', '').split('\n')[0]}` : [],
      );
    };
    const samples = starterOf(provider).samples.map(sampleOf);
    await body({
      now: () => bench.now,
      ago: (minutes) => new Date(bench.now - minutes * MINUTE).toISOString(),
      post: async (name, change = (payload) => payload) => {
        const sample = samples.find((one) => one.name === name);
        const source = bench.config.sources.get('alerts');
        if (sample === undefined || source === undefined) throw new Error(`no sample ${name}`);
        const changed = JSON.stringify(change({ ...asObject(JSON.parse(sample.body)) }));
        const facts = await factsOf(provider, { ...sample, body: changed });
        const event = { ...eventOf(provider, facts, 'en-GB'), source, receivedAt: bench.now };
        await bench.take(...routeEvent(event).flatMap(({ items = [] }) => items));
        await bench.pass(MINUTE);
        return heard();
      },
      pass: async (minutes) => {
        await bench.pass(minutes * MINUTE);
        return heard();
      },
      open: () => bench.incidents.open.open,
    });
  });

const alert = (over: Json) => (payload: Json) => ({
  ...payload,
  alerts: [payload['alerts']]
    .flat()
    .slice(0, 1)
    .map((one) => ({ ...asObject(one), ...over })),
});

it.each(['alertmanager', 'grafana'])('%s: a retry of an old alert opens nothing, a later alert does', (id) =>
  night(id, async ({ ago, post, open }) => {
    const first = alert({ status: 'firing', startsAt: ago(60), endsAt: '0001-01-01T00:00:00Z' });
    const over = alert({ status: 'resolved', startsAt: ago(60), endsAt: ago(30) });
    const again = alert({ status: 'firing', startsAt: ago(10), endsAt: '0001-01-01T00:00:00Z' });
    expect(await post('firing', first)).toHaveLength(2);
    expect(await post('resolved', over)).toEqual([
      expect.stringMatching('^anna: ✅'),
      expect.stringMatching('^ben: ✅'),
    ]);
    expect(await post('firing', first)).toEqual([]);
    expect(open()).toBe(0);
    expect(await post('firing', again)).toHaveLength(2);
  }),
);

it('alertmanager: a problem lasted as long as its sender says, however late the relay heard of it', () =>
  night('alertmanager', async ({ ago, post }) => {
    const startsAt = ago(199);
    expect(await post('firing', alert({ status: 'firing', startsAt }))).toHaveLength(2);
    const [text] = await post('resolved', alert({ status: 'resolved', startsAt, endsAt: ago(0) }));
    expect(text).toContain('after 3 hours, 20 minutes');
  }));

it('alertmanager: an alert without a fingerprint is known by its labels', () =>
  night('alertmanager', async ({ ago, post, open }) => {
    const of = { fingerprint: undefined, startsAt: ago(5) };
    expect(await post('firing', alert({ ...of, status: 'firing' }))).toHaveLength(2);
    expect(open()).toBe(1);
    const over = alert({ ...of, status: 'resolved', endsAt: ago(0) });
    expect(await post('resolved', over)).toEqual([
      expect.stringContaining('✅'),
      expect.stringContaining('✅'),
    ]);
  }));

const occurred = (at: string) => (payload: Json) => ({
  ...payload,
  event: { ...asObject(payload['event']), occurred_at: at },
});

it('pagerduty: an end that overtakes its opening leaves nothing open', () =>
  night('pagerduty', async ({ ago, post, pass, open }) => {
    expect(await post('incident resolved', occurred(ago(1)))).toEqual([]);
    expect(await post('incident triggered', occurred(ago(6)))).toEqual([]);
    expect([await pass(180), open()]).toEqual([[], 0]);
    expect(await post('incident reopened', occurred(ago(0)))).toHaveLength(2);
  }));

const pass = (payload: Json): Json => payload;

it.each([
  [
    'pagerduty',
    'incident triggered',
    'incident acknowledged',
    'Ada Lovelace',
    'acknowledgement timed out',
    pass,
  ],
  ['opsgenie', 'alert created', 'alert acknowledged', 'ada', 'alert unacknowledged', pass],
  ['zabbix', 'problem', 'acknowledged', 'Ada Lovelace', 'unacknowledged', pass],
  ['better-stack', 'incident started', 'incident acknowledged', 'Ada Lovelace', null, pass],
  [
    'new-relic',
    'activated',
    'acknowledged',
    'ada',
    'acknowledged',
    (payload: Json) => ({ ...payload, owner: 'N/A', updatedAt: 1_767_601_700_000 }),
  ],
] as const)(
  '%s: who acknowledges there has it here, so that the second line sleeps, until it is taken back',
  (id, opened, acknowledged, who, back, change) =>
    night(id, async ({ post, pass: wait }) => {
      expect(await post(opened)).toHaveLength(2);
      const has = await post(acknowledged);
      expect(has.map((text) => text.split(' has it')[0])).toEqual([`anna: ${who}`, `ben: ${who}`]);
      expect(await wait(180)).toEqual([]);
      if (back === null) return;
      expect(
        (await post(back, change)).filter((text) => text.includes(`${who} no longer has it`)),
      ).toHaveLength(2);
      expect((await wait(15)).filter((text) => text.startsWith('carl:'))).toHaveLength(1);
    }),
);

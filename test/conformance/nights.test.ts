import { expect, it } from 'vitest';
import { routeEvent } from '../../src/ingest/routing/match.ts';
import { providers } from '../platform/providers.ts';
import { sampleOf } from '../../src/config/documents/provider-file.ts';
import { inStorage } from '../outbox/in-storage.ts';
import { IncidentsBench } from '../outbox/incidents/bench.ts';
import { asObject } from './senders/json.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { rule } from './rule.ts';
import { allItemsOf, type SampleItem } from './starter-items.ts';
import { eventOf, factsOf, starterOf, starterSet } from './starters.ts';

const MINUTE = 60_000;
const PEOPLE = new Map([
  ['4915112345678', 'anna'],
  ['4915112345679', 'ben'],
  ['4915112345680', 'carl'],
]);
const [ANNA = '', BEN = '', CARL = ''] = PEOPLE.keys();

type Json = Record<string, unknown>;

const readJson = (text: string): Json => ({ ...asObject(JSON.parse(text)) });

/** One night with a starter as `init` writes it: Anna and Ben are on call, Carl is the second line. */
interface Night {
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
      ago: (minutes) => new Date(bench.now - minutes * MINUTE).toISOString(),
      post: async (name, change) => {
        const sample = samples.find((one) => one.name === name);
        const source = bench.config.sources.get('alerts');
        if (sample === undefined || source === undefined) throw new Error(`no sample ${name}`);
        const facts = await factsOf(provider, sample);
        const payload = change === undefined ? facts.payload : change({ ...asObject(facts.payload) });
        const event = { ...eventOf(provider, { ...facts, payload }, 'en-GB'), source, receivedAt: bench.now };
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

/** True for the first line of an end, and how long it lasted. */
const isEnd =
  (lasted = '') =>
  (text: string): boolean =>
    text.includes('✅') && text.includes(lasted);

it.each([
  ['alertmanager', {}],
  ['alertmanager', { fingerprint: undefined }],
  ['grafana', {}],
] as const)('%s %o: a retry opens nothing, a later alert does; its sender says how long it was', (id, of) =>
  night(id, async ({ ago, post, open }) => {
    const first = alert({ ...of, status: 'firing', startsAt: ago(230), endsAt: '0001-01-01T00:00:00Z' });
    const over = alert({ ...of, status: 'resolved', startsAt: ago(230), endsAt: ago(30) });
    const again = alert({ ...of, status: 'firing', startsAt: ago(10), endsAt: '0001-01-01T00:00:00Z' });
    expect([(await post('firing', first)).length, open()]).toEqual([2, 1]);
    expect((await post('resolved', over)).filter(isEnd('3 hours, 20 minutes'))).toHaveLength(2);
    expect([await post('firing', first), open()]).toEqual([[], 0]);
    expect(await post('firing', again)).toHaveLength(2);
  }),
);

/** A sample that opens an incident, one that ends it, and how long it lasted by its sender. */
const PAIRS: readonly (readonly [string, string, string, string])[] = [
  ['better-stack', 'incident started', 'incident resolved', '26 minutes'],
  ['cloudflare-notifications', 'origin is unhealthy', 'origin is healthy', '14 minutes'],
  ['datadog', 'triggered', 'recovered', '26 minutes'],
  ['google-pubsub', 'alert opened', 'alert closed', '14 minutes'],
  ['healthchecks', 'down', 'up', '26 minutes'],
  ['new-relic', 'activated', 'closed', '26 minutes'],
  ['opsgenie', 'alert created', 'alert closed', '26 minutes'],
  ['pagerduty', 'incident triggered', 'incident resolved', '26 minutes'],
  ['pingdom', 'down', 'up', '26 minutes'],
  ['sentry', 'metric alert warning', 'metric alert resolved', '21 minutes'],
  ['uptime-kuma', 'down', 'up, as a form', '6 minutes'],
  ['uptimerobot', 'down', 'up, as a form', '26 minutes'],
  ['zabbix', 'problem', 'resolved', '26 minutes'],
];

rule(
  'an opening after its end is none; its sender says how long it was',
  // An alert of Sentry that has warnings has no times of its changes.
  PAIRS.filter(([id]) => id !== 'sentry'),
  async (id, opened, ended, lasted) => {
    await night(id, async ({ post, pass, open }) => {
      expect([await post(ended), await post(opened), await pass(180), open()]).toEqual([[], [], [], 0]);
      if (id === 'pagerduty') expect(await post('incident reopened')).toHaveLength(2);
    });
    await night(id, async ({ post, open }) => {
      expect(await post(opened)).toHaveLength(2);
      expect(await post(opened)).toEqual([]);
      expect((await post(ended)).filter(isEnd(lasted))).toHaveLength(2);
      expect([await post(opened), open()]).toEqual([[], 0]);
    });
  },
);

const NO_TIMES = ['', '0', '{EVENT.TIMESTAMP}', '0001-01-01T00:00:00Z', '9'.repeat(20)];
const TIME = /"2026-01-0[^"]*"|"?\b1767\d{6,15}\b"?/g;

rule(
  'what has no time that anybody can read is told when it comes, and so is its end',
  PAIRS.flatMap(([id, opened, ended]) =>
    id === 'google-pubsub' || ended.includes('form') ? [] : [[id, opened, ended] as const],
  ),
  async (id, opened, ended) => {
    for (const none of NO_TIMES)
      await night(id, async ({ post, open }) => {
        const without = (payload: Json): Json =>
          readJson(JSON.stringify(payload).replaceAll(TIME, JSON.stringify(none)));
        expect(await post(opened, without), none).toHaveLength(2);
        expect([(await post(ended, without)).filter(isEnd()).length, open()], none).toEqual([2, 0]);
      });
  },
);

const withoutWarnings = (payload: Json): Json =>
  readJson(JSON.stringify(payload).replace(/,{[^{}]*"label":"warning"[^{}]*}/, ''));

it('sentry: critical after a warning is told again; the dates of an alert count if it has no warnings', async () => {
  await night('sentry', async ({ post }) => {
    expect(await post('metric alert critical')).toHaveLength(2);
    expect(await post('metric alert warning')).toHaveLength(4);
    expect(await post('metric alert critical')).toHaveLength(4);
  });
  await night('sentry', async ({ post }) => {
    expect(await post('metric alert critical', withoutWarnings)).toHaveLength(2);
    const over = await post('metric alert resolved', withoutWarnings);
    expect(over.filter(isEnd('21 minutes'))).toHaveLength(2);
    expect(await post('metric alert critical', withoutWarnings)).toEqual([]);
  });
});

const given = (payload: Json): Json => ({ ...payload, owner: 'N/A', updatedAt: 1_767_601_700_000 });

const HOLDERS: readonly (readonly [string, string, string, string, string | null])[] = [
  ['pagerduty', 'incident triggered', 'incident acknowledged', 'Ada Lovelace', 'acknowledgement timed out'],
  ['pagerduty', 'incident triggered', 'incident acknowledged', 'Ada Lovelace', 'incident escalated'],
  ['opsgenie', 'alert created', 'alert acknowledged', 'ada', 'alert unacknowledged'],
  ['zabbix', 'problem', 'acknowledged', 'Ada Lovelace', 'unacknowledged'],
  ['better-stack', 'incident started', 'incident acknowledged', 'Ada Lovelace', null],
  ['new-relic', 'activated', 'acknowledged', 'ada', 'acknowledged'],
];

rule(
  'who acknowledges there has it here, so that the second line sleeps, until it is taken back',
  HOLDERS,
  (id, opened, acknowledged, who, back) =>
    night(id, async ({ post, pass: wait }) => {
      expect(await post(opened)).toHaveLength(2);
      const has = await post(acknowledged);
      expect(has.map((text) => text.split(' has it')[0])).toEqual([`anna: ${who}`, `ben: ${who}`]);
      expect(await wait(180)).toEqual([]);
      if (back === null) return;
      const lost = await post(back, id === 'new-relic' ? given : undefined);
      expect(lost.filter((text) => text.includes(`${who} no longer has it`))).toHaveLength(2);
      expect((await wait(15)).filter((text) => text.startsWith('carl:'))).toHaveLength(1);
    }),
);

it.each([
  ['warning', 'acknowledged, commented and changed severity from Warning to High', '4', 'warning resolved'],
  ['warning', 'unacknowledged and changed severity from Warning to High', '4', 'warning resolved'],
  ['problem', 'acknowledged and changed severity from High to Warning', '2', 'resolved'],
])('zabbix, %s, %s: it stays open, and ends', (opened, action, level, ended) =>
  night('zabbix', async ({ post, open }) => {
    const update = { level, changed: '1767602100', update: '1', user: 'Lea', action };
    expect(await post(opened)).toHaveLength(2);
    const moved = await post(opened, (payload) => ({ ...payload, ...update }));
    expect([moved.filter((text) => text.includes('is open')).length, open()]).toEqual([2, 1]);
    expect((await post(ended, (payload) => ({ ...payload, level }))).filter(isEnd())).toHaveLength(2);
  }),
);

it('zabbix: who acknowledges it and changes its severity to one that is as urgent has it', () =>
  night('zabbix', async ({ post }) => {
    await post('problem');
    const action = 'acknowledged and changed severity from High to Disaster';
    const heard = await post('acknowledged', (payload) => ({ ...payload, action, level: '5' }));
    expect(heard.map((text) => text.split(' has it')[0])).toEqual([
      'anna: Ada Lovelace',
      'ben: Ada Lovelace',
    ]);
  }));

it('pagerduty: what is merged into another incident is not told as resolved', () =>
  night('pagerduty', async ({ post, open }) => {
    await post('incident triggered');
    const merged = await post('incident resolved', (payload) =>
      withText(payload, ['event', 'data', 'resolve_reason', 'type'], 'merge_resolve_reason'),
    );
    const said = merged.filter(
      (text) => text.includes('⚠️') && text.endsWith(': merged into another incident'),
    );
    expect([said.length, merged.length, open()]).toEqual([2, 2, 0]);
  }));

it('better-stack: an incident that is reopened is told, and so is its second end', () =>
  night('better-stack', async ({ ago, post }) => {
    await post('incident started');
    expect((await post('incident resolved')).filter(isEnd())).toHaveLength(2);
    const again = await post('incident started', (payload) => ({ ...payload, event: 'reopened' }));
    expect(again.filter((text) => text.includes('is down'))).toHaveLength(2);
    const now = (payload: Json): Json => withText(payload, ['data', 'attributes', 'resolved_at'], ago(0));
    expect((await post('incident resolved', now)).filter(isEnd())).toHaveLength(2);
  }));

it('better-stack: what may come again for one incident is no duplicate', () => {
  const provider = providers.get('better-stack');
  if (provider === undefined) throw new Error('no such provider');
  const keyOf = (event: string, resolved_at: string | null): string | null => {
    const payload = {
      event,
      data: { id: '25', type: 'incident', attributes: { started_at: 'a', resolved_at } },
    };
    const facts = { payload, headers: new Headers(), query: new URLSearchParams() };
    return eventOf(provider, facts, 'en-GB').dedupeKey;
  };
  expect(keyOf('resolved', 'b')).not.toBe(keyOf('resolved', 'c'));
  expect(keyOf('reopened', null)).toBeNull();
});

/** A payload of Cloudflare about an origin of a load balancer. */
const healthOf =
  (new_health: string) =>
  (payload: Json): Json => ({
    ...payload,
    alert_type: 'load_balancing_health_alert',
    alert_correlation_id: new_health,
    alert_event: 'ALERT_STATE_EVENT_START',
    data: { pool_id: '17b5962d', origin_name: 'web-1', event_source: 'origin', new_health },
  });

it('cloudflare-notifications: an origin of a load balancer that is healthy again has not failed again', () =>
  night('cloudflare-notifications', async ({ post, open }) => {
    expect([(await post('origin is unhealthy', healthOf('Unhealthy'))).length, open()]).toEqual([2, 1]);
    expect((await post('origin is healthy', healthOf('Healthy'))).filter(isEnd())).toHaveLength(2);
  }));

/** The messages that a starter makes at once. */
function toldOf(id: string, payload: Json): readonly unknown[] {
  const provider = providers.get(id);
  if (provider === undefined) throw new Error(`no provider ${id}`);
  const facts = { payload, headers: new Headers(), query: new URLSearchParams() };
  const results = routeEvent(eventOf(provider, facts, 'en-GB'));
  return results.flatMap(({ messages }) => messages.map(({ params }) => params['message']));
}

it('cloudflare-notifications: what has only a name and a text is a notice; its test has only a text', () => {
  const [name, text] = ['Passive monitoring', 'Requests to shop.example.com have been failing'];
  const notice = { name, text, data: {}, alert_type: 'real_origin_monitoring' };
  expect(toldOf('cloudflare-notifications', notice)).toEqual([`☁️ *${name}*\n${text}`]);
  expect(toldOf('cloudflare-notifications', { text })).toEqual([]);
});

it('aws-sns: an alarm that EventBridge passes on is told with its name and state', () => {
  const detail = { alarmName: 'Shop errors', state: { value: 'ALARM', reason: 'Threshold Crossed' } };
  const Message = { 'detail-type': 'CloudWatch Alarm State Change', detail };
  expect(toldOf('aws-sns', { Type: 'Notification', Message })).toEqual(['Shop errors: ALARM']);
});

it('datadog: what has recovered from a warning is over', () =>
  night('datadog', async ({ post, open }) => {
    await post('warning');
    const over = await post('warning recovered', (payload) => ({ ...payload, transition: 'Warn Recovered' }));
    expect([over.filter(isEnd()).length, over.length, open()]).toEqual([2, 2, 0]);
  }));

it('alertmanager: InfoInhibitor, by which alerts inhibit others, tells nobody anything', () =>
  night('alertmanager', async ({ post, open }) => {
    const inhibitor = alert({ labels: { alertname: 'InfoInhibitor', severity: 'none' } });
    expect([await post('watchdog', inhibitor), open()]).toEqual([[], 0]);
  }));

/** A sample that opens a problem, those that change how severe it is, and the one that ends it. */
const SEVERITIES: readonly (readonly [string, string, readonly string[], string])[] = [
  ['zabbix', 'warning', ['severity raised'], 'warning resolved'],
  ['opsgenie', 'alert created, P4', ['priority raised'], 'alert closed, P4'],
  ['new-relic', 'activated, of medium priority', ['priority raised'], 'closed, of medium priority'],
  ['datadog', 'triggered', ['warning', 'triggered'], 'recovered'],
  [
    'sentry',
    'metric alert critical',
    ['metric alert warning', 'metric alert critical'],
    'metric alert resolved',
  ],
];

rule(
  'a problem whose severity changes is one problem, which ends once',
  SEVERITIES,
  (id, opened, changes, ended) =>
    night(id, async ({ post, open }) => {
      let minute = 0;
      const inOneCycle = (payload: Json): Json => ({
        ...payload,
        cycle: 'cycle of the night',
        date: String(1_767_601_500_000 + (minute += 1) * MINUTE),
      });
      const change = id === 'datadog' ? inOneCycle : undefined;
      expect([(await post(opened, change)).length, open()]).toEqual([2, 1]);
      for (const sample of changes) {
        const heard = await post(sample, change);
        expect([heard.length > 0, heard.some(isEnd()), open()]).toEqual([true, false, 1]);
      }
      const over = await post(ended, change);
      expect([over.length, over.filter(isEnd()).length, open()]).toEqual([2, 2, 0]);
    }),
);

/** A payload with another text at a path. */
const withText = (value: unknown, [name = '', ...path]: readonly string[], text: string): Json => {
  const payload: Json = { ...asObject(value) };
  return { ...payload, [name]: path.length === 0 ? text : withText(payload[name], path, text) };
};

/** What the conditions of a starter compare as a severity: the path in the payload, and the texts there. */
const severitiesOf = (provider: Provider): readonly (readonly string[])[] =>
  starterOf(provider)
    .routes.filter((route) => route['incident'] !== undefined)
    .flatMap((route) => [
      ...JSON.stringify(route).matchAll(
        /payload\.([\w.]*(?:severity|priority|urgency|level))(?: \| plus: 0\))? [=!<>]+ \\?"?(\w+)/g,
      ),
    ])
    .flatMap(([, path = '', text = '']) => [`${path} ${text}`, `${path} info`])
    .filter((one, at, all) => all.indexOf(one) === at)
    .map((one) => one.split(' '));

/** A payload whose times are later. */
const later =
  (minutes: number) =>
  (payload: Json): Json =>
    readJson(
      JSON.stringify(payload).replaceAll(TIME, (time) => {
        const digits = /\d{9,}/.exec(time)?.[0];
        return digits === undefined
          ? JSON.stringify(new Date(Date.parse(time.slice(1, -1)) + minutes * MINUTE).toISOString())
          : time.replace(
              digits,
              String(BigInt(digits) + BigInt(minutes * 60) * 10n ** BigInt(digits.length - 10)),
            );
      }),
    );

/** A sample that opens an incident, and one that ends it whatever it is. */
async function pairsOf(provider: Provider): Promise<readonly (readonly [opening: string, end: string])[]> {
  const items = await allItemsOf(provider);
  const isEnd = ({ sample }: SampleItem): boolean =>
    items.every((one) => one.isResolved || one.sample !== sample);
  return items
    .filter(({ isResolved, holder }) => !isResolved && holder === undefined)
    .flatMap(({ sample, key }) =>
      items
        .filter((one) => one.key === key && isEnd(one))
        .slice(0, 1)
        .map((end) => [sample, end.sample] as const),
    );
}

rule(
  'a problem that is told again with another severity is one problem, which ends once; without a new time it only gets worse',
  [...providers].filter(([, one]) => severitiesOf(one).length > 0),
  async (id, provider) => {
    for (const [opening, end] of await pairsOf(provider))
      for (const [path = '', text = ''] of severitiesOf(provider))
        for (const minutes of [0, 1])
          await night(id, async ({ post, open }) => {
            const about = `${opening}, ${path} ${text}, ${minutes} minutes later`;
            const changed = (payload: Json): Json => withText(payload, path.split('.'), text);
            expect([(await post(opening)).length, open()], about).toEqual([2, 1]);
            const again = await post(opening, (payload) => later(minutes)(changed(payload)));
            expect([again.filter(isEnd()), open()], about).toEqual([[], 1]);
            const over = await post(end, (payload) => later(60)(changed(payload)));
            expect([over.length, over.filter(isEnd()).length], about).toEqual([2, 2]);
            expect([await post(opening, changed), open()], about).toEqual([[], 0]);
          });
  },
);

import fc from 'fast-check';
import help from '../../assets/metrics.json';
import { afterEach, expect, it, vi } from 'vitest';
import { Counts, type Totals } from '../../src/counts/counts.ts';
import { OUTCOMES } from '../../src/gateway/outcome.ts';
import { collect, type Collected, heartbeatOf, stats } from '../../src/metrics/collect.ts';
import { families, exposition, type Family } from '../../src/metrics/prometheus.ts';
import type { OutboxMetrics } from '../../src/outbox/read/status.ts';
import { bindings } from '../bindings.ts';
import { configOf, sourceOf } from '../ingest/support.ts';
import { parseExposition } from './exposition.ts';
import { accountOf, collectedOf } from './support.ts';

const NOW = Date.now();
const HOUR = 3_600_000;
const VERIFY = { verify: { scheme: 'none' } };

const withAccount = (...account: Parameters<typeof accountOf>): Partial<Collected> => ({
  accounts: new Map([['default', accountOf(...account)]]),
});

const read = (over: Partial<Collected> = {}) =>
  parseExposition(exposition(families(collectedOf(over), NOW, help)));

/** The lines of one metric as `labels value`, those of 0 left out. */
const valuesOf = (over: Partial<Collected>, name: string): readonly string[] =>
  (read(over).get(`hookbell_${name}`)?.lines ?? []).flatMap(({ name: line, labels, value }) =>
    value === 0 ? [] : [`${line.slice(9 + name.length)}${Object.values(labels).join(' ')} ${value}`],
  );

it('the metrics begin at 0 for what is configured, so that a rate sees the first one', () => {
  const metrics = read();
  expect(metrics.get('hookbell_events_total')?.lines).toEqual(
    ['routed', 'partly_failed', 'unmatched', 'failed'].map((state) => ({
      name: 'hookbell_events_total',
      labels: { account: 'default', source: 'shop', state },
      value: 0,
    })),
  );
  expect(metrics.get('hookbell_messages_total')?.lines).toHaveLength(9);
  expect(metrics.get('hookbell_attempts_total')?.lines).toHaveLength(OUTCOMES.length);
  expect(metrics.has('hookbell_attempt_duration_seconds')).toBe(false);
});

it('the metrics count by source and state, account and outcome, also for a source that is gone', () => {
  const over = withAccount({
    'event shop routed': 3,
    'event gone routed': 1,
    'duplicate shop': 2,
    'message shop dead': 1,
    'message _admin sent': 4,
    'attempt busy': 5,
  });
  expect(valuesOf(over, 'events_total')).toEqual(['default shop routed 3', 'default gone routed 1']);
  expect(valuesOf(over, 'event_duplicates_total')).toEqual(['default shop 2']);
  expect(valuesOf(over, 'messages_total')).toEqual(['default shop dead 1', 'default _admin sent 4']);
  expect(valuesOf(over, 'attempts_total')).toEqual(['default busy 5']);
  const rejections = new Counts({ 'rejection shop stale': 2 });
  expect(valuesOf({ rejections }, 'rejections_total')).toEqual(['shop stale 2']);
  expect(read({ rejections: null }).has('hookbell_rejections_total')).toBe(false);
});

it('the metrics have whole histograms in seconds', () => {
  const took = { 'took sent 0.5': 2, 'took sent +Inf': 1, 'took sent ms': 130_500 };
  const over = withAccount({ ...took, 'latency 1': 3, 'latency ms': 2_100 });
  expect(valuesOf(over, 'attempt_duration_seconds').slice(-3)).toEqual([
    '_bucketdefault sent +Inf 3',
    '_sumdefault sent 130.5',
    '_countdefault sent 3',
  ]);
  expect(valuesOf(over, 'message_latency_seconds').slice(-2)).toEqual(['_sumdefault 2.1', '_countdefault 3']);
});

it('the metrics say how the queue and the account are', () => {
  const queue = { queued: 1, retrying: 2, sending: 3, uncertain: 4, dead: 5 };
  const oldestMs = { queued: 1_500, retrying: 2_000 };
  const over = withAccount({}, { queue, oldestMs, paused: true, circuitOpen: true });
  expect(valuesOf(over, 'queue_messages')).toEqual(
    Object.entries(queue).map(([state, count]) => `default ${state} ${count}`),
  );
  expect(valuesOf(over, 'queue_oldest_seconds')).toEqual(['default queued 1.5', 'default retrying 2']);
  expect(valuesOf(over, 'account_paused')).toEqual(['default 1']);
  expect(valuesOf(over, 'circuit_open')).toEqual(['default 1']);
  expect(valuesOf(over, 'config_version')).toEqual([' 7']);
});

it('the metrics say that an account could not be read, which then has nothing else', () => {
  const metrics = read({ accounts: new Map([['default', null]]) });
  expect(metrics.get('hookbell_account_up')?.lines).toMatchObject([{ value: 0 }]);
  expect([...metrics.keys()].toSorted()).toEqual(['hookbell_account_up', 'hookbell_config_version']);
});

it('the metrics say when a configured source was heard of last, and whether it is overdue', () => {
  const config = configOf({ shop: { ...VERIFY, heartbeat: '1h' }, form: VERIFY });
  const last = NOW - HOUR - 1;
  const watched = new Map([['shop', NOW - 3 * HOUR]]);
  const over = { config, ...withAccount({ 'last shop': last, 'last gone': NOW }, { watched }) };
  expect(valuesOf(over, 'source_last_event_timestamp_seconds')).toEqual([`default shop ${last / 1_000}`]);
  expect(valuesOf(over, 'source_overdue')).toEqual(['default shop 1']);
  expect(read(over).get('hookbell_source_overdue')?.lines).toHaveLength(1);
});

const part: OutboxMetrics = {
  totals: { 'event shop routed': 1, 'last shop': 5 },
  queue: { queued: 1, retrying: 2, sending: 3, uncertain: 4, dead: 5 },
  oldestMs: { queued: 10, retrying: 0 },
  circuitOpen: false,
  paused: false,
  storage: { bytes: 9_600, maxBytes: 10_000, state: 'full' },
  watched: { shop: 1 },
  incidents: { open: 2, waiting: 3 },
};
const config = configOf({}, { accounts: { default: {}, sales: {} } });
const asked: string[] = [];

/** Collects from outboxes that answer, but `away`, and from a registry. */
const collected = (away: string, rejectionTotals: () => Promise<object>) =>
  collect(
    bindings({
      OUTBOX: {
        getByName: (name: string) => ({
          metrics: async () => {
            asked.push(name);
            if (name === away) throw new Error('overloaded');
            return part;
          },
        }),
      },
      REGISTRY: { getByName: () => ({ rejectionTotals }) },
    }),
    config,
  );

afterEach(() => vi.restoreAllMocks());

it('what is collected is what each account’s outbox has, asked once', async () => {
  const { accounts } = await collected('', async () => ({}));
  expect(asked).toEqual(['default', 'sales']);
  const { totals, watched, ...same } = part;
  expect(accounts.get('sales')).toMatchObject({ ...same, watched: new Map(Object.entries(watched)) });
  expect(accounts.get('sales')?.counts.toJSON()).toEqual(totals);
});

it('what is collected lacks an account or the registry that does not answer, and that is logged', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { accounts, rejections } = await collected('sales', () => Promise.reject(new Error('it is away')));
  expect([accounts.get('sales'), rejections]).toEqual([null, null]);
  expect(accounts.get('default')).not.toBeNull();
  const lines = new Set(logged.mock.calls.flat());
  const expected = [
    '{"stage":"metrics.read.failed","account":"sales","error":"Error: overloaded"}',
    '{"stage":"metrics.read.failed","error":"Error: it is away"}',
  ];
  expect(lines).toEqual(new Set(expected));
});

it('a source’s heartbeat is none without one in its document', () => {
  expect(heartbeatOf(sourceOf(), accountOf(), NOW)).toBeNull();
});

it('a source’s heartbeat is overdue once the source, heard of or watched, is silent for longer', () => {
  const isOverdue = (last: number | null, since: number | null) => {
    const watched = new Map(since === null ? [] : [['shop', since]]);
    const account = accountOf(last === null ? {} : { 'last shop': last }, { watched });
    return heartbeatOf(sourceOf({ heartbeat: '24h' }), account, 100 * HOUR);
  };
  const rows = [
    [76 * HOUR, 0, false],
    [76 * HOUR - 1, 0, true],
    [null, 75 * HOUR, true],
    [null, 99 * HOUR, false],
    [null, null, false],
  ] as const;
  for (const [last, since, overdue] of rows)
    expect(isOverdue(last, since)).toEqual({ expected: '1d', overdue });
});

const NAME = 'hookbell_things_total';
const text = (over: Partial<Family>): string =>
  exposition([{ name: NAME, type: 'counter', help: 'Things.', samples: [], ...over }]);

it('the text format has HELP and TYPE before the samples, one a line, and escapes whatever a help or a label holds', () => {
  const samples = [
    { labels: { x: 'a\\b\n"c"', state: 'sent' }, value: 2 },
    { labels: {}, value: 0.25 },
  ];
  expect(text({ help: 'a\\b\n"c"', samples }).split('\n')).toEqual([
    `# HELP ${NAME} a\\\\b\\n"c"`,
    `# TYPE ${NAME} counter`,
    `${NAME}{x="a\\\\b\\n\\"c\\"",state="sent"} 2`,
    `${NAME} 0.25`,
    '',
  ]);
  expect(text({})).toBe('');
});

it('the text format gives back each label as it was', () => {
  const values = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => value !== 0);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), values, (x, value) => {
      const labels = { x, y: 'z' };
      const metrics = parseExposition(text({ samples: [{ labels, value }] }));
      expect(metrics.get(NAME)?.lines).toEqual([{ name: NAME, labels, value }]);
    }),
  );
});

const TOTALS: Totals = {
  'event shop routed': 3,
  'event shop failed': 1,
  'duplicate shop': 2,
  'last shop': NOW - 1_000,
  'message shop queued': 4,
  'message form queued': 1,
  'message shop sent': 2,
  'attempt sent': 2,
  'latency 0.5': 1,
  'latency 1': 1,
};
const statsOf = (over: Partial<Collected> = {}) => stats(collectedOf(over), NOW);

it('the statistics have each source with the outcome of its webhooks, and whether its heartbeat is overdue', () => {
  const rejections = new Counts({ 'rejection shop stale': 2, 'rejection form stale': 7 });
  const config = configOf({ shop: { ...VERIFY, heartbeat: '24h' } });
  expect(statsOf({ config, rejections, ...withAccount(TOTALS) }).sources).toEqual({
    shop: {
      account: 'default',
      events: { routed: 3, partly_failed: 0, unmatched: 0, failed: 1 },
      duplicates: 2,
      rejections: { stale: 2 },
      last_event_at: new Date(NOW - 1_000).toISOString(),
      heartbeat: { expected: '1d', overdue: false },
    },
  });
});

it('the statistics have each account with its messages, attempts, queue and latency, unknown before the first is sent', () => {
  const queue = { queued: 1, retrying: 2, sending: 0, uncertain: 0, dead: 0 };
  const { accounts } = statsOf(withAccount(TOTALS, { queue, oldestMs: { queued: 1_000, retrying: 2_500 } }));
  expect(accounts['default']).toMatchObject({
    messages: { queued: 5, sent: 2, dead: 0 },
    attempts: { sent: 2, busy: 0 },
    queue: { queued: 1, retrying: 2 },
    oldest_waiting_seconds: 2.5,
    latency_seconds: { median: 0.5, p95: 0.95 },
  });
  expect(statsOf().accounts['default']?.latency_seconds).toBeNull();
});

it('the statistics have null where an account or the registry could not be read: 0 would be a lie', () => {
  const { sources, accounts } = statsOf({ accounts: new Map([['default', null]]), rejections: null });
  expect(accounts).toEqual({ default: null });
  const unknown = { events: null, duplicates: null, rejections: null, last_event_at: null };
  expect(sources['shop']).toEqual({ account: 'default', ...unknown });
});

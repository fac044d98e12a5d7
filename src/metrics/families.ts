import { EVENT_STATES, QUEUE_STATES, WRITTEN_STATES } from '../outbox/state/states.ts';
import { OUTCOMES } from '../gateway/outcome.ts';
import { type AccountMetrics, type Collected, heartbeatOf } from './collect.ts';
import { LAST, type Counts } from '../counts/counts.ts';
import { ATTEMPT_BOUNDS, histogram, LATENCY_BOUNDS, type Histogram } from '../counts/histogram.ts';
import type { Family, MetricSample } from './prometheus.ts';
import { Scrape } from './scrape.ts';

type Definition = readonly [
  name: string,
  type: Family['type'],
  samples: (scrape: Scrape) => readonly MetricSample[],
];

const seconds = (ms: number): number => ms / 1_000;

/** Makes one value for each account. True is 1. */
const perAccount =
  (value: (metrics: AccountMetrics) => number | boolean) =>
  (scrape: Scrape): readonly MetricSample[] =>
    scrape.byAccount((metrics) => [[{}, Number(value(metrics))]]);

/** Counters for everything that is configured begin at 0, so that a rate includes the first increase. */
const DEFINITIONS: readonly Definition[] = [
  [
    'events_total',
    'counter',
    (scrape) =>
      scrape.bySource((counts, source) =>
        EVENT_STATES.map((state) => [{ state }, counts.get('event', source, state)]),
      ),
  ],
  [
    'event_duplicates_total',
    'counter',
    (scrape) => scrape.bySource((counts, source) => [[{}, counts.get('duplicate', source)]]),
  ],
  [
    'rejections_total',
    'counter',
    ({ collected: { rejections } }) =>
      (rejections?.of('rejection') ?? []).map(([[source = '', reason = ''], value]) => ({
        labels: { source, reason },
        value,
      })),
  ],
  [
    'source_last_event_timestamp_seconds',
    'gauge',
    (scrape) =>
      scrape.byConfigured(({ id }, { counts }) => {
        const at = counts.get(LAST, id);
        return at === 0 ? [] : [[{}, seconds(at)]];
      }),
  ],
  [
    'source_overdue',
    'gauge',
    (scrape) =>
      scrape.byConfigured((source, metrics) => {
        const heartbeat = heartbeatOf(source, metrics, scrape.now);
        return heartbeat === null ? [] : [[{}, Number(heartbeat.overdue)]];
      }),
  ],
  [
    'messages_total',
    'counter',
    (scrape) =>
      scrape.bySource((counts, source) =>
        WRITTEN_STATES.map((state) => [{ state }, counts.get('message', source, state)]),
      ),
  ],
  [
    'attempts_total',
    'counter',
    (scrape) =>
      scrape.byAccount(({ counts }) =>
        OUTCOMES.map((outcome) => [{ outcome }, counts.get('attempt', outcome)]),
      ),
  ],
  [
    'attempt_duration_seconds',
    'histogram',
    (scrape) =>
      scrape.histograms((counts) => OUTCOMES.map((outcome) => [{ outcome }, durations(counts, outcome)])),
  ],
  [
    'message_latency_seconds',
    'histogram',
    (scrape) => scrape.histograms((counts) => [[{}, latencies(counts)]]),
  ],
  [
    'queue_messages',
    'gauge',
    (scrape) => scrape.byAccount(({ queue }) => QUEUE_STATES.map((state) => [{ state }, queue[state]])),
  ],
  [
    'queue_oldest_seconds',
    'gauge',
    (scrape) =>
      scrape.byAccount(({ oldestMs: { queued, retrying } }) => [
        [{ state: 'queued' }, seconds(queued)],
        [{ state: 'retrying' }, seconds(retrying)],
      ]),
  ],
  ['incidents_open', 'gauge', perAccount(({ incidents }) => incidents.open)],
  ['items_waiting', 'gauge', perAccount(({ incidents }) => incidents.waiting)],
  ['digests_total', 'counter', perAccount(({ counts }) => counts.get('digest'))],
  [
    'escapes_total',
    'counter',
    (scrape) =>
      scrape.byAccount(({ counts }) =>
        (['taken', 'failed'] as const).map((outcome) => [{ outcome }, counts.get('escape', outcome)]),
      ),
  ],
  ['circuit_open', 'gauge', perAccount(({ circuitOpen }) => circuitOpen)],
  ['account_paused', 'gauge', perAccount(({ paused }) => paused)],
  ['storage_bytes', 'gauge', perAccount(({ storage }) => storage.bytes)],
  ['storage_used_ratio', 'gauge', perAccount(({ storage }) => storage.bytes / storage.maxBytes)],
  ['storage_full', 'gauge', perAccount(({ storage }) => storage.state === 'full')],
  [
    'account_up',
    'gauge',
    ({ collected: { accounts } }) =>
      [...accounts].map(([account, metrics]) => ({ labels: { account }, value: Number(metrics !== null) })),
  ],
  ['config_version', 'gauge', ({ collected: { config } }) => [{ labels: {}, value: config.version }]],
];

/** Returns all metrics for Prometheus. `help`: their descriptions by name, from `assets/metrics.json`. */
export function families(
  collected: Collected,
  now: number,
  help: Readonly<Record<string, string>>,
): readonly Family[] {
  const scrape = new Scrape(collected, now);
  return DEFINITIONS.map(([name, type, samples]) => ({
    name: `hookbell_${name}`,
    type,
    help: help[name] ?? '',
    samples: samples(scrape),
  }));
}

/** The durations of an account's calls with this outcome, in seconds. */
const durations = (counts: Counts, outcome: string): Histogram =>
  histogram(
    ATTEMPT_BOUNDS,
    (le) => counts.get('took', outcome, le),
    seconds(counts.get('took', outcome, 'ms')),
  );

/**
 * The time between the webhook and the gateway's answer that the message is sent, for an account's messages, in
 * seconds.
 */
export const latencies = (counts: Counts): Histogram =>
  histogram(LATENCY_BOUNDS, (le) => counts.get('latency', le), seconds(counts.get('latency', 'ms')));

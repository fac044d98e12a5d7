import { EVENT_STATES, QUEUE_STATES, WRITTEN_STATES } from '../outbox/state/states.ts';
import { OUTCOMES } from '../gateway/outcome.ts';
import type { AccountMetrics, Collected } from './collect.ts';
import { LAST, type Counts } from '../counts/counts.ts';
import { heartbeatOf } from './heartbeat.ts';
import { ATTEMPT_BOUNDS, histogram, LATENCY_BOUNDS, type Histogram } from '../counts/histogram.ts';
import type { Family, Sample } from './prometheus.ts';
import { Scrape } from './scrape.ts';

type Definition = readonly [
  name: string,
  type: Family['type'],
  help: string,
  samples: (scrape: Scrape) => readonly Sample[],
];

const seconds = (ms: number): number => ms / 1_000;

/** One value for each account; true is 1. */
const perAccount =
  (value: (metrics: AccountMetrics) => number | boolean) =>
  (scrape: Scrape): readonly Sample[] =>
    scrape.byAccount((metrics) => [[{}, Number(value(metrics))]]);

/** Counters of everything configured begin at 0, so that a rate includes the first increase. */
const DEFINITIONS: readonly Definition[] = [
  [
    'events_total',
    'counter',
    'Events accepted, replays among them, by their outcomes.',
    (scrape) =>
      scrape.bySource((counts, source) =>
        EVENT_STATES.map((state) => [{ state }, counts.get('event', source, state)]),
      ),
  ],
  [
    'event_duplicates_total',
    'counter',
    'Webhooks that repeated an event and sent nothing.',
    (scrape) => scrape.bySource((counts, source) => [[{}, counts.get('duplicate', source)]]),
  ],
  [
    'rejections_total',
    'counter',
    'Refused webhooks that were recorded: ten a second at most, but all that were over a limit.',
    ({ collected: { rejections } }) =>
      (rejections?.of('rejection') ?? []).map(([[source = '', reason = ''], value]) => ({
        labels: { source, reason },
        value,
      })),
  ],
  [
    'source_last_event_timestamp_seconds',
    'gauge',
    'When the source sent its last webhook.',
    (scrape) =>
      scrape.byConfigured(({ id }, { counts }) => {
        const at = counts.get(LAST, id);
        return at === 0 ? [] : [[{}, seconds(at)]];
      }),
  ],
  [
    'source_overdue',
    'gauge',
    'Whether the source is silent for longer than its heartbeat.',
    (scrape) =>
      scrape.byConfigured((source, metrics) => {
        const heartbeat = heartbeatOf(source, metrics, scrape.now);
        return heartbeat === null ? [] : [[{}, Number(heartbeat.overdue)]];
      }),
  ],
  [
    'messages_total',
    'counter',
    'Messages that reached a state; queued: all that were accepted.',
    (scrape) =>
      scrape.bySource((counts, source) =>
        WRITTEN_STATES.map((state) => [{ state }, counts.get('message', source, state)]),
      ),
  ],
  [
    'attempts_total',
    'counter',
    'Attempts to send, by outcome.',
    (scrape) =>
      scrape.byAccount(({ counts }) =>
        OUTCOMES.map((outcome) => [{ outcome }, counts.get('attempt', outcome)]),
      ),
  ],
  [
    'attempt_duration_seconds',
    'histogram',
    'How long calls of the gateway took.',
    (scrape) =>
      scrape.histograms((counts) => OUTCOMES.map((outcome) => [{ outcome }, durations(counts, outcome)])),
  ],
  [
    'message_latency_seconds',
    'histogram',
    'Time from the webhook to the answer that the message is sent.',
    (scrape) => scrape.histograms((counts) => [[{}, latencies(counts)]]),
  ],
  [
    'queue_messages',
    'gauge',
    'Messages that wait, are being sent, or wait for a person.',
    (scrape) => scrape.byAccount(({ queue }) => QUEUE_STATES.map((state) => [{ state }, queue[state]])),
  ],
  [
    'queue_oldest_seconds',
    'gauge',
    'How long the oldest due message has waited; the age of the oldest that is tried again.',
    (scrape) =>
      scrape.byAccount(({ oldestMs: { queued, retrying } }) => [
        [{ state: 'queued' }, seconds(queued)],
        [{ state: 'retrying' }, seconds(retrying)],
      ]),
  ],
  ['incidents_open', 'gauge', 'Open incidents.', perAccount(({ incidents }) => incidents.open)],
  [
    'items_waiting',
    'gauge',
    'Items that wait for a notification.',
    perAccount(({ incidents }) => incidents.waiting),
  ],
  ['digests_total', 'counter', 'Digests sent.', perAccount(({ counts }) => counts.get('digest'))],
  [
    'circuit_open',
    'gauge',
    'Whether the gateway is only probed.',
    perAccount(({ circuitOpen }) => circuitOpen),
  ],
  ['account_paused', 'gauge', 'Whether the account is paused.', perAccount(({ paused }) => paused)],
  [
    'storage_bytes',
    'gauge',
    'The size of the outbox of the account.',
    perAccount(({ storage }) => storage.bytes),
  ],
  [
    'storage_used_ratio',
    'gauge',
    'The share of its limit that the outbox of the account uses.',
    perAccount(({ storage }) => storage.usedRatio),
  ],
  [
    'storage_full',
    'gauge',
    'Whether the outbox of the account has no space for more webhooks.',
    perAccount(({ storage }) => storage.full),
  ],
  [
    'account_up',
    'gauge',
    'Whether the account could be read for this scrape.',
    ({ collected: { accounts } }) =>
      [...accounts].map(([account, metrics]) => ({ labels: { account }, value: Number(metrics !== null) })),
  ],
  [
    'config_version',
    'gauge',
    'The version of the configuration that is in force here.',
    ({ collected: { config } }) => [{ labels: {}, value: config.version }],
  ],
];

/** All metrics for Prometheus. */
export function families(collected: Collected, now: number): readonly Family[] {
  const scrape = new Scrape(collected, now);
  return DEFINITIONS.map(([name, type, help, samples]) => ({
    name: `hookbell_${name}`,
    type,
    help,
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

/** The latencies of an account's messages from the webhook to the gateway's answer that they are sent, in seconds. */
export const latencies = (counts: Counts): Histogram =>
  histogram(LATENCY_BOUNDS, (le) => counts.get('latency', le), seconds(counts.get('latency', 'ms')));

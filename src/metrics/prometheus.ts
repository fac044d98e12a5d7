import { EVENT_STATES, QUEUE_STATES, WRITTEN_STATES } from '../schema/states.ts';
import { OUTCOMES } from '../gateway/outcome.ts';
import { type AccountMetrics, type Collected, heartbeatOf, latencies } from './collect.ts';
import {
  LAST,
  type Counts,
  ATTEMPT_BOUNDS,
  histogram,
  type Histogram,
  OF_SOURCES,
} from '../counts/counts.ts';
import type { SourceOutline } from '../config/compiled/config.ts';

interface Scrape extends Collected {
  /** ms since the epoch. */
  readonly now: number;
}

type Samples = (scrape: Scrape) => readonly MetricSample[];

interface Definition {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: Samples;
}

/** Labels and a value, without the labels that {@link byAccount} and the like add. */
type Labelled<Value> = readonly [labels: MetricSample['labels'], value: Value];
type Value = Labelled<number>;

const counter = (samples: Samples): Definition => ({ type: 'counter', samples });
const gauge = (samples: Samples): Definition => ({ type: 'gauge', samples });

/** Makes samples for each account that could be read. */
const ofAccounts =
  (samples: (metrics: AccountMetrics, account: string, scrape: Scrape) => readonly MetricSample[]): Samples =>
  (scrape) =>
    [...scrape.accounts].flatMap(([account, metrics]) =>
      metrics === null ? [] : samples(metrics, account, scrape),
    );

const byAccount = (values: (metrics: AccountMetrics, account: string, scrape: Scrape) => readonly Value[]) =>
  ofAccounts((metrics, account, scrape) =>
    values(metrics, account, scrape).map(([labels, value]) => ({ labels: { account, ...labels }, value })),
  );

/** Makes one value for each account. True is 1. */
const perAccount = (value: (metrics: AccountMetrics) => number | boolean): Samples =>
  byAccount((metrics) => [[{}, Number(value(metrics))]]);

const withSource = (source: string, values: readonly Value[]): readonly Value[] =>
  values.map(([labels, value]) => [{ source, ...labels }, value]);

const configured = ({ config }: Scrape, account: string): readonly SourceOutline[] =>
  [...config.outlines.values()].filter((source) => source.account === account);

/** Makes samples for each source that is configured or was ever counted. */
const bySource = (values: (counts: Counts, source: string) => readonly Value[]): Samples =>
  byAccount(({ counts }, account, scrape) => {
    const counted = OF_SOURCES.flatMap((kind) => counts.of(kind)).flatMap(([[source]]) => source ?? []);
    const sources = new Set([...configured(scrape, account).map(({ id }) => id), ...counted]);
    return [...sources].flatMap((source) => withSource(source, values(counts, source)));
  });

const byConfigured = (
  values: (source: SourceOutline, metrics: AccountMetrics, now: number) => readonly Value[],
): Samples =>
  byAccount((metrics, account, scrape) =>
    configured(scrape, account).flatMap((source) =>
      withSource(source.id, values(source, metrics, scrape.now)),
    ),
  );

/** Leaves out histograms without values, since most accounts never have most outcomes. */
const histograms = (values: (counts: Counts) => readonly Labelled<Histogram>[]): Definition => ({
  type: 'histogram',
  samples: ofAccounts(({ counts }, account) =>
    values(counts).flatMap(([labels, one]) => histogramSamples({ account, ...labels }, one)),
  ),
});

const seconds = (ms: number): number => ms / 1_000;

/** By name. Counters for everything that is configured begin at 0, so that a rate includes the first increase. */
const DEFINITIONS: Readonly<Record<string, Definition>> = {
  events_total: counter(
    bySource((counts, source) =>
      EVENT_STATES.map((state) => [{ state }, counts.get('event', source, state)]),
    ),
  ),
  event_duplicates_total: counter(bySource((counts, source) => [[{}, counts.get('duplicate', source)]])),
  rejections_total: counter(({ rejections }) =>
    (rejections?.of('rejection') ?? []).map(([[source = '', reason = ''], value]) => ({
      labels: { source, reason },
      value,
    })),
  ),
  source_last_event_timestamp_seconds: gauge(
    byConfigured(({ id }, { counts }) => {
      const at = counts.get(LAST, id);
      return at === 0 ? [] : [[{}, seconds(at)]];
    }),
  ),
  source_overdue: gauge(
    byConfigured((source, metrics, now) => {
      const heartbeat = heartbeatOf(source, metrics, now);
      return heartbeat === null ? [] : [[{}, Number(heartbeat.overdue)]];
    }),
  ),
  messages_total: counter(
    bySource((counts, source) =>
      WRITTEN_STATES.map((state) => [{ state }, counts.get('message', source, state)]),
    ),
  ),
  attempts_total: counter(
    byAccount(({ counts }) => OUTCOMES.map((outcome) => [{ outcome }, counts.get('attempt', outcome)])),
  ),
  attempt_duration_seconds: histograms((counts) =>
    OUTCOMES.map((outcome) => [{ outcome }, durations(counts, outcome)]),
  ),
  message_latency_seconds: histograms((counts) => [[{}, latencies(counts)]]),
  queue_messages: gauge(byAccount(({ queue }) => QUEUE_STATES.map((state) => [{ state }, queue[state]]))),
  queue_oldest_seconds: gauge(
    byAccount(({ oldestMs: { queued, retrying } }) => [
      [{ state: 'queued' }, seconds(queued)],
      [{ state: 'retrying' }, seconds(retrying)],
    ]),
  ),
  incidents_open: gauge(perAccount(({ incidents }) => incidents.open)),
  items_waiting: gauge(perAccount(({ incidents }) => incidents.waiting)),
  digests_total: counter(perAccount(({ counts }) => counts.get('digest'))),
  escapes_total: counter(
    byAccount(({ counts }) =>
      (['taken', 'failed'] as const).map((outcome) => [{ outcome }, counts.get('escape', outcome)]),
    ),
  ),
  circuit_open: gauge(perAccount(({ circuitOpen }) => circuitOpen)),
  account_paused: gauge(perAccount(({ paused }) => paused)),
  storage_bytes: gauge(perAccount(({ storage }) => storage.bytes)),
  storage_used_ratio: gauge(perAccount(({ storage }) => storage.bytes / storage.maxBytes)),
  storage_full: gauge(perAccount(({ storage }) => storage.state === 'full')),
  account_up: gauge(({ accounts }) =>
    [...accounts].map(([account, metrics]) => ({ labels: { account }, value: Number(metrics !== null) })),
  ),
  config_version: gauge(({ config }) => [{ labels: {}, value: config.version }]),
};

/** Returns all metrics for Prometheus. `help`: their descriptions by name, from `assets/metrics.json`. */
export function families(collected: Collected, now: number, help: Readonly<Record<string, string>>) {
  return Object.entries(DEFINITIONS).map(([name, { type, samples }]) => ({
    name: `hookbell_${name}`,
    type,
    help: help[name] ?? '',
    samples: samples({ ...collected, now }),
  }));
}

function durations(counts: Counts, outcome: string): Histogram {
  const sum = seconds(counts.get('took', outcome, 'ms'));
  return histogram(ATTEMPT_BOUNDS, (le) => counts.get('took', outcome, le), sum);
}

export interface MetricSample {
  /** The end of the name: `_bucket`, `_sum` or `_count` for a histogram. */
  readonly suffix?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family extends Pick<Definition, 'type'> {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly MetricSample[];
}

/** The content type of Prometheus's text format, version 0.0.4. */
export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Writes families in Prometheus's text format. Leaves out families without samples. */
export const exposition = (families: readonly Family[]): string =>
  families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, type, help, samples }) => {
      const head = `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n`;
      return head + samples.map((sample) => line(name, sample)).join('');
    })
    .join('');

function line(name: string, { suffix = '', labels, value }: MetricSample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');

function histogramSamples(labels: MetricSample['labels'], { buckets, sum, count }: Histogram) {
  if (count === 0) return [];
  return [
    ...buckets.map(({ le, count: upTo }) => ({ suffix: '_bucket', labels: { ...labels, le }, value: upTo })),
    { suffix: '_sum', labels, value: sum },
    { suffix: '_count', labels, value: count },
  ];
}

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

/** `now`: ms since the epoch. */
type Scrape = Collected & { readonly now: number };

type Labels = Readonly<Record<string, string>>;

/** `suffix`: the end of the name, of a histogram: `_bucket`, `_sum` or `_count`. */
type Sample = readonly [labels: Labels, value: number, suffix?: string];

interface Definition {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: (scrape: Scrape) => readonly Sample[];
}

type Samples = Definition['samples'];

const counter = (samples: Samples): Definition => ({ type: 'counter', samples });
const gauge = (samples: Samples): Definition => ({ type: 'gauge', samples });

const within = (outer: Labels, samples: readonly Sample[]): readonly Sample[] =>
  samples.map(([labels, ...rest]) => [{ ...outer, ...labels }, ...rest]);

/** Makes samples for each account that could be read. */
const byAccount =
  (samples: (metrics: AccountMetrics, account: string, scrape: Scrape) => readonly Sample[]): Samples =>
  (scrape) =>
    [...scrape.accounts].flatMap(([account, metrics]) =>
      metrics === null ? [] : within({ account }, samples(metrics, account, scrape)),
    );

/** Makes one value for each account. True is 1. */
const perAccount = (value: (metrics: AccountMetrics) => number | boolean): Samples =>
  byAccount((metrics) => [[{}, Number(value(metrics))]]);

const configured = ({ config }: Scrape, account: string): readonly SourceOutline[] =>
  [...config.outlines.values()].filter((source) => source.account === account);

/** Makes samples for each source that is configured or was ever counted. */
const bySource = (samples: (counts: Counts, source: string) => readonly Sample[]): Samples =>
  byAccount(({ counts }, account, scrape) => {
    const counted = OF_SOURCES.flatMap((kind) => counts.of(kind)).flatMap(([[source]]) => source ?? []);
    const sources = new Set([...configured(scrape, account).map(({ id }) => id), ...counted]);
    return [...sources].flatMap((source) => within({ source }, samples(counts, source)));
  });

/** Makes a value for each source that is configured, if it has one. */
const perConfigured = (
  value: (source: SourceOutline, metrics: AccountMetrics, now: number) => number | null,
): Samples =>
  byAccount((metrics, account, scrape) =>
    configured(scrape, account).flatMap((source) => {
      const found = value(source, metrics, scrape.now);
      return found === null ? [] : [[{ source: source.id }, found]];
    }),
  );

/** Leaves out histograms without values, since most accounts never have most outcomes. */
function samplesOf(labels: Labels, { buckets, sum, count }: Histogram): readonly Sample[] {
  if (count === 0) return [];
  return [
    ...buckets.map(({ le, count: upTo }): Sample => [{ ...labels, le }, upTo, '_bucket']),
    [labels, sum, '_sum'],
    [labels, count, '_count'],
  ];
}

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
    (rejections?.of('rejection') ?? []).map(([[source = '', reason = ''], sum]) => [{ source, reason }, sum]),
  ),
  source_last_event_timestamp_seconds: gauge(
    perConfigured(({ id }, { counts }) => seconds(counts.get(LAST, id)) || null),
  ),
  source_overdue: gauge(
    perConfigured((source, metrics, now) => {
      const heartbeat = heartbeatOf(source, metrics, now);
      return heartbeat && Number(heartbeat.overdue);
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
  attempt_duration_seconds: {
    type: 'histogram',
    samples: byAccount(({ counts }) =>
      OUTCOMES.flatMap((outcome) => {
        const sum = seconds(counts.get('took', outcome, 'ms'));
        const all = histogram(ATTEMPT_BOUNDS, (le) => counts.get('took', outcome, le), sum);
        return samplesOf({ outcome }, all);
      }),
    ),
  },
  message_latency_seconds: {
    type: 'histogram',
    samples: byAccount(({ counts }) => samplesOf({}, latencies(counts))),
  },
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
    [...accounts].map(([account, metrics]) => [{ account }, Number(metrics !== null)]),
  ),
  config_version: gauge(({ config }) => [[{}, config.version]]),
};

/** Returns all metrics for Prometheus. `help`: their descriptions by name, from `assets/metrics.json`. */
export function families(collected: Collected, now: number, help: Readonly<Record<string, string>>) {
  return Object.entries(DEFINITIONS).map(([name, { type, samples }]) => ({
    name: `hookbell_${name}`,
    type,
    help: help[name] ?? '',
    samples: samples({ ...collected, now }).map(([labels, value, suffix = '']) => ({
      labels,
      value,
      suffix,
    })),
  }));
}

export interface Family extends Pick<Definition, 'type'> {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly { readonly labels: Labels; readonly value: number; readonly suffix?: string }[];
}

/** The content type of Prometheus's text format, version 0.0.4. */
export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Writes families in Prometheus's text format. Leaves out families without samples. */
export const exposition = (families: readonly Family[]): string =>
  families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, type, help, samples }) => {
      const lines = samples.map(({ suffix = '', labels, value }) => {
        const pairs = Object.entries(labels).map(
          ([label, text]) => `${label}="${escaped(text).replaceAll('"', '\\"')}"`,
        );
        return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
      });
      return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`;
    })
    .join('');

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

import type { SourceOutline } from '../config/compiled/config.ts';
import type { AccountMetrics, Collected } from './collect.ts';
import { OF_SOURCES, type Counts } from '../counts/counts.ts';
import type { Histogram } from '../counts/histogram.ts';
import type { MetricSample } from './prometheus.ts';

/** Labels and a value, without the labels that {@link Scrape} adds. */
type Value = readonly [labels: MetricSample['labels'], value: number];

/** Gives the metrics' definitions access to the collected data. */
export class Scrape {
  readonly collected: Collected;
  /** ms since the epoch. */
  readonly now: number;

  constructor(collected: Collected, now: number) {
    this.collected = collected;
    this.now = now;
  }

  /** Makes samples for each account that could be read. */
  byAccount(values: (metrics: AccountMetrics, account: string) => readonly Value[]): readonly MetricSample[] {
    return this.#each((metrics, account) =>
      values(metrics, account).map(([labels, value]) => ({ labels: { account, ...labels }, value })),
    );
  }

  /** Makes samples for each source that is configured or was ever counted. */
  bySource(values: (counts: Counts, source: string) => readonly Value[]): readonly MetricSample[] {
    return this.byAccount(({ counts }, account) =>
      [...this.#sourcesOf(account, counts)].flatMap((source) =>
        values(counts, source).map(([labels, value]): Value => [{ source, ...labels }, value]),
      ),
    );
  }

  /** Makes samples for each configured source, from its account's data. */
  byConfigured(
    values: (source: SourceOutline, metrics: AccountMetrics) => readonly Value[],
  ): readonly MetricSample[] {
    return this.byAccount((metrics, account) =>
      this.#configured(account).flatMap((source) =>
        values(source, metrics).map(([labels, value]): Value => [{ source: source.id, ...labels }, value]),
      ),
    );
  }

  /** Makes samples of histograms. Leaves out those without values, since most accounts never have most outcomes. */
  histograms(
    values: (counts: Counts) => readonly (readonly [MetricSample['labels'], Histogram])[],
  ): readonly MetricSample[] {
    return this.#each(({ counts }, account) =>
      values(counts).flatMap(([labels, one]) => histogramSamples({ account, ...labels }, one)),
    );
  }

  #each(
    samples: (metrics: AccountMetrics, account: string) => readonly MetricSample[],
  ): readonly MetricSample[] {
    return [...this.collected.accounts].flatMap(([account, metrics]) =>
      metrics === null ? [] : samples(metrics, account),
    );
  }

  #sourcesOf(account: string, counts: Counts): ReadonlySet<string> {
    const counted = OF_SOURCES.flatMap((kind) => counts.of(kind));
    return new Set([
      ...this.#configured(account).map(({ id }) => id),
      ...counted.flatMap(([[source]]) => source ?? []),
    ]);
  }

  #configured(account: string): readonly SourceOutline[] {
    return [...this.collected.config.outlines.values()].filter((source) => source.account === account);
  }
}

function histogramSamples(
  labels: MetricSample['labels'],
  { buckets, sum, count }: Histogram,
): readonly MetricSample[] {
  if (count === 0) return [];
  return [
    ...buckets.map(({ le, count: upTo }) => ({ suffix: '_bucket', labels: { ...labels, le }, value: upTo })),
    { suffix: '_sum', labels, value: sum },
    { suffix: '_count', labels, value: count },
  ];
}

import type { LoadedConfig } from '../config/compiled/config.ts';
import { registry } from '../config/load.ts';
import type { Point } from '../counts/series.ts';
import { DAY, iso } from '../lib/time.ts';
import { SERIES_METRICS } from '../outbox/counters/counters.ts';

/** The metrics that can be read over time. The registry counts `rejected`, without accounts. */
export const METRICS = [...SERIES_METRICS, 'rejected'] as const;

const KEPT_MS = 7 * DAY;

export interface SeriesRequest {
  readonly metric: (typeof METRICS)[number];
  readonly source: string | undefined;
  readonly account: string | undefined;
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** Returns the counts of each step, over all accounts. Steps begin at multiples of their length since the epoch. */
export async function readSeries(env: Env, config: LoadedConfig, asked: SeriesRequest, now: number) {
  const { metric, source, account, step } = asked;
  const from = Math.floor(asked.from / step) * step;
  const to = Math.ceil(asked.to / step) * step;
  const names = account === undefined ? [...config.accounts.keys()] : [account];
  const parts: readonly { readonly from: number; readonly points: readonly Point[] }[] =
    metric === 'rejected'
      ? [await registry(env).rejectionSeries(source, from, to)]
      : await Promise.all(names.map((name) => env.OUTBOX.getByName(name).series(metric, source, from, to)));
  const values = new Map<number, number>();
  for (let at = from; at < to; at += step) values.set(at, 0);
  for (const { at, value } of parts.flatMap(({ points }) => points)) {
    const begin = Math.floor(at / step) * step;
    values.set(begin, (values.get(begin) ?? 0) + value);
  }
  const since = Math.max(now - KEPT_MS, ...parts.map((part) => part.from));
  return {
    metric,
    from: iso(from),
    to: iso(to),
    step_seconds: step / 1_000,
    points: [...values].map(([at, value]) => ({ at: iso(at), value })),
    complete_from: iso(Math.ceil(since / step) * step),
  };
}

import type { LoadedConfig, SourceOutline } from '../config/compiled/config.ts';
import { registry } from '../config/load.ts';
import { describeError, log } from '../lib/log.ts';
import {
  Counts,
  LAST,
  byLabel,
  histogram,
  LATENCY_BOUNDS,
  type Histogram,
  quantile,
} from '../counts/counts.ts';
import type { Point } from '../counts/series.ts';
import type { OutboxMetrics } from '../outbox/read/status.ts';
import { DAY, formatDuration, iso } from '../lib/time.ts';
import { silentFor } from '../outbox/notify/heartbeat.ts';
import type { METRICS } from '../outbox/counters/counters.ts';
import type { AccountStats, SourceStats, Stats } from './api-stats.ts';
import { OUTCOMES } from '../gateway/outcome.ts';
import { EVENT_STATES, WRITTEN_STATES } from '../schema/states.ts';

export interface AccountMetrics extends Omit<OutboxMetrics, 'totals' | 'watched'> {
  readonly counts: Counts;
  /** Sources whose silence is watched, and since when (ms). */
  readonly watched: ReadonlyMap<string, number>;
}

/** All data of a scrape. Null for data that could not be read now. */
export interface Collected {
  readonly config: LoadedConfig;
  readonly accounts: ReadonlyMap<string, AccountMetrics | null>;
  readonly rejections: Counts | null;
}

export async function collect(env: Env, config: LoadedConfig): Promise<Collected> {
  const read = async (account: string): Promise<AccountMetrics> => {
    const { totals, watched, ...rest } = await env.OUTBOX.getByName(account).metrics();
    return { ...rest, counts: new Counts(totals), watched: new Map(Object.entries(watched)) };
  };
  const names = [...config.accounts.keys()];
  const asked = names.map(
    async (account) => [account, await orNull({ account }, () => read(account))] as const,
  );
  const [accounts, totals] = await Promise.all([
    Promise.all(asked),
    orNull({}, () => registry(env).rejectionTotals()),
  ]);
  return { config, accounts: new Map(accounts), rejections: totals && new Counts(totals) };
}

/** Null if it could not be read now. `about`: the account; absent for the registry. */
export async function orNull<Answer>(about: { readonly account?: string }, read: () => Promise<Answer>) {
  try {
    return await read();
  } catch (thrown) {
    log('error', 'metrics.read.failed', { ...about, error: describeError(thrown) });
    return null;
  }
}

/** Null if the source has no heartbeat. A source that its outbox does not watch yet is not overdue. */
export function heartbeatOf(source: SourceOutline, account: AccountMetrics, now: number) {
  const { id, heartbeatMs } = source;
  if (heartbeatMs === null) return null;
  const since = account.watched.get(id);
  const lastAt = account.counts.get(LAST, id) || null;
  const overdue = since !== undefined && silentFor(lastAt, since, now) > heartbeatMs;
  return { expected: formatDuration(heartbeatMs), overdue };
}

export function stats({ config, accounts, rejections }: Collected, now: number): Stats {
  const sources = [...config.outlines.values()].map((source): [string, SourceStats] => {
    const { id, account } = source;
    const metrics = accounts.get(account) ?? null;
    const lastAt = metrics?.counts.get(LAST, id) ?? 0;
    const heartbeat = metrics === null ? null : heartbeatOf(source, metrics, now);
    return [
      id,
      {
        account,
        events: metrics && byLabel(EVENT_STATES, (state) => metrics.counts.get('event', id, state)),
        duplicates: metrics?.counts.get('duplicate', id) ?? null,
        rejections: rejections && reasons(rejections, id),
        last_event_at: lastAt === 0 ? null : iso(lastAt),
        ...(heartbeat !== null && { heartbeat }),
      },
    ];
  });
  const byAccount = [...accounts].map(([account, metrics]): [string, AccountStats | null] => [
    account,
    metrics && {
      messages: byLabel(WRITTEN_STATES, (state) => ofAllSources(metrics.counts, state)),
      attempts: byLabel(OUTCOMES, (outcome) => metrics.counts.get('attempt', outcome)),
      queue: metrics.queue,
      oldest_waiting_seconds: Math.max(metrics.oldestMs.queued, metrics.oldestMs.retrying) / 1_000,
      latency_seconds: latency(metrics.counts),
    },
  ]);
  return { sources: Object.fromEntries(sources), accounts: Object.fromEntries(byAccount) };
}

function reasons(rejections: Counts, id: string): Record<string, number> {
  const own = rejections.of('rejection').filter(([[source]]) => source === id);
  return Object.fromEntries(own.map(([[, reason = ''], count]) => [reason, count]));
}

const ofAllSources = (counts: Counts, wanted: string): number =>
  counts.of('message').reduce((sum, [[, state], count]) => (state === wanted ? sum + count : sum), 0);

function latency(counts: Counts): AccountStats['latency_seconds'] {
  const all = latencies(counts);
  const [median, p95] = [quantile(all, 0.5), quantile(all, 0.95)];
  return median === null || p95 === null ? null : { median, p95 };
}

/** From the webhook to the gateway's acceptance, in seconds. */
export const latencies = (counts: Counts): Histogram =>
  histogram(LATENCY_BOUNDS, (le) => counts.get('latency', le), counts.get('latency', 'ms') / 1_000);

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

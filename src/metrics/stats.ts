import type { AccountStats, SourceStats, Stats } from './api-stats.ts';
import { OUTCOMES } from '../gateway/outcome.ts';
import { type Collected, heartbeatOf } from './collect.ts';
import { byLabel, LAST, type Counts } from '../counts/counts.ts';
import { latencies } from './prometheus.ts';
import { quantile } from '../counts/counts.ts';
import { EVENT_STATES, WRITTEN_STATES } from '../outbox/state/states.ts';
import { iso } from '../lib/time.ts';

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
        events:
          metrics === null ? null : byLabel(EVENT_STATES, (state) => metrics.counts.get('event', id, state)),
        duplicates: metrics?.counts.get('duplicate', id) ?? null,
        rejections: rejections === null ? null : reasons(rejections, id),
        last_event_at: lastAt === 0 ? null : iso(lastAt),
        ...(heartbeat !== null && { heartbeat }),
      },
    ];
  });
  const byAccount = [...accounts].map(([account, metrics]): [string, AccountStats | null] => [
    account,
    metrics === null
      ? null
      : {
          messages: byLabel(WRITTEN_STATES, (state) => ofAllSources(metrics.counts, state)),
          attempts: byLabel(OUTCOMES, (outcome) => metrics.counts.get('attempt', outcome)),
          queue: metrics.queue,
          oldest_waiting_seconds: Math.max(metrics.oldestMs.queued, metrics.oldestMs.retrying) / 1_000,
          latency_seconds: latency(metrics.counts),
        },
  ]);
  return { sources: Object.fromEntries(sources), accounts: Object.fromEntries(byAccount) };
}

const reasons = (rejections: Counts, id: string): Record<string, number> =>
  Object.fromEntries(
    rejections
      .of('rejection')
      .flatMap(([[source, reason = ''], count]) => (source === id ? [[reason, count]] : [])),
  );

const ofAllSources = (counts: Counts, wanted: string): number =>
  counts.of('message').reduce((sum, [[, state], count]) => (state === wanted ? sum + count : sum), 0);

function latency(counts: Counts): AccountStats['latency_seconds'] {
  const all = latencies(counts);
  const [median, p95] = [quantile(all, 0.5), quantile(all, 0.95)];
  return median === null || p95 === null ? null : { median, p95 };
}

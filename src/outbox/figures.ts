import type { Point } from '../counts/series.ts';
import type { OutboxParts } from './parts.ts';
import { outboxGauges, type OutboxMetrics } from './read/gauges.ts';
import { outboxStatus } from './read/status.ts';
import type { OutboxStatus } from './answers/api-status.ts';

/** Selects the counts over time to read. */
export interface SeriesQuery {
  readonly metric: string;
  /** Undefined for all sources. */
  readonly source: string | undefined;
  /** In ms. */
  readonly from: number;
  readonly to: number;
}

/** Returns the counters, and the current queue. */
export function readMetrics(parts: OutboxParts): OutboxMetrics {
  const { claims, clock, disk, heartbeats, incidents, meta, read } = parts;
  return {
    totals: claims.counters.totals,
    watched: heartbeats.watched(),
    storage: disk.measure(),
    incidents: incidents.counts(),
    ...outboxGauges({ ...read(), meta, now: clock() }),
  };
}

/** Returns counts over time. `from`: the time since which everything was counted (ms). */
export function readSeries(
  { claims }: OutboxParts,
  { metric, source, from, to }: SeriesQuery,
): { readonly from: number; readonly points: readonly Point[] } {
  const { series } = claims;
  return { from: series.from, points: series.read(metric, source, from, to) };
}

/** Returns the account's status, by the policy in force. */
export async function readStatus(parts: OutboxParts): Promise<OutboxStatus> {
  const { canary, clock, config, disk, escapes, incidents, meta, read } = parts;
  const policy = await config.policy();
  const facts = { meta, level: disk.measure(), incidents: incidents.counts(), escapes, canary };
  return outboxStatus(read(), facts, policy, clock());
}

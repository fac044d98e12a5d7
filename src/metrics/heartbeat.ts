import type { SourceOutline } from '../config/compiled/config.ts';
import { formatDuration } from '../lib/duration.ts';
import { silentFor } from '../outbox/notify/heartbeat.ts';
import type { AccountMetrics } from './collect.ts';
import { LAST } from '../counts/counts.ts';
import type { HeartbeatState } from './api-stats.ts';

/** Null if the source has no heartbeat. A source that its outbox does not watch yet is not overdue. */
export function heartbeatOf(
  source: SourceOutline,
  account: AccountMetrics,
  now: number,
): HeartbeatState | null {
  const { id, heartbeatMs } = source;
  if (heartbeatMs === null) return null;
  const since = account.watched.get(id);
  const lastAt = account.counts.get(LAST, id) || null;
  const overdue = since !== undefined && silentFor(lastAt, since, now) > heartbeatMs;
  return { expected: formatDuration(heartbeatMs), overdue };
}

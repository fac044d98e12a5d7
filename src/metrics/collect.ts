import type { LoadedConfig, SourceOutline } from '../config/compiled/config.ts';
import { registry } from '../config/load.ts';
import { describeError, log } from '../lib/log.ts';
import { Counts, LAST } from '../counts/counts.ts';
import type { OutboxMetrics } from '../outbox/read/status.ts';
import { formatDuration } from '../lib/time.ts';
import { silentFor } from '../outbox/notify/heartbeat.ts';
import type { HeartbeatState } from './api-stats.ts';

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
  const asked = [...config.accounts.keys()].map(
    async (account) => [account, await readAccount(env, account)] as const,
  );
  const [accounts, rejections] = await Promise.all([
    Promise.all(asked),
    orNull({}, () => registry(env).rejectionTotals()),
  ]);
  return {
    config,
    accounts: new Map(accounts),
    rejections: rejections === null ? null : new Counts(rejections),
  };
}

const readAccount = (env: Env, account: string): Promise<AccountMetrics | null> =>
  orNull({ account }, async () => {
    const { totals, watched, ...rest } = await env.OUTBOX.getByName(account).metrics();
    return {
      ...rest,
      counts: new Counts(totals),
      watched: new Map(Object.entries(watched)),
    };
  });

/** Null if it could not be read now. `about`: the account; absent for the registry. */
export async function orNull<Answer>(
  about: { readonly account?: string },
  read: () => Promise<Answer>,
): Promise<Answer | null> {
  try {
    return await read();
  } catch (thrown) {
    log('error', 'metrics.read.failed', { ...about, error: describeError(thrown) });
    return null;
  }
}

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

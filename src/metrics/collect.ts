import type { LoadedConfig } from '../config/config.ts';
import { registry } from '../config/registry-client.ts';
import { describeError, log } from '../lib/log.ts';
import { objectNames } from '../outbox/state/shards.ts';
import { byLabel, Counts } from '../counts/counts.ts';
import type { IncidentCounts, OutboxMetrics } from '../outbox/read/gauges.ts';
import { QUEUE_STATES, type QueueState } from '../outbox/state/states.ts';

/** The metrics of an account, merged from all of its objects. */
export interface AccountMetrics {
  readonly counts: Counts;
  readonly queue: Readonly<Record<QueueState, number>>;
  readonly oldestMs: { readonly queued: number; readonly retrying: number };
  readonly circuitOpen: boolean;
  readonly paused: boolean;
  /** Sources that are watched for silence, and since when (ms). */
  readonly watched: ReadonlyMap<string, number>;
  readonly incidents: IncidentCounts;
  readonly storage: {
    readonly bytes: number;
    /** The share of its size that the fullest object uses. */
    readonly usedRatio: number;
    readonly full: boolean;
  };
}

/** All that a scrape shows. Null: it could not be read now. */
export interface Collected {
  readonly config: LoadedConfig;
  readonly accounts: ReadonlyMap<string, AccountMetrics | null>;
  readonly rejections: Counts | null;
}

/** Asks each object of each configured account once, and the registry once, all at the same time. */
export async function collect(env: Env, config: LoadedConfig): Promise<Collected> {
  const asked = [...config.accounts].map(
    async ([account, policy]) => [account, await readAccount(env, objectNames(account, policy))] as const,
  );
  const [accounts, rejections] = await Promise.all([
    Promise.all(asked),
    readOrNull('registry', () => registry(env).rejectionTotals()),
  ]);
  return {
    config,
    accounts: new Map(accounts),
    rejections: rejections === null ? null : new Counts(rejections),
  };
}

/** All objects of an account or none: a sum without one of its parts would look like a counter reset. */
async function readAccount(env: Env, names: readonly string[]): Promise<AccountMetrics | null> {
  const read = names.map((name) => readOrNull(name, () => env.OUTBOX.getByName(name).metrics()));
  const parts = (await Promise.all(read)).filter((part) => part !== null);
  return parts.length < names.length ? null : merged(parts);
}

function merged(parts: readonly OutboxMetrics[]): AccountMetrics {
  const counts = new Counts();
  for (const { totals } of parts) counts.merge(totals);
  const sum = (read: (part: OutboxMetrics) => number): number =>
    parts.reduce((total, part) => total + read(part), 0);
  return {
    counts,
    queue: byLabel(QUEUE_STATES, (state) => sum(({ queue }) => queue[state])),
    oldestMs: {
      queued: Math.max(...parts.map(({ oldestMs }) => oldestMs.queued)),
      retrying: Math.max(...parts.map(({ oldestMs }) => oldestMs.retrying)),
    },
    circuitOpen: parts.some(({ circuitOpen }) => circuitOpen),
    paused: parts.some(({ paused }) => paused),
    incidents: {
      open: sum(({ incidents }) => incidents.open),
      waiting: sum(({ incidents }) => incidents.waiting),
    },
    storage: {
      bytes: sum(({ storage }) => storage.bytes),
      usedRatio: Math.max(...parts.map(({ storage: { bytes, maxBytes } }) => bytes / maxBytes)),
      full: parts.some(({ storage }) => storage.state === 'full'),
    },
    watched: new Map(parts.flatMap(({ watched }) => Object.entries(watched))),
  };
}

async function readOrNull<Answer>(outbox: string, read: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await read();
  } catch (thrown) {
    log('error', 'metrics.read.failed', { outbox, error: describeError(thrown) });
    return null;
  }
}

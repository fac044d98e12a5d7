import type { AccountPolicy } from '../../config/config.ts';
import { queueDepth, type IncidentCounts } from './gauges.ts';
import type { Meta } from '../state/meta.ts';
import type { ReadContext } from './read.ts';
import type { StorageLevel, StorageState } from '../storage/storage-guard.ts';
import type { QueueState } from '../state/states.ts';
import { iso } from '../../lib/iso.ts';

/** An account's status, as the admin API shows it. */
export interface OutboxStatus {
  readonly account: string;
  readonly queued: number;
  readonly retrying: number;
  readonly sending: number;
  readonly uncertain: number;
  readonly dead: number;
  /** Items that wait to be told, counted for each receiver: they are not messages yet. */
  readonly waiting: number;
  readonly open_incidents: number;
  /** The states with too many messages to count: `queued` is then an estimate, the others are lower bounds. */
  readonly inexact?: readonly QueueState[];
  readonly circuit: {
    readonly state: 'closed' | 'open';
    readonly failures: number;
    readonly probe_at?: string;
  };
  readonly paused: { readonly since: string; readonly by: string; readonly reason: string } | null;
  readonly rate: { readonly per_minute: number; readonly burst: number } | null;
  /** How full it is. Of several objects, the fullest: that one refuses first. */
  readonly storage: { readonly bytes: number; readonly max_bytes: number; readonly state: StorageState };
  /**
   * How long the queue takes at the account's pace, in seconds, without the receivers' caps. Null: unknown, since a
   * pause or an open circuit holds it back.
   */
  readonly drain_seconds: number | null;
}

export function outboxStatus(
  context: ReadContext,
  {
    meta,
    level,
    incidents,
  }: { readonly meta: Meta; readonly level: StorageLevel; readonly incidents: IncidentCounts },
  policy: AccountPolicy,
  now: number,
): OutboxStatus {
  const { claims, account } = context;
  const { counts, inexact } = queueDepth(context);
  const { queued, retrying } = counts;
  const { circuit, pause } = meta;
  return {
    account,
    ...counts,
    waiting: incidents.waiting,
    open_incidents: incidents.open,
    ...(inexact.length > 0 && { inexact }),
    circuit: {
      state: circuit.probeAt === null ? 'closed' : 'open',
      failures: circuit.failures,
      ...(circuit.probeAt !== null && { probe_at: iso(circuit.probeAt) }),
    },
    paused: pause === null ? null : { since: iso(pause.at), by: pause.by, reason: pause.reason },
    rate: policy.rate === null ? null : { per_minute: policy.rate.perMinute, burst: policy.rate.burst },
    storage: { bytes: level.bytes, max_bytes: level.maxBytes, state: level.state },
    drain_seconds:
      queued + retrying > 0 && (pause !== null || circuit.probeAt !== null || policy.rate?.perMinute === 0)
        ? null
        : drainSeconds(queued + retrying, policy, claims.pace.nextSendAt(policy.rate, now) - now),
  };
}

function drainSeconds(messages: number, { rate }: AccountPolicy, firstWaitMs: number): number {
  if (messages === 0 || rate === null) return 0;
  return Math.ceil((Math.max(0, firstWaitMs) + ((messages - 1) * 60_000) / rate.perMinute) / 1_000);
}

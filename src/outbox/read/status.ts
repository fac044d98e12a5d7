import { reasonText } from '../../lib/reason.ts';
import type { AccountPolicy } from '../../config/compiled/config.ts';
import type { Totals } from '../../counts/counts.ts';
import { numberOf, STANDINGS } from '../../lib/shares.ts';
import { iso } from '../../lib/time.ts';
import type { OutboxStatus } from '../answers/api-status.ts';
import type { Canary } from '../canary/canary.ts';
import type { Escapes } from '../escape/escapes.ts';
import type { Claims } from '../send/claims.ts';
import { newestSeq } from '../state/message.ts';
import type { Meta, Pause } from '../state/meta.ts';
import { byUnhappyIndex, QUEUE_STATES, type Blocker, type QueueState } from '../state/states.ts';
import type { StorageLevel } from '../storage/disk.ts';
import type { ReadContext } from './read.ts';

/** What a scrape reads. Plain data, since it crosses an RPC. */
export interface OutboxMetrics extends Gauges {
  readonly totals: Totals;
  readonly watched: Readonly<Record<string, number>>;
  readonly storage: StorageLevel;
  readonly incidents: IncidentCounts;
}

/** Incidents that are open, and items that wait for a notification, counted for each receiver. */
type IncidentCounts = Readonly<Record<'open' | 'waiting', number>>;

interface Gauges {
  readonly queue: Readonly<Record<QueueState, number>>;
  /** How long the oldest due message has waited, and the age of the oldest that is tried again (ms). */
  readonly oldestMs: { readonly queued: number; readonly retrying: number };
  readonly circuitOpen: boolean;
  readonly paused: boolean;
}

/** Rows that are counted one by one: a scrape comes every few seconds, and a queue may hold millions. */
export const MAX_COUNTED = 20_000;

interface GaugeContext extends ReadContext {
  readonly meta: Pick<Meta, 'pause' | 'circuit'>;
  readonly now: number;
}

export function outboxGauges(context: GaugeContext): Gauges {
  const { meta } = context;
  return {
    queue: queueDepth(context).counts,
    oldestMs: { queued: oldestQueued(context), retrying: oldestRetrying(context) },
    circuitOpen: meta.circuit.probeAt !== null,
    paused: meta.pause !== null,
  };
}

/** At most {@link MAX_COUNTED} rows of each kind. `inexact`: states with more; then `queued` is an estimate. */
function queueDepth({ sql, claims }: Pick<ReadContext, 'sql' | 'claims'>) {
  const sending = claims.flight.seqs();
  const count = (query: string, ...values: readonly (string | number)[]): number =>
    sql.exec<{ n: number }>(`SELECT count(*) AS n FROM (${query} LIMIT ${MAX_COUNTED})`, ...values).one().n;
  // The row of a message in flight still has the state from before its claim.
  const atRest = `seq NOT IN (${sending.join(',')})`;
  const unhappy = (state: string): number =>
    count(`SELECT 1 FROM messages WHERE ${byUnhappyIndex('?')} AND ${atRest}`, state);
  const behind = newestSeq(sql) - claims.cursor;
  // Nearly all messages behind the cursor are fresh, unless one of them waits for long. Counting a million would delay
  // what comes in.
  const isMany = behind > MAX_COUNTED;
  const fresh = isMany
    ? Math.min(behind, claims.queue.atMost)
    : count(
        `SELECT 1 FROM messages WHERE seq > ? AND state = 'queued' AND next_at IS NULL AND ${atRest}`,
        claims.cursor,
      );
  // `next_at` is set for messages that are tried again, and for some that are queued.
  const withNextAt = count(`SELECT 1 FROM messages WHERE next_at IS NOT NULL AND ${atRest}`);
  const states = { retrying: unhappy('retrying'), uncertain: unhappy('uncertain'), dead: unhappy('dead') };
  const delayed = Math.max(0, withNextAt - states.retrying);
  // An estimate by numbers includes the delayed messages.
  const queued = isMany ? Math.max(fresh, delayed) : fresh + delayed;
  const counts = { queued, sending: sending.length, ...states };
  const counted = { ...states, queued: isMany ? MAX_COUNTED : withNextAt, sending: 0 };
  return { counts, inexact: QUEUE_STATES.filter((state) => counted[state] >= MAX_COUNTED) };
}

function oldestQueued({ sql, claims, now }: GaugeContext): number {
  const sending = claims.flight.seqs().join(',');
  const fresh = sql
    .exec<{ since: number }>(
      // Bounded, since thousands behind the cursor may be cancelled.
      `SELECT created_at AS since FROM messages WHERE seq > ? AND seq <= ? AND state = 'queued' AND next_at IS NULL
         AND seq NOT IN (${sending}) ORDER BY seq LIMIT 1`,
      claims.cursor,
      claims.cursor + MAX_COUNTED,
    )
    .toArray();
  // A delayed message has waited since its `next_at`.
  const due = STANDINGS.flatMap((standing) =>
    sql
      .exec<{ since: number }>(
        `SELECT next_at AS since FROM messages WHERE next_at IS NOT NULL AND standing = ? AND next_at <= ?
           AND seq NOT IN (${sending}) ORDER BY next_at LIMIT 1`,
        numberOf(standing),
        now,
      )
      .toArray(),
  );
  return age(now, [...fresh, ...due]);
}

function oldestRetrying({ sql, now }: GaugeContext): number {
  const retrying = sql
    .exec<{ since: number }>(
      `SELECT created_at AS since FROM messages WHERE ${byUnhappyIndex("'retrying'")}
         ORDER BY seq LIMIT 1`,
    )
    .toArray();
  return age(now, retrying);
}

const age = (now: number, since: readonly { readonly since: number }[]): number =>
  Math.max(0, ...since.map(({ since: at }) => now - at));

interface StatusFacts {
  readonly meta: Meta;
  readonly level: StorageLevel;
  readonly incidents: IncidentCounts;
  readonly escapes: Pick<Escapes, 'state'>;
  readonly canary: Pick<Canary, 'status'>;
}

export function outboxStatus(
  context: ReadContext,
  { meta, level, incidents, escapes, canary }: StatusFacts,
  policy: AccountPolicy,
  now: number,
): OutboxStatus {
  const { claims, account } = context;
  const { counts, inexact } = queueDepth(context);
  const waiting = counts.queued + counts.retrying;
  const { circuit, pause } = meta;
  const { failures, last } = escapes.state;
  const { atCap, lastAt, isWhole } = receiverLines(claims, policy, now);
  const isHeld = pause !== null || circuit.probeAt !== null;
  const firstAt = claims.pace.nextSendAt(policy, 'signed', now);
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
      ...(circuit.last && {
        last_error: { ...circuit.last, at: iso(circuit.last.at), detail: reasonText(circuit.last) },
      }),
    },
    ...(waiting > 0 && waitsFor(claims, meta, policy, atCap?.next_at ?? null, now)),
    paused: pause === null ? null : pausedView(pause),
    rate: policy.rate === null ? null : { per_minute: policy.rate.perMinute, burst: policy.rate.burst },
    ...(atCap !== null && { receivers_at_cap: atCap }),
    ...(policy.escape !== null && {
      escape: { failures, ...(last && { last: { ...last, at: iso(last.at) } }) },
    }),
    ...(policy.canary !== null && canary.status()),
    storage: { bytes: level.bytes, max_bytes: level.maxBytes, state: level.state },
    drain_seconds:
      waiting > 0 && isHeld
        ? null
        : Math.max(drainSeconds(waiting, policy, firstAt - now), Math.ceil((lastAt - now) / 1_000)),
    ...(!isWhole && { drain_at_least: true }),
  };
}

const pausedView = ({ at, ...pause }: Pause): NonNullable<OutboxStatus['paused']> => ({
  ...pause,
  since: iso(at),
  reason: reasonText(pause),
});

/** A circuit holds up nothing while none waits to try it. `fullUntil`: of the first full receiver (ISO 8601). */
function waitsFor(
  claims: Claims,
  { pause, circuit }: Meta,
  policy: AccountPolicy,
  fullUntil: string | null,
  now: number,
): Pick<OutboxStatus, 'waits_for'> {
  if (pause !== null) return { waits_for: { for: 'pause' } };
  const nextAt = claims.queue.nextAt(now) ?? now;
  const { probeAt } = circuit;
  const untilAt = (what: Blocker, at: number): Pick<OutboxStatus, 'waits_for'> => ({
    waits_for: { for: what, ...(at > now && { until: iso(at) }) },
  });
  if (probeAt !== null && (probeAt >= nextAt || nextAt <= now)) return untilAt('circuit', probeAt);
  if (nextAt > now) {
    if (fullUntil !== null && fullUntil <= iso(nextAt)) return untilAt('receiver', nextAt);
    return untilAt(claims.queue.turns.opensAt === nextAt ? 'contact' : 'retry', nextAt);
  }
  const { ready } = claims.queue.turns;
  const paceAt = Math.min(...ready.map((standing) => claims.pace.nextSendAt(policy, standing, now)));
  return ready.length > 0 && paceAt > now ? untilAt('pace', paceAt) : {};
}

function drainSeconds(messages: number, { rate }: AccountPolicy, firstWaitMs: number): number {
  if (messages === 0 || rate === null) return 0;
  return Math.ceil((Math.max(0, firstWaitMs) + ((messages - 1) * 60_000) / rate.perMinute) / 1_000);
}

/** Lines that are examined: a status must not take a long time. */
const MAX_LOOKS = 2_000;

/** `atCap`: full receivers; `lastAt`: when the last may be sent by the limits alone (ms); `isWhole`: no others. */
function receiverLines(
  { queue, pace }: Pick<Claims, 'queue' | 'pace'>,
  { perRecipient }: Pick<AccountPolicy, 'perRecipient'>,
  now: number,
) {
  const { turns } = queue;
  if (perRecipient === null || queue.atMost === 0) return { atCap: null, lastAt: now, isWhole: true };
  const lines = turns.lines(MAX_LOOKS).flatMap(({ phone, standing, waiting }) => {
    const opensAt = (ahead: number): number =>
      pace.nextSendToAt(perRecipient, { phone, standing }, now, ahead);
    return [{ phone, waiting, nextAt: opensAt(0), lastAt: opensAt(waiting - 1) }];
  });
  const full = lines.filter(({ nextAt }) => nextAt > now);
  const lastOf = (some: typeof lines): number => Math.max(now, ...some.map(({ lastAt }) => lastAt));
  return {
    atCap:
      full.length === 0
        ? null
        : {
            receivers: new Set(full.map(({ phone }) => phone)).size,
            messages: full.reduce((sum, { waiting }) => sum + waiting, 0),
            per_hour: perRecipient.perHour,
            next_at: iso(Math.min(...full.map(({ nextAt }) => nextAt))),
            last_at: iso(lastOf(full)),
          },
    lastAt: lastOf(lines),
    isWhole: turns.lineCount <= MAX_LOOKS && queue.atMost <= turns.size,
  };
}

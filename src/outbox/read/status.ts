import { reasonText } from '../../lib/reason.ts';
import type { AccountPolicy } from '../../config/compiled/config.ts';
import { byLabel, type Totals } from '../../counts/counts.ts';
import { present } from '../../lib/json.ts';
import { numberOf, STANDINGS } from '../../lib/shares.ts';
import { readRows } from '../../lib/store.ts';
import { iso } from '../../lib/time.ts';
import type { OutboxStatus } from '../../answers/api-status.ts';
import type { Canary } from '../canary/canary.ts';
import type { Escapes } from '../escape/escapes.ts';
import type { Claims } from '../send/claims.ts';
import { byUnhappyIndex, newestSeq } from '../state/message.ts';
import type { Meta, Pause } from '../state/meta.ts';
import { QUEUE_STATES, type Blocker, type QueueState } from '../../schema/states.ts';
import type { StorageLevel } from '../storage/disk.ts';
import type { ReadContext } from './read.ts';

/** What a scrape reads. Plain data, since it crosses an RPC. */
export interface OutboxMetrics extends ReturnType<typeof outboxGauges> {
  readonly totals: Totals;
  readonly watched: Readonly<Record<string, number>>;
  readonly storage: StorageLevel;
  readonly incidents: IncidentCounts;
}

/** Incidents that are open, and items that wait for a notification, counted for each receiver. */
type IncidentCounts = Readonly<Record<'open' | 'waiting', number>>;

/** Rows that are counted one by one: a scrape comes every few seconds, and a queue may hold millions. */
export const MAX_COUNTED = 20_000;

interface GaugeContext extends ReadContext {
  readonly meta: Pick<Meta, 'pause' | 'circuit'>;
  readonly now: number;
}

export function outboxGauges(context: GaugeContext) {
  const { sql, claims, meta, now } = context;
  const { flight, queue } = claims;
  const atRest = `seq NOT IN (${flight.seqs().join(',')})`;
  /** Since the time in a column of the first row (ms); 0 if there is none. */
  const ageOf = (column: string, where: string, ...values: readonly number[]): number => {
    const query = `SELECT ${column} AS since FROM messages WHERE ${where} LIMIT 1`;
    const [row] = readRows<{ since: number }>(sql, query, ...values);
    return Math.max(0, now - (row?.since ?? now));
  };
  const fresh = ageOf(
    'created_at',
    // Bounded, since thousands behind the cursor may be cancelled.
    `seq > ? AND seq <= ? AND state = 'queued' AND next_at IS NULL AND ${atRest} ORDER BY seq`,
    queue.cursor,
    queue.cursor + MAX_COUNTED,
  );
  const isDue = `next_at IS NOT NULL AND standing = ? AND next_at <= ? AND ${atRest} ORDER BY next_at`;
  // A delayed message has waited since its `next_at`.
  const due = STANDINGS.map((standing) => ageOf('next_at', isDue, numberOf(standing), now));
  const retrying = ageOf('created_at', `${byUnhappyIndex("'retrying'")} ORDER BY seq`);
  return {
    queue: queueDepth(context).counts,
    /** How long the oldest due message has waited, and the age of the oldest that is tried again (ms). */
    oldestMs: { queued: Math.max(fresh, ...due), retrying },
    circuitOpen: meta.circuit.probeAt !== null,
    paused: meta.pause !== null,
  };
}

/** At most {@link MAX_COUNTED} rows of each kind. `inexact`: states with more; then `queued` is an estimate. */
function queueDepth({ sql, claims: { flight, queue } }: Pick<ReadContext, 'sql' | 'claims'>) {
  const sending = flight.seqs();
  const count = (where: string, ...values: readonly (string | number)[]): number =>
    sql
      .exec<{ n: number }>(
        // The row of a message in flight still has the state from before its claim.
        `SELECT count(*) AS n FROM (
           SELECT 1 FROM messages WHERE ${where} AND seq NOT IN (${sending.join(',')}) LIMIT ${MAX_COUNTED})`,
        ...values,
      )
      .one().n;
  const behind = newestSeq(sql) - queue.cursor;
  // Nearly all messages behind the cursor are fresh, unless one of them waits for long. Counting a million would delay
  // what comes in.
  const isMany = behind > MAX_COUNTED;
  const fresh = isMany
    ? Math.min(behind, queue.atMost)
    : count("seq > ? AND state = 'queued' AND next_at IS NULL", queue.cursor);
  // `next_at` is set for messages that are tried again, and for some that are queued.
  const withNextAt = count('next_at IS NOT NULL');
  const states = byLabel(['retrying', 'uncertain', 'dead'], (state) => count(byUnhappyIndex('?'), state));
  const delayed = Math.max(0, withNextAt - states.retrying);
  // An estimate by numbers includes the delayed messages.
  const queued = isMany ? Math.max(fresh, delayed) : fresh + delayed;
  const counts: Readonly<Record<QueueState, number>> = { queued, sending: sending.length, ...states };
  const counted = { ...states, queued: isMany ? MAX_COUNTED : withNextAt, sending: 0 };
  return { counts, inexact: QUEUE_STATES.filter((state) => counted[state] >= MAX_COUNTED) };
}

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
    ...present({
      waits_for: waiting > 0 ? waitFor(claims, meta, policy, atCap?.next_at ?? null, now) : null,
      receivers_at_cap: atCap,
    }),
    paused: pause && pausedView(pause),
    rate: policy.rate && { per_minute: policy.rate.perMinute, burst: policy.rate.burst },
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

const pausedView = ({ at, ...pause }: Pause) => ({ ...pause, since: iso(at), reason: reasonText(pause) });

/** A circuit holds up nothing while none waits to try it. `fullUntil`: of the first full receiver (ISO 8601). */
function waitFor(
  { queue, pace }: Claims,
  { pause, circuit: { probeAt } }: Meta,
  policy: AccountPolicy,
  fullUntil: string | null,
  now: number,
): OutboxStatus['waits_for'] {
  if (pause !== null) return { for: 'pause' };
  const nextAt = queue.nextAt(now) ?? now;
  const until = (what: Blocker, at: number) => ({ for: what, ...(at > now && { until: iso(at) }) });
  if (probeAt !== null && (probeAt >= nextAt || nextAt <= now)) return until('circuit', probeAt);
  if (nextAt > now) {
    if (fullUntil !== null && fullUntil <= iso(nextAt)) return until('receiver', nextAt);
    return until(queue.turns.opensAt === nextAt ? 'contact' : 'retry', nextAt);
  }
  const { ready } = queue.turns;
  const paceAt = Math.min(...ready.map((standing) => pace.nextSendAt(policy, standing, now)));
  return ready.length > 0 && paceAt > now ? until('pace', paceAt) : undefined;
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

import { numberOf, STANDINGS } from '../../lib/shares.ts';
import type { Totals } from '../../counts/counts.ts';
import type { Meta } from '../state/meta.ts';
import type { ReadContext } from './read.ts';
import type { StorageLevel } from '../storage/disk.ts';
import { byUnhappyIndex, QUEUE_STATES, type QueueState } from '../state/states.ts';

/** The data that a scrape reads from an outbox. Plain data, since it crosses an RPC. */
export interface OutboxMetrics extends Gauges {
  readonly totals: Totals;
  /** Sources that are watched for silence, and since when (ms). */
  readonly watched: Readonly<Record<string, number>>;
  readonly storage: StorageLevel;
  readonly incidents: IncidentCounts;
}

/** Incidents that are open, and items that wait for a notification, counted for each receiver. */
export interface IncidentCounts {
  readonly open: number;
  readonly waiting: number;
}

/** The current queue. */
interface Gauges {
  readonly queue: Readonly<Record<QueueState, number>>;
  /**
   * `queued`: how long the oldest due message has waited; `retrying`: the age of the oldest message that is tried again
   * (ms).
   */
  readonly oldestMs: { readonly queued: number; readonly retrying: number };
  readonly circuitOpen: boolean;
  readonly paused: boolean;
}

/**
 * The maximum number of rows that are counted one by one: a scrape comes every few seconds, and a queue may hold
 * millions. Up to this number, a scrape reads only indexes and the rows of fresh messages.
 */
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

/** Messages by state. */
interface QueueDepth {
  readonly counts: Readonly<Record<QueueState, number>>;
  /**
   * The states with too many messages to count: `queued` is then an estimate by message numbers, the others are lower
   * bounds.
   */
  readonly inexact: readonly QueueState[];
}

/** Looks at {@link MAX_COUNTED} rows of each kind at most. */
export function queueDepth({ sql, claims }: Pick<ReadContext, 'sql' | 'claims'>): QueueDepth {
  const sending = claims.flight.seqs();
  const count = (query: string, ...values: readonly (string | number)[]): number =>
    sql.exec<{ n: number }>(`SELECT count(*) AS n FROM (${query} LIMIT ${MAX_COUNTED})`, ...values).one().n;
  // The row of a message in flight still has the state from before its claim.
  const atRest = `seq NOT IN (${sending.join(',')})`;
  const unhappy = (state: string): number =>
    count(`SELECT 1 FROM messages WHERE ${byUnhappyIndex('?')} AND ${atRest}`, state);
  const { last } = sql.exec<{ last: number | null }>('SELECT max(seq) AS last FROM messages').one();
  const behind = (last ?? 0) - claims.cursor;
  // Nearly all messages behind the cursor are fresh, unless one of them waits for long. Counting a million would delay
  // what comes in.
  const isMany = behind > MAX_COUNTED;
  const fresh = isMany ? Math.min(behind, claims.queue.atMost) : freshMessages(sql, claims.cursor, atRest);
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

const freshMessages = (sql: SqlStorage, cursor: number, atRest: string): number =>
  sql
    .exec<{ n: number }>(
      `SELECT count(*) AS n FROM messages WHERE seq > ? AND state = 'queued' AND next_at IS NULL AND ${atRest}`,
      cursor,
    )
    .one().n;

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

import type { Totals } from '../../counts/counts.ts';
import { newSeries, Series, type KeptSeries } from '../../counts/series.ts';
import { parseOwnJson } from '../../lib/json.ts';
import { readFact } from '../state/facts.ts';
import { isDigest, type Attempt } from '../state/message.ts';
import type { EventState } from '../state/states.ts';
import { ALL_COUNTERS, Counters } from './counters.ts';

interface Restored {
  readonly counters: Counters;
  readonly series: Series;
}

/** A call that was under way according to the checkpoint. */
interface Attempted {
  readonly seq: number;
  readonly n: number;
}

/**
 * Returns the counters as they were when the object stopped: those of the checkpoint, and the changes after it that
 * rows show. `flight`: the calls in flight according to the checkpoint. A part that cannot be read starts from zero:
 * the outbox must not fail.
 */
export function restoreCounters(sql: SqlStorage, flight: readonly Attempted[], now: number): Restored {
  const all = readFact(sql, ALL_COUNTERS);
  const checkpoint = sql.exec<{ counted: string }>('SELECT counted FROM checkpoint').toArray()[0];
  const [totals, kept] = parsed<[Totals, KeptSeries | null]>(all) ?? [{}, null];
  const [nextSeq, since] = parsed<[number, Totals]>(checkpoint?.counted ?? null) ?? [1, {}];
  const series = new Series(sql, kept ?? newSeries(all === null ? 0 : now));
  const counters = new Counters({ totals, since, nextSeq }, series);
  countMessages(sql, counters, nextSeq);
  for (const attempted of flight) countAttempt(sql, counters, attempted);
  return { counters, series };
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names what the writer wrote
function parsed<Value>(text: string | null): Value | null {
  try {
    return parseOwnJson<Value | null>(text ?? 'null');
  } catch {
    return null;
  }
}

interface MessageWithEvent extends Record<string, SqlStorageValue> {
  seq: number;
  source: string | null;
  event_id: string | null;
  event_state: EventState | null;
  created_at: number;
  received_at: number | null;
  replay_of: string | null;
}

/**
 * Counts the messages accepted since then, and their events. An event's messages have consecutive numbers; messages
 * that later notify of it or replace them do not count it a second time.
 */
function countMessages(sql: SqlStorage, counters: Counters, from: number): void {
  const rows = sql.exec<MessageWithEvent>(
    `SELECT m.seq, m.source, m.event_id, m.created_at, e.state AS event_state, e.received_at, e.replay_of
       FROM messages m LEFT JOIN events e
         ON e.id = m.event_id AND m.seq >= e.first_message AND m.seq < e.first_message + e.message_count
       WHERE m.seq >= ? ORDER BY m.seq`,
    from,
  );
  let lastEvent: string | null = null;
  for (const { seq, source, event_id: event, event_state: state, received_at: receivedAt, ...row } of rows) {
    counters.queued(source, 1, row.created_at);
    counters.countedTo(seq + 1);
    if (event === lastEvent) continue;
    lastEvent = event;
    if (source === null || state === null || receivedAt === null) continue;
    const replay = row.replay_of === null ? null : { of: row.replay_of, by: '' };
    counters.event({ source, state, receivedAt, replay });
  }
}

interface TriedRow extends Record<string, SqlStorageValue> {
  source: string | null;
  state: string;
  attempts: string;
  about: string | null;
  sent_at: number | null;
  accepted_at: number;
}

/**
 * Counts an attempt that has a record by now. One without a record was interrupted: it is counted when that is
 * recorded.
 */
function countAttempt(sql: SqlStorage, counters: Counters, { seq, n }: Attempted): void {
  const row = sql
    .exec<TriedRow>(
      `SELECT m.source, m.state, m.attempts, m.about, m.sent_at, coalesce(e.received_at, m.created_at) AS accepted_at
         FROM messages m LEFT JOIN events e ON e.id = m.event_id WHERE m.seq = ?`,
      seq,
    )
    .toArray()[0];
  if (row === undefined) return;
  const attempts = parseOwnJson<readonly Attempt[]>(row.attempts);
  const attempt = attempts.find((one) => one.n === n);
  if (attempt === undefined) return;
  // If there are later attempts, the row has a later state, and this attempt left the message waiting.
  const isLast = attempt === attempts.at(-1);
  const earlier = attempt.outcome === 'unauthorized' ? 'queued' : 'retrying';
  const latency = isLast && row.sent_at !== null ? Math.max(0, row.sent_at - row.accepted_at) : null;
  if (latency !== null && isDigest(row)) counters.digest();
  counters.attempt(row.source, attempt, isLast ? row.state : earlier, latency);
}

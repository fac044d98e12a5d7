import { eventIdFloor } from '../../lib/id.ts';
import { parseOwnJson } from '../../lib/json.ts';
import { sweepHandedClaims } from '../state/fallback.ts';
import { claimKey, itemClaimKey } from '../state/event.ts';
import { sweepEarly, sweepIncidents } from '../incidents/store.ts';
import { newestSeq } from '../state/message.ts';
import { readFact, writeFact } from '../state/meta.ts';
import { DUE_SQL, WAITING_SQL } from '../state/states.ts';

/** The number of events, or of messages, of one step: even with payloads of a MiB each, it takes some milliseconds. */
const STEP = 50;

/** The position of a sweep. It looks at all events, and then at the messages that belong to none of these. */
export interface SweepPosition {
  readonly eventId: string | null;
  readonly seq: number;
}

export const SWEEP_START: SweepPosition = { eventId: '', seq: 0 };

export interface SweepContext {
  readonly sql: SqlStorage;
  readonly now: number;
  /** Older rows may be deleted (ms). Null if there is no space: then whatever is finished. */
  readonly before: number | null;
  readonly flight: readonly number[];
}

/**
 * Deletes the oldest events and messages, and returns where the next step continues; null at the end. An event goes with
 * all its messages once none of them waits to be sent, or is with another account; if there is no space, also those that
 * wait for a person stay. One whose claim is in force stays without its payload, so that duplicates are recognized.
 */
export function sweepStep(context: SweepContext, from: SweepPosition): SweepPosition | null {
  const { before, sql, now } = context;
  if (from === SWEEP_START) {
    sweepHandedClaims(sql, now);
    sweepEarly(sql, now);
  }
  const newest = newestSeq(sql);
  const next = from.eventId === null ? sweepMessages(context, from.seq) : sweepEvents(context, from.eventId);
  if (newest > newestSeq(sql)) writeFact(sql, SWEPT_KEY, String(newest));
  const isMore = before !== null && sweepIncidents(sql, before);
  return next === null && isMore ? { eventId: null, seq: Number.MAX_SAFE_INTEGER } : next;
}

const AFTER_ALL = '\uffff';

interface OldEvent extends Record<string, SqlStorageValue> {
  id: string;
  source: string;
  dedupe_key: string | null;
  item_keys: string;
  first_message: number;
  message_count: number;
  is_open: number;
  is_claimed: number;
}

const isKeptSql = ({ before, flight }: SweepContext): string =>
  `(state IN ${before === null ? WAITING_SQL : DUE_SQL} OR seq IN (${flight.join()}) OR seq IN (SELECT seq FROM handings))`;

function sweepEvents(context: SweepContext, from: string): SweepPosition {
  const { sql, now, before } = context;
  const rows = sql
    .exec<OldEvent>(
      `SELECT id, source, dedupe_key, item_keys, first_message, message_count,
         EXISTS (SELECT 1 FROM messages
           WHERE seq >= first_message AND seq < first_message + message_count AND ${isKeptSql(context)}) AS is_open,
         EXISTS (SELECT 1 FROM dedupe_claims WHERE event_id = events.id AND expires_at > ?1 AND key IN (
           SELECT source || char(10) || dedupe_key
           UNION ALL SELECT '#' || source || char(10) || value FROM json_each(item_keys))) AS is_claimed
         FROM events WHERE id > ?2 AND id < ?3 ORDER BY id LIMIT ${STEP}`,
      now,
      from,
      before === null ? AFTER_ALL : eventIdFloor(before),
    )
    .toArray();
  for (const event of rows) if (event.is_open === 0) deleteEvent(sql, event);
  const last = rows.at(-1);
  return { eventId: rows.length < STEP || last === undefined ? null : last.id, seq: 0 };
}

/** Deletes an event with its messages, and with its claims unless one is in force, or another event has its key by now. */
function deleteEvent(sql: SqlStorage, event: OldEvent): void {
  const { id, source, dedupe_key, item_keys, first_message: first, message_count: count } = event;
  sql.exec('DELETE FROM messages WHERE seq >= ? AND seq < ?', first, first + count);
  if (event.is_claimed === 1) {
    sql.exec(
      "UPDATE events SET payload = 'null', headers = 'null', query = 'null', subject = NULL, stored = 0 WHERE id = ? AND stored = 1",
      id,
    );
    return;
  }
  const keys = parseOwnJson<readonly string[]>(item_keys).map((key) => itemClaimKey(source, key));
  for (const key of dedupe_key === null ? keys : [claimKey(source, dedupe_key), ...keys])
    sql.exec('DELETE FROM dedupe_claims WHERE key = ? AND event_id = ?', key, id);
  sql.exec('DELETE FROM events WHERE id = ?', id);
}

/** Deletes messages that no event has: sent by hand, fallbacks, notifications of incidents, or those of a deleted event. */
function sweepMessages(context: SweepContext, from: number): SweepPosition | null {
  const { sql, before } = context;
  // Messages are numbered in the order of acceptance: after the first one that is too young, all are.
  const { last, count } = sql
    .exec<{ last: number | null; count: number }>(
      `SELECT max(seq) AS last, count(*) AS count FROM
         (SELECT seq, created_at FROM messages WHERE seq > ? ORDER BY seq LIMIT ${STEP}) WHERE created_at < ?`,
      from,
      before ?? Infinity,
    )
    .one();
  if (last === null) return null;
  sql.exec(
    `DELETE FROM messages WHERE seq > ? AND seq <= ? AND NOT ${isKeptSql(context)} AND NOT EXISTS (
       SELECT 1 FROM events WHERE id = event_id AND seq >= first_message AND seq < first_message + message_count)`,
    from,
    last,
  );
  return count < STEP ? null : { eventId: null, seq: last };
}

const SWEPT_KEY = 'last_swept_seq';

/**
 * The highest number of a message that was ever deleted. New numbers are higher even if the table is empty: otherwise an
 * old id, or an event that is kept for its claim, would point to another event's message.
 */
export const lastSweptSeq = (sql: SqlStorage): number => Number(readFact(sql, SWEPT_KEY) ?? 0);

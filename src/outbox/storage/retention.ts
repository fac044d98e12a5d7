import { eventIdFloor } from '../../lib/id.ts';
import { parseOwnJson } from '../../lib/own-json.ts';
import { sweepHandedClaims } from '../hand-on/handings.ts';
import { claimKey, itemClaimKey } from '../state/claim-key.ts';
import { sweepEarly } from '../incidents/early.ts';
import { sweepIncidents } from '../incidents/store.ts';
import { readFact, writeFact } from '../state/facts.ts';
import { DUE_SQL, isDue, isWaiting, WAITING_SQL } from '../state/states.ts';

/**
 * The number of rows that one step examines: this takes a few milliseconds, so that a concurrent accept hardly waits.
 */
const STEP = 200;
/** The number of events of any age: even payloads of a MiB each are deleted within some milliseconds. */
const STEP_OF_PAYLOADS = 50;

/** The position of a sweep: events and messages up to these were looked at. */
export interface SweepPosition {
  readonly eventId: string;
  readonly seq: number;
}

export const SWEEP_START: SweepPosition = { eventId: '', seq: 0 };

/** The context of a step. */
export interface RetentionContext {
  readonly sql: SqlStorage;
  readonly now: number;
  /**
   * The time before which rows may be deleted (ms since the epoch). Null if there is no space; then anything finished
   * may be deleted.
   */
  readonly before: number | null;
  readonly isSending: (seq: number) => boolean;
}

/**
 * Deletes one step's worth of old events and messages, and returns where the next step continues; null at the end.
 * Messages that still wait to be sent stay, and an event stays as long as its dedupe row. If there is no space, an
 * event goes with all its messages once none of them waits, even for a person.
 */
export function sweepStep(context: RetentionContext, from: SweepPosition): SweepPosition | null {
  const { before, sql, now } = context;
  if (from === SWEEP_START) {
    sweepHandedClaims(sql, now);
    sweepEarly(sql, now);
  }
  const eventId =
    before === null ? freeEvents(context, from.eventId) : sweepEvents(context, before, from.eventId);
  if (before === null && eventId !== null) return { eventId, seq: from.seq };
  const seq = sweepMessages(context, from.seq);
  const isMore = before !== null && sweepIncidents(sql, before);
  if (eventId === null && seq === null && !isMore) return null;
  return { eventId: eventId ?? AFTER_ALL, seq: seq ?? Number.MAX_SAFE_INTEGER };
}

/** Sorts after every id: no events are left. */
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

/** The condition for events with a message in one of these states. */
export const openSql = (states: string): string =>
  `EXISTS (SELECT 1 FROM messages
     WHERE seq >= first_message AND seq < first_message + message_count AND state IN ${states})`;

/**
 * Returns the next events behind `from` and before `to`; `states`: the states in which a message keeps its event open.
 */
export const eventsBetween = (
  { sql, now }: Pick<RetentionContext, 'sql' | 'now'>,
  [from, to]: readonly [string, string],
  states: string,
  limit: number,
): readonly OldEvent[] =>
  sql
    .exec<OldEvent>(
      `SELECT id, source, dedupe_key, item_keys, first_message, message_count,
         ${openSql(states)} AS is_open, EXISTS (SELECT 1 FROM dedupe_claims WHERE event_id = events.id AND expires_at > ?1 AND key IN (
           SELECT source || char(10) || dedupe_key
           UNION ALL SELECT '#' || source || char(10) || value FROM json_each(item_keys))) AS is_claimed
         FROM events WHERE id > ?2 AND id < ?3 ORDER BY id LIMIT ${limit}`,
      now,
      from,
      to,
    )
    .toArray();

function sweepEvents(context: RetentionContext, before: number, from: string): string | null {
  const rows = eventsBetween(context, [from, eventIdFloor(before)], DUE_SQL, STEP);
  for (const event of rows) if (event.is_open + event.is_claimed === 0) deleteEvent(context.sql, event);
  return rows.length < STEP ? null : (rows.at(-1)?.id ?? null);
}

/** An event whose claim is in force stays as a row without a payload, so that duplicates are still recognized. */
function freeEvents(context: RetentionContext, from: string): string | null {
  const { sql, isSending } = context;
  const rows = eventsBetween(context, [from, AFTER_ALL], WAITING_SQL, STEP_OF_PAYLOADS);
  for (const event of rows) {
    const { first_message: first, message_count: count } = event;
    const seqs = Array.from({ length: count }, (_, index) => first + index);
    if (event.is_open === 1 || seqs.some(isSending)) continue;
    deleteMessages(sql, first, first + count);
    if (event.is_claimed === 0) deleteEvent(sql, event);
    else
      sql.exec(
        "UPDATE events SET payload = 'null', headers = 'null', query = 'null', subject = NULL, stored = 0 WHERE id = ? AND stored = 1",
        event.id,
      );
  }
  return rows.length < STEP_OF_PAYLOADS ? null : (rows.at(-1)?.id ?? null);
}

/** Deletes an event with its claims. */
function deleteEvent(sql: SqlStorage, event: OldEvent): void {
  deleteClaims(sql, event.id, claimsOf(event));
  sql.exec('DELETE FROM events WHERE id = ?', event.id);
}

/** Deletes claims unless another event has the key by now. */
export function deleteClaims(sql: SqlStorage, eventId: string, keys: readonly string[]): void {
  for (const key of keys) sql.exec('DELETE FROM dedupe_claims WHERE key = ? AND event_id = ?', key, eventId);
}

/** The keys that an event may have claimed. */
export const claimsOf = ({ source, dedupe_key, item_keys }: OldEvent): string[] => [
  ...(dedupe_key === null ? [] : [claimKey(source, dedupe_key)]),
  ...parseOwnJson<readonly string[]>(item_keys).map((key) => itemClaimKey(source, key)),
];

/** Returns a number that the outbox keeps about itself; 0 if there is none. */
export const keptNumber = (sql: SqlStorage, key: string): number => Number(readFact(sql, key) ?? 0);

export function keepNumber(sql: SqlStorage, key: string, value: number): void {
  writeFact(sql, key, String(value));
}

/**
 * Returns the highest number of a message that was ever deleted, 0 before the first. New numbers are higher even if the
 * table is empty. Otherwise an old id, or an event that is kept for its claim, would point to another event's message.
 */
export const lastSweptSeq = (sql: SqlStorage): number => keptNumber(sql, SWEPT_KEY);

const SWEPT_KEY = 'last_swept_seq';

/**
 * Deletes the messages numbered from `first` up to, not including, `behind`, and keeps the highest number that was ever
 * used.
 */
function deleteMessages(sql: SqlStorage, first: number, behind: number): void {
  const { seq: newest } = sql.exec<{ seq: number | null }>('SELECT max(seq) AS seq FROM messages').one();
  if (newest !== null && newest >= first && newest < behind) keepNumber(sql, SWEPT_KEY, newest);
  sql.exec('DELETE FROM messages WHERE seq >= ? AND seq < ?', first, behind);
}

interface OldMessage extends Record<string, SqlStorageValue> {
  seq: number;
  event_id: string | null;
  state: string;
  created_at: number;
  /** 1 if it is a fallback, which its event does not count. */
  is_fallback: number;
}

/** Returns those of the next `limit` messages behind `from` that were accepted before `before` (ms). */
export const messagesBehind = (
  sql: SqlStorage,
  from: number,
  before: number,
  limit: number,
): readonly OldMessage[] =>
  sql
    .exec<OldMessage>(
      `SELECT seq, event_id, state, created_at,
         coalesce(json_extract(fallback, '$.of'), json_extract(fallback, '$.from')) IS NOT NULL AS is_fallback
         FROM messages WHERE seq > ? ORDER BY seq LIMIT ${limit}`,
      from,
    )
    .toArray()
    .filter(({ created_at }) => created_at < before);

function sweepMessages({ sql, before, isSending }: RetentionContext, from: number): number | null {
  const old = messagesBehind(sql, from, before ?? Infinity, STEP);
  for (const { seq, state, event_id: event, is_fallback: isFallback } of old) {
    const isLone = event === null || isFallback === 1;
    const isFinished = before === null ? isLone && !isWaiting(state) : !isDue(state);
    if (isFinished && !isSending(seq)) deleteMessages(sql, seq, seq + 1);
  }
  // Messages are numbered in the order of acceptance: after the first one that is too young, all are.
  return old.length < STEP ? null : (old.at(-1)?.seq ?? null);
}

import { eventIdFloor } from '../../lib/id.ts';
import { parseOwnJson } from '../../lib/own-json.ts';
import { claimKey, itemClaimKey } from '../state/claim-key.ts';
import { DUE_SQL, isDue } from '../state/states.ts';

/** How many rows one step looks at: this takes a few milliseconds, so that a concurrent accept hardly waits. */
const STEP = 200;

/** The position of a sweep: events and messages up to these were looked at. */
export interface SweepPosition {
  readonly eventId: string;
  readonly seq: number;
}

export const SWEEP_START: SweepPosition = { eventId: '', seq: 0 };

/** What a step depends on. */
export interface RetentionContext {
  readonly sql: SqlStorage;
  readonly now: number;
  /** What is older than this (ms since the epoch) may be deleted. */
  readonly before: number;
  readonly isSending: (seq: number) => boolean;
}

/**
 * Deletes one step's worth of old events and messages, and returns where the next step continues; null at the end.
 * Messages that still wait to be sent stay, and an event stays as long as its dedupe claim.
 */
export function sweepStep(context: RetentionContext, from: SweepPosition): SweepPosition | null {
  const eventId = sweepEvents(context, from.eventId);
  const seq = sweepMessages(context, from.seq);
  const areClaimsLeft = sweepClaims(context);
  if (eventId === null && seq === null && !areClaimsLeft) return null;
  // U+FFFF sorts after every id: no events are left.
  return { eventId: eventId ?? '\uffff', seq: seq ?? Number.MAX_SAFE_INTEGER };
}

/** Deletes expired claims of events that other objects keep; true: there may be more. */
function sweepClaims({ sql, now }: RetentionContext): boolean {
  const over = sql.exec(
    `DELETE FROM dedupe_claims WHERE key IN (
       SELECT key FROM dedupe_claims WHERE keeper IS NOT NULL AND expires_at <= ? LIMIT ${STEP})`,
    now,
  );
  return over.rowsWritten >= STEP;
}

export interface OldEvent extends Record<string, SqlStorageValue> {
  id: string;
  source: string;
  dedupe_key: string | null;
  item_keys: string;
  first_message: number;
  message_count: number;
}

function sweepEvents({ sql, now, before }: RetentionContext, from: string): string | null {
  const rows = sql
    .exec<OldEvent>(
      `SELECT id, source, dedupe_key, item_keys, first_message, message_count FROM events
         WHERE id > ? AND id < ? ORDER BY id LIMIT ${STEP}`,
      from,
      eventIdFloor(before),
    )
    .toArray();
  for (const row of rows) {
    const claims = claimsOf(row);
    if (isOpen(sql, row) || claims.some((claim) => holdsClaim(sql, claim, row.id, now))) continue;
    for (const claim of claims)
      sql.exec('DELETE FROM dedupe_claims WHERE key = ? AND event_id = ?', claim, row.id);
    sql.exec('DELETE FROM events WHERE id = ?', row.id);
  }
  return rows.length < STEP ? null : (rows.at(-1)?.id ?? null);
}

/** The keys that an event may have claimed. */
export const claimsOf = ({ source, dedupe_key, item_keys }: OldEvent): readonly string[] => [
  ...(dedupe_key === null ? [] : [claimKey(source, dedupe_key)]),
  ...parseOwnJson<readonly string[]>(item_keys).map((key) => itemClaimKey(source, key)),
];

const isOpen = (sql: SqlStorage, { first_message, message_count }: OldEvent): boolean =>
  sql
    .exec(
      `SELECT 1 FROM messages WHERE seq >= ? AND seq < ? AND state IN ${DUE_SQL} LIMIT 1`,
      first_message,
      first_message + message_count,
    )
    .toArray().length > 0;

/** Whether an event's claim is still in force. */
export const holdsClaim = (sql: SqlStorage, key: string, eventId: string, now: number): boolean =>
  sql
    .exec('SELECT 1 FROM dedupe_claims WHERE key = ? AND event_id = ? AND expires_at > ?', key, eventId, now)
    .toArray().length > 0;

/**
 * The highest number of a message that was ever deleted, 0 before the first. New numbers are higher even when the table
 * is empty. Otherwise an old id, or an event that is kept for its claim, would point to another event's message.
 */
export const lastSweptSeq = (sql: SqlStorage): number =>
  Number(
    sql.exec<{ value: string }>(`SELECT value FROM meta WHERE key = '${SWEPT_KEY}'`).toArray()[0]?.value ?? 0,
  );

const SWEPT_KEY = 'last_swept_seq';

/**
 * Deletes the messages numbered from `first` up to, not including, `behind`, and keeps the highest number that was ever
 * used.
 */
export function deleteMessages(sql: SqlStorage, first: number, behind: number): void {
  const { seq: newest } = sql.exec<{ seq: number | null }>('SELECT max(seq) AS seq FROM messages').one();
  if (newest !== null && newest >= first && newest < behind)
    sql.exec(`INSERT OR REPLACE INTO meta (key, value) VALUES ('${SWEPT_KEY}', ?)`, String(newest));
  sql.exec('DELETE FROM messages WHERE seq >= ? AND seq < ?', first, behind);
}

function sweepMessages({ sql, before, isSending }: RetentionContext, from: number): number | null {
  const rows = sql
    .exec<{ seq: number; state: string; created_at: number }>(
      `SELECT seq, state, created_at FROM messages WHERE seq > ? ORDER BY seq LIMIT ${STEP}`,
      from,
    )
    .toArray();
  const old = rows.filter(({ created_at }) => created_at < before);
  for (const { seq, state } of old) {
    if (isDue(state) || isSending(seq)) continue;
    deleteMessages(sql, seq, seq + 1);
  }
  // Messages are numbered in the order of acceptance: after the first that is too young, all are.
  return old.length < STEP ? null : (rows.at(-1)?.seq ?? null);
}

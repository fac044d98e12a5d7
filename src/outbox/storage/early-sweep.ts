import { WAITING_SQL } from '../state/states.ts';
import { claimsOf, deleteMessages, holdsClaim, type OldEvent, type SweepPosition } from './retention.ts';

/** How many events one step looks at: even payloads of a MiB each are deleted within some milliseconds. */
const EVENTS = 50;

/** How many messages one step looks at, after all events. */
const MESSAGES = 500;

export interface EarlySweepContext {
  readonly sql: SqlStorage;
  readonly now: number;
  /** The messages whose calls are under way. */
  readonly sendingSeqs: readonly number[];
}

/**
 * Frees space before the retention is over: one step deletes finished events, oldest first, with their messages. An
 * event whose dedupe claim is in force stays, without its payload, headers, query and messages, so that duplicates are
 * still recognized. Returns where the next step continues; null at the end.
 */
export function earlySweepStep(context: EarlySweepContext, from: SweepPosition): SweepPosition | null {
  const eventId = sweepEvents(context, from.eventId);
  if (eventId !== null) return { eventId, seq: from.seq };
  const seq = sweepByHand(context, from.seq);
  // U+FFFF sorts after every id: no events are left.
  return seq === null ? null : { eventId: '\uffff', seq };
}

interface FinishedEvent extends OldEvent {
  stored: number;
}

function sweepEvents(context: EarlySweepContext, from: string): string | null {
  const rows = context.sql
    .exec<FinishedEvent>(
      `SELECT id, source, dedupe_key, item_keys, first_message, message_count, stored FROM events
         WHERE id > ? ORDER BY id LIMIT ${EVENTS}`,
      from,
    )
    .toArray();
  for (const row of rows) if (isFinished(context, row)) free(context, row);
  return rows.length < EVENTS ? null : (rows.at(-1)?.id ?? null);
}

function isFinished({ sql, sendingSeqs }: EarlySweepContext, event: FinishedEvent): boolean {
  const { first_message: first, message_count: messages } = event;
  if (sendingSeqs.some((seq) => seq >= first && seq < first + messages)) return false;
  return (
    sql
      .exec(
        `SELECT 1 FROM messages WHERE seq >= ? AND seq < ? AND state IN ${WAITING_SQL} LIMIT 1`,
        first,
        first + messages,
      )
      .toArray().length === 0
  );
}

function free({ sql, now }: EarlySweepContext, event: FinishedEvent): void {
  deleteMessages(sql, event.first_message, event.first_message + event.message_count);
  const claims = claimsOf(event);
  if (claims.some((claim) => holdsClaim(sql, claim, event.id, now))) {
    if (event.stored === 0) return;
    sql.exec(
      "UPDATE events SET payload = 'null', headers = 'null', query = 'null', stored = 0 WHERE id = ?",
      event.id,
    );
    return;
  }
  for (const claim of claims)
    sql.exec('DELETE FROM dedupe_claims WHERE key = ? AND event_id = ?', claim, event.id);
  sql.exec('DELETE FROM events WHERE id = ?', event.id);
}

/** Deletes finished messages that were sent by hand: no event is deleted with them. */
function sweepByHand({ sql, sendingSeqs }: EarlySweepContext, from: number): number | null {
  const rows = sql
    .exec<{ seq: number; is_finished: number }>(
      `SELECT seq, event_id IS NULL AND state NOT IN ${WAITING_SQL} AS is_finished FROM messages
         WHERE seq > ? ORDER BY seq LIMIT ${MESSAGES}`,
      from,
    )
    .toArray();
  for (const { seq, is_finished: isFinished } of rows)
    if (isFinished === 1 && !sendingSeqs.includes(seq)) deleteMessages(sql, seq, seq + 1);
  return rows.length < MESSAGES ? null : (rows.at(-1)?.seq ?? null);
}

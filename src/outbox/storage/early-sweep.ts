import { isWaiting, WAITING_SQL } from '../state/states.ts';
import {
  deleteEvent,
  deleteMessages,
  eventsBetween,
  messagesBehind,
  type SweepPosition,
} from './retention.ts';

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

function sweepEvents(context: EarlySweepContext, from: string): string | null {
  const { sql, sendingSeqs } = context;
  const rows = eventsBetween(context, [from, '\uffff'], WAITING_SQL, EVENTS);
  for (const event of rows) {
    const { first_message: first, message_count: messages } = event;
    const behind = first + messages;
    if (event.is_open === 1 || sendingSeqs.some((seq) => seq >= first && seq < behind)) continue;
    deleteMessages(sql, first, behind);
    if (event.is_claimed === 0) deleteEvent(sql, event);
    else
      sql.exec(
        "UPDATE events SET payload = 'null', headers = 'null', query = 'null', subject = NULL, stored = 0 WHERE id = ? AND stored = 1",
        event.id,
      );
  }
  return rows.length < EVENTS ? null : (rows.at(-1)?.id ?? null);
}

/** Deletes finished messages that were sent by hand: no event is deleted with them. */
function sweepByHand({ sql, sendingSeqs }: EarlySweepContext, from: number): number | null {
  const rows = messagesBehind(sql, from, Infinity, MESSAGES);
  for (const { seq, event_id: event, state } of rows)
    if (event === null && !isWaiting(state) && !sendingSeqs.includes(seq)) deleteMessages(sql, seq, seq + 1);
  return rows.length < MESSAGES ? null : (rows.at(-1)?.seq ?? null);
}

import type { MessageRow } from '../state/message.ts';
import { DUE_SQL } from '../state/states.ts';
import type { Ready } from './ready-rows.ts';

/** How many rows are read together, and of what length: a backlog is sent about in the order of its numbers. */
const AHEAD = 32;
const MAX_AHEAD_CHARACTERS = 16_384;

/** The row of a waiting message, and those that are likely to be claimed after it. */
export const readAhead = (sql: SqlStorage, seq: number, now: number): readonly Ready[] =>
  sql
    .exec<MessageRow & { received_at: number | null }>(
      `SELECT *, (SELECT received_at FROM events WHERE id = event_id) AS received_at FROM messages WHERE seq >= ? AND seq < ? AND state IN ${DUE_SQL} AND (next_at IS NULL OR next_at <= ?)
         AND (seq = ? OR length(params) <= ${MAX_AHEAD_CHARACTERS})`,
      seq,
      seq + AHEAD,
      now,
      seq,
    )
    .toArray()
    .map(({ received_at: receivedAt, ...row }) => ({ row, receivedAt: receivedAt ?? row.created_at }));

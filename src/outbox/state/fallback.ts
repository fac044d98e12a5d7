import { parseOwnJson } from '../../lib/own-json.ts';
import type { Further } from '../../render/fallback.ts';
import type { MessageRow } from './message.ts';

/** The column `fallback` of a message. Its links are numbers of messages. */
interface Fallback {
  /** The fallbacks, sent one after the other when it is dead. Absent: none, or the next one was queued. */
  readonly next?: readonly Further[];
  /** The message that is dead, and that this one is sent for. */
  readonly of?: number;
  /** The message that was queued when this one was dead. */
  readonly by?: number;
}

type HasFallback = Pick<MessageRow, 'fallback'>;

const parse = ({ fallback }: HasFallback): Fallback =>
  fallback === null ? {} : parseOwnJson<Fallback>(fallback);

/** Null for nearly all messages, which costs nothing. */
export const fallbackText = (next: readonly Further[] = []): string | null =>
  next.length === 0 ? null : JSON.stringify({ next } satisfies Fallback);

/** The messages before and after it. */
export const fallbackLinks = (row: HasFallback): Pick<Fallback, 'of' | 'by'> => parse(row);

/** The message that is sent for one that is dead, as number `seq`; null: it has no fallback, or had it already. */
export function fallbackFor(row: MessageRow, seq: number, now: number): MessageRow | null {
  const [send, ...next] = parse(row).next ?? [];
  if (send === undefined) return null;
  return {
    ...row,
    seq,
    kind: send.kind,
    params: JSON.stringify(send.params),
    state: 'queued',
    reason: null,
    // Fresh, and in the order of its number, unless it is urgent.
    next_at: row.priority === 1 ? now : null,
    tries: 0,
    refusals: 0,
    attempts: '[]',
    actions: '[]',
    created_at: now,
    sent_at: null,
    fallback: JSON.stringify({ ...(next.length > 0 && { next }), of: row.seq } satisfies Fallback),
  };
}

/** Links the dead message to that one, which it does not bring again. */
export const linkFallback = (sql: SqlStorage, seq: number, by: number): unknown =>
  sql.exec(
    "UPDATE messages SET fallback = json_set(json_remove(fallback, '$.next'), '$.by', ?) WHERE seq = ?",
    by,
    seq,
  );

/** The part of the column that a source without stored payloads keeps. */
export const FORGET_FALLBACK = "json_remove(fallback, '$.next')";

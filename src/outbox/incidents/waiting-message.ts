import type { DraftMessage, Origin } from '../state/acceptance.ts';
import { fallbackText } from '../state/fallback.ts';
import type { MessageRow } from '../state/message.ts';

/** The row of a message that was never tried and may be changed; null: it is on its way, or over. */
export function waitingRow(
  sql: SqlStorage,
  seq: number,
  isSending: (seq: number) => boolean,
): MessageRow | null {
  if (isSending(seq)) return null;
  const [row] = sql
    .exec<MessageRow>("SELECT * FROM messages WHERE seq = ? AND state = 'queued' AND attempts = '[]'", seq)
    .toArray();
  return row ?? null;
}

/** Writes something newer into a message that waits. It keeps its place. */
export function rewriteMessage(
  sql: SqlStorage,
  seq: number,
  draft: DraftMessage,
  { event, since, configVersion }: Origin,
): void {
  sql.exec(
    `UPDATE messages SET kind = ?, params = ?, reason = ?, about = ?, fallback = ?, expires_at = ?, on_uncertain = ?, forget = ?,
       event_id = ?, config_version = ? WHERE seq = ?`,
    draft.kind,
    JSON.stringify(draft.params),
    draft.reason ?? null,
    JSON.stringify(draft.about ?? null),
    fallbackText(draft.fallback),
    draft.expiresMs === null ? null : since + draft.expiresMs,
    draft.onUncertain,
    draft.forget ? 1 : 0,
    event,
    configVersion,
    seq,
  );
}

/** Takes a message out of delivery: what it says had resolved before it was sent. */
export function withdrawMessage(sql: SqlStorage, seq: number): void {
  sql.exec(
    "UPDATE messages SET state = 'cancelled', next_at = NULL, reason = 'what it says had resolved before it was sent' WHERE seq = ?",
    seq,
  );
}

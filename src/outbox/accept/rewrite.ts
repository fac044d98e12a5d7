import type { LinkMaker } from '../state/links.ts';
import type { DraftMessage, MessageOrigin } from '../state/acceptance.ts';
import { watchMessage } from '../hand-on/handings.ts';
import type { MessageRow } from '../state/message.ts';
import { freshRow } from './rows.ts';

/**
 * Writes something newer into the row of a message that waits, which keeps its place and its attempts. Returns the row.
 */
export function rewriteMessage<Row extends Pick<MessageRow, 'seq'>>(
  sql: SqlStorage,
  row: Row,
  draft: DraftMessage,
  origin: MessageOrigin,
  by: LinkMaker | null = null,
): Row {
  const made = freshRow(row.seq, origin.since, origin, draft, by);
  const { kind, params, reason, about, says, fallback, links, forget, on_uncertain, expires_at } = made;
  const { event_id, config_version } = made;
  const content = { kind, params, reason, about, says, fallback, links };
  const next = { ...content, forget, on_uncertain, expires_at, event_id, config_version };
  const known: Partial<MessageRow> = row;
  const isSame = Object.entries(next).every(([column, value]) => known[column] === value);
  if (!isSame)
    sql.exec(
      `UPDATE messages SET ${Object.keys(next).join(' = ?, ')} = ? WHERE seq = ?`,
      ...Object.values(next),
      row.seq,
    );
  watchMessage(
    sql,
    { ...made, next_at: known.next_at ?? null, created_at: known.created_at ?? made.created_at },
    origin.since,
  );
  return { ...row, ...next };
}

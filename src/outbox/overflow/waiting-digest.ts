import type { DraftMessage, Origin } from '../state/acceptance.ts';
import { fallbackText } from '../state/fallback.ts';

/** Writes a digest that counts more into the row of one that waits. It keeps its place. */
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

import { MINUTE } from '../../lib/duration.ts';
import { claimKey } from '../state/claim-key.ts';
import { ofEventSql } from '../state/event-messages.ts';
import { readLink, type LinkContext, type LinkView } from './read-link.ts';

/** The time for which a press can be taken back (ms), by the link that was pressed. */
export const TAKE_BACK_MS = MINUTE;

/** True if a press of this link can be taken back now. What is resolved was said to all who knew. */
export const canTakeBack = ({ message, link, pressed }: LinkView, now: number): boolean =>
  pressed !== null &&
  pressed.event !== '' &&
  link.id !== 'resolve' &&
  pressed.message === message &&
  pressed.action === link.id &&
  // Two machines' clocks differ: the press may seem to come later.
  Math.abs(now - pressed.at) < TAKE_BACK_MS;

/** A press that was taken back. */
export interface TakenBack {
  readonly view: LinkView;
  /** The numbers of the messages that it made. */
  readonly seqs: readonly number[];
}

/** Takes back the press of a link: its question is open again. Null: it cannot be taken back. */
export function takeBack(context: LinkContext, token: string): TakenBack | null {
  const { sql, now } = context;
  const view = readLink(context, token);
  if (view === null || view.pressed === null || !canTakeBack(view, now)) return null;
  const { event } = view.pressed;
  sql.exec('DELETE FROM dedupe_claims WHERE key = ?', claimKey(view.source, view.question));
  const rows = sql
    .exec<{ seq: number }>(`SELECT seq FROM messages WHERE seq IN ${ofEventSql(event)}`)
    .toArray();
  return { view, seqs: rows.map(({ seq }) => seq) };
}

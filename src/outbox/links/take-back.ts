import { MINUTE } from '../../lib/time.ts';
import { parseOwnJson } from '../../lib/json.ts';
import { claimKey, ofEventSql } from '../state/event.ts';
import { unpack, type Packed } from '../state/acceptance.ts';
import { changeLink, readLink, type LinkContext, type LinkView, type PressPayload } from './read-link.ts';

/** The time for which a press can be taken back (ms), through the link that was pressed. */
export const TAKE_BACK_MS = MINUTE;

/**
 * True if a press of this link can be taken back now: once, so that nobody can fill the phones of the others. A
 * resolution cannot: everybody who knew of the incident was notified of it.
 */
export const canTakeBack = ({ message, link, pressed, subject }: LinkView, now: number): boolean =>
  pressed !== null &&
  pressed.event !== '' &&
  link.id !== 'resolve' &&
  link.takenBack !== subject &&
  pressed.message === message &&
  pressed.action === link.id &&
  // The clocks of two machines differ, so the press may seem to come later.
  Math.abs(now - pressed.at) < TAKE_BACK_MS;

/** A press that was taken back. */
export interface TakenBack {
  readonly view: LinkView;
  /** The press. */
  readonly event: string;
  /** True if it was taken back before, through this link: the person may not have got the answer. */
  readonly isRepeat: boolean;
  /** The numbers of the messages that it made. */
  readonly seqs: readonly number[];
}

/**
 * Takes back the press of a link: its question is open again. A repeated call gives the same result, as long as nobody
 * has pressed since. Null if it cannot be taken back.
 */
export function takeBack(context: LinkContext, token: string): TakenBack | null {
  const { sql, now } = context;
  const view = readLink(context, token);
  if (view === null) return null;
  const { pressed } = view;
  const key = claimKey(view.source, view.question);
  const event =
    pressed === null ? takenBackBefore(context, view, key) : canTakeBack(view, now) ? pressed.event : null;
  if (event === null) return null;
  sql.exec('UPDATE dedupe_claims SET expires_at = ? WHERE key = ?', TAKEN_BACK, key);
  changeLink(context, view, { takenBack: view.subject });
  const rows = sql
    .exec<{ seq: number }>(`SELECT seq FROM messages WHERE seq IN ${ofEventSql(event)}`)
    .toArray();
  return { view, event, isRepeat: pressed === null, seqs: rows.map(({ seq }) => seq) };
}

/** The end of a claim that was taken back; no other claim has it. */
const TAKEN_BACK = 0;

/**
 * Returns the press of a link that was the last one to answer its question, and was taken back; null if there is none.
 */
function takenBackBefore({ sql }: LinkContext, { link, message }: LinkView, key: string): string | null {
  const [row] = sql
    .exec<{ id: string; payload: Packed }>(
      `SELECT id, payload FROM dedupe_claims JOIN events ON id = event_id WHERE key = ? AND expires_at = ${TAKEN_BACK}`,
      key,
    )
    .toArray();
  if (row === undefined) return null;
  const kept = parseOwnJson<Pick<PressPayload, 'action' | 'message'> | null>(unpack(row.payload));
  return kept?.action === link.id && kept.message === message ? row.id : null;
}

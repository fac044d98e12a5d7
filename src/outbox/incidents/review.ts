import { parseOwnJson } from '../../lib/json.ts';
import { rewriteMessage } from '../accept/rewrite.ts';
import type { About } from '../state/acceptance.ts';
import { fallbackLinks } from '../state/fallback.ts';
import { mayHaveArrived, type MessageRow, type Operation } from '../state/message.ts';
import { beyondIn } from './beyond.ts';
import type { Look } from './context.ts';
import type { Outgoing, Says, Subscriber } from './entries.ts';
import { holderIn, stillSo } from './holder.ts';
import { placeOf } from './incident-id.ts';
import { calling, isEnd, pendingOf } from './incident.ts';
import { askOwed, render, saysIn } from './notify.ts';
import { isSameNews } from './says.ts';
import { addMessage, receiverOf, removeMessage } from './subscribers.ts';

/** The reason why a message about incidents ends that was reviewed. */
export const OUTDATED = 'its news was outdated or held back by the time it could be sent';

/**
 * Reviews a message about incidents that is to be sent now: its content may be out of date since it was queued or
 * tried. Returns its row with the current content. Null if there is nothing left to say, or not now; the caller
 * ends it. To be called in the transaction that claims it.
 */
export function review(look: Look, row: MessageRow): MessageRow | null {
  if (beyondIn(row) !== null) return row;
  const { open, now } = look;
  const holder = holderIn(row);
  if (holder !== null) return stillSo(look, row, holder);
  const subscriber = open.subscriber(receiverOf(row));
  removeMessage(subscriber, row.seq);
  const reviewed = isAskedFor(row) ? asItIs(subscriber, row) : asOwed(look, subscriber, row);
  // The receiver is looked at again, for everything that is due and not in this message.
  open.subscribers.bringForward(subscriber, now);
  if (reviewed === null) return null;
  const says = saysOfRow(reviewed);
  beginCall(
    look,
    subscriber,
    addMessage(subscriber, { seq: row.seq, says, isTried: true, isCalling: false }),
  );
  return reviewed;
}

/** Asks what its receiver is owed now, and makes that the content of the message. */
function asOwed(look: Look, subscriber: Subscriber, row: MessageRow): MessageRow | null {
  const said = saysOfRow(row);
  const { message } = askOwed(look, subscriber, said.groups);
  if (message === null) return null;
  // A message that may have arrived is sent again unchanged, or not at all; and the text of a fallback cannot be made
  // again.
  if (mayHaveArrived(row) || fallbackLinks(row).of !== undefined)
    return isSameNews(subscriber, said, saysIn(message)) && isStillNamed(look.sql, subscriber, row)
      ? row
      : null;
  const { draft, origin } = render(look, subscriber, message);
  // The message keeps its age.
  const expiresMs = row.expires_at === null ? null : row.expires_at - look.now;
  const onUncertain = row.on_uncertain === 'hold' ? 'hold' : 'retry';
  return rewriteMessage(look.sql, row, { ...draft, expiresMs, onUncertain }, origin, look.deps.links);
}

const saysOfRow = ({ says }: MessageRow): Says => parseOwnJson<Says>(says ?? 'null');

/** True if, since the text was written, nothing that it names was held back or ended without a notification. */
function isStillNamed(sql: SqlStorage, { entries }: Subscriber, { about }: MessageRow): boolean {
  const named = parseOwnJson<About | null>(about ?? 'null')?.incidents ?? [];
  return named.every((id) => {
    const entry = entries.get(placeOf(sql, id)?.key ?? '');
    if (entry === undefined || entry.held !== null) return false;
    return entry.incident.resolvedAt === null || isEnd(pendingOf(entry.incident));
  });
}

/** True if a person asked to send again a message that may have arrived. */
const isAskedFor = (row: MessageRow): boolean =>
  row.on_uncertain === 'hold' &&
  mayHaveArrived(row) &&
  parseOwnJson<readonly Operation[]>(row.actions).at(-1)?.action === 'retry';

/** Returns the message if everything in it is still true. */
function asItIs(subscriber: Subscriber, row: MessageRow): MessageRow | null {
  const isSo = saysOfRow(row).incidents.every(([key, statement]) => {
    const entry = subscriber.entries.get(key);
    if (entry === undefined) return isEnd(statement);
    return (entry.incident.resolvedAt === null) === !isEnd(statement);
  });
  return isSo ? row : null;
}

/** While the call is under way, the receiver may or may not know its content. */
export function beginCall(
  { open, now }: Pick<Look, 'open' | 'now'>,
  subscriber: Subscriber,
  message: Outgoing,
): void {
  Object.assign(message, { isTried: true, isCalling: true });
  for (const [key, statement] of message.says.incidents) {
    const entry = subscriber.entries.get(key);
    if (entry !== undefined) open.put(entry.ref, calling(entry.incident, statement), entry.grouping, now);
  }
}

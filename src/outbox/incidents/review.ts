import { parseOwnJson } from '../../lib/json.ts';
import type { Look } from './context.ts';
import { type Outgoing, type Says, type Subscriber, nameOf, type Entry, type SaysHolder } from './entries.ts';
import { placeOf } from './incident-id.ts';
import { calling, isEnd, pendingOf } from './incident.ts';
import { askOwed, render, saysIn } from './notify.ts';
import { isSameNews } from './says.ts';
import { readContent } from './store.ts';
import { addMessage, receiverOf, removeMessage } from './subscribers.ts';
import type { About } from '../state/acceptance.ts';
import { fallbackLinks } from '../state/fallback.ts';
import { mayHaveArrived, type MessageRow, type Operation } from '../state/message.ts';
import { titleOf } from '../../render/built-in-text.ts';
import { whoHasText } from '../../render/incident-words.ts';

/** The reason why a message about incidents ends that was reviewed. */
export const OUTDATED = 'its news was outdated or held back by the time it could be sent';

/**
 * Reviews a message about incidents that is to be sent now: its content may be out of date since it was queued or
 * tried. Returns its row with the current content. Null if there is nothing left to say, or not now; the caller
 * ends it. To be called in the transaction that claims it.
 */
export function review(look: Look, row: MessageRow): MessageRow | null {
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
  return look.deps.messages.rewrite(row, { ...draft, expiresMs, onUncertain }, origin);
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

/** Returns the content of a message about who has incidents; null if it is another message. */
export function holderIn({ says }: Pick<MessageRow, 'says'>): SaysHolder | null {
  const said = parseOwnJson<{ form: string } | null>(says ?? 'null');
  return said?.form === 'holder' ? parseOwnJson<SaysHolder>(says ?? '') : null;
}

/**
 * Reviews a message about who has incidents, which is to be sent now. It was written when somebody pressed, and would
 * be the last word about an incident that has resolved since. Returns its row with what is still true; null if nothing
 * is.
 */
function stillSo({ open, sql }: Look, row: MessageRow, says: SaysHolder): MessageRow | null {
  const { source, route } = row;
  const isSo = ({ incident: { resolvedAt, acknowledged } }: Entry): boolean => {
    const isTheirs = acknowledged !== null && (says.who === null || acknowledged.by === says.who);
    return resolvedAt === null && isTheirs !== says.isBack;
  };
  const entries = says.keys.flatMap(
    (key) => open.entriesOf(nameOf({ source: source ?? '', route: route ?? '', key })).find(isSo) ?? [],
  );
  if (entries.length === 0) return null;
  if (entries.length === says.keys.length) return row;
  const titles = entries.map(({ ref }) => {
    const { event, value } = readContent(sql, ref);
    return titleOf({ item: value, key: ref.key, event });
  });
  const params = JSON.stringify({ message: whoHasText(says.who, titles, says) });
  const left = JSON.stringify({ ...says, keys: entries.map(({ ref }) => ref.key) } satisfies SaysHolder);
  sql.exec('UPDATE messages SET params = ?, says = ? WHERE seq = ?', params, left, row.seq);
  return { ...row, params, says: left };
}

import { parseOwnJson } from '../../lib/own-json.ts';
import type { MessageLink, MessageLinks } from '../state/links.ts';
import { messageRow, messageSeq } from '../state/message.ts';
import { recentPresses } from './presses.ts';
import { readLink, type LinkContext, type LinkView } from './read-link.ts';

/** Returns a link as it is before a press, which counts. */
export function countPress(context: LinkContext, token: string): LinkView | null {
  const { now } = context;
  const view = readLink(context, token);
  if (view?.restsUntil === null)
    changeLink(context, view, { presses: [...recentPresses(view.link, now), now] });
  return view;
}

/** Writes what has become of a link into the row of its message. */
export function changeLink(
  { sql, tag }: Pick<LinkContext, 'sql' | 'tag'>,
  { message, link: { id } }: LinkView,
  change: Partial<MessageLink>,
): void {
  const seq = messageSeq(message, tag) ?? 0;
  const links = parseOwnJson<MessageLinks | null>(messageRow({ sql }, seq)?.links ?? 'null');
  if (links === null) return;
  const all = links.all.map((link) => (link.id === id ? { ...link, ...change } : link));
  sql.exec('UPDATE messages SET links = ? WHERE seq = ?', JSON.stringify({ ...links, all }), seq);
}

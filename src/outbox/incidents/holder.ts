import { parseOwnJson } from '../../lib/json.ts';
import { titleOf } from '../../render/built-in-text.ts';
import { whoHasText } from '../../render/incident-words.ts';
import type { MessageRow } from '../state/message.ts';
import type { Look } from './context.ts';
import { nameOf, type Entry, type SaysHolder } from './entries.ts';
import { readContent } from './store.ts';

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
export function stillSo({ open, sql }: Look, row: MessageRow, says: SaysHolder): MessageRow | null {
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

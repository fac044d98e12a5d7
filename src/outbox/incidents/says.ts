import { fnv } from '../../lib/text.ts';
import { bytesOf } from '../state/acceptance.ts';
import type { Entry, Group, Says, SaysOne, Subscriber } from './entries.ts';
import { isEnd, isSpared, pendingOf, statementOf, type Said, type Statement } from './incident.ts';
import { decidedTo } from './outcomes.ts';

/** One of its statements. */
export const saidOf = ([, statement, n, about]: SaysOne): Said => ({ statement, n, about });

/** A statement about an incident, in a few bytes. */
export const hashOf = (key: string, statement: Statement): number => fnv(`${statement} ${key}`);

/** A row ends at 2 MB, and has the message's parameters as well. The next message has what does not fit. */
const MAX_BYTES = 500_000;

/**
 * Returns the content of a message about these groups: incidents that its receiver is to be notified of, and those that
 * got items since the last message. At least one, so that the group knows after a restart when that was. `shown`: the
 * keys of entries that the text names.
 */
export function saysOf(groups: readonly Group[], shown: ReadonlySet<Entry>): readonly SaysOne[] {
  let left = MAX_BYTES;
  return groups.flatMap((group) => {
    const says: SaysOne[] = [];
    let known: SaysOne | null = null;
    for (const entry of group.entries.values()) {
      const { incident, held, ref } = entry;
      const pending = pendingOf(incident);
      if (held !== null || pending === 'nothing' || isSpared(incident)) continue;
      if (pending === 'muted') {
        // Not news, but it may be the only one that stays open.
        const statement = incident.flapping === 'no' ? 'open' : 'flapping';
        known ??= [ref.key, statement, decidedTo(incident), null];
        continue;
      }
      const first = decidedTo(incident) + 1;
      // A message that repeats that it is open only counts the items since then.
      const about = isEnd(pending) ? incident.items : pending === 'known' ? null : first;
      const isAbout = shown.has(entry) && about !== null && about >= first && about <= incident.items;
      const one: SaysOne = [ref.key, statementOf(incident), incident.items, isAbout ? about : null];
      if (pending === 'known' && decidedTo(incident) >= incident.items) known = one;
      else if ((left -= bytesOf([JSON.stringify(one)]) + 1) > 0) says.push(one);
    }
    const staysOpen = says.some(([, statement]) => !isEnd(statement));
    return known !== null && !staysOpen ? [...says, known] : says;
  });
}

/** Returns the keys of what a message about these groups counts as open, and its receiver knew before. */
export function openIn(groups: readonly Group[]): readonly string[] {
  let left = MAX_BYTES;
  return groups.flatMap(({ entries }) =>
    [...entries].flatMap(({ incident, held, ref: { key } }) => {
      const isKnown = held === null && incident.resolvedAt === null && incident.believed === 'open';
      return isKnown && incident.flapping === 'no' && (left -= bytesOf([JSON.stringify(key)]) + 1) > 0
        ? [key]
        : [];
    }),
  );
}

/**
 * True if two messages have the same news for a receiver, in any order, whatever the items are. A state that the
 * receiver knows is not news; the order of the rows at the start decides which of those incidents is in a row.
 */
export function isSameNews({ entries }: Pick<Subscriber, 'entries'>, one: Says, other: Says): boolean {
  const isNews = ([key]: SaysOne): boolean => {
    const entry = entries.get(key);
    return entry === undefined || !['known', 'muted'].includes(pendingOf(entry.incident));
  };
  const newsIn = ({ groups, incidents }: Says): string => {
    const news = incidents.filter(isNews).map(([key, statement]) => `${statement} ${key}`);
    return JSON.stringify([groups.toSorted(), news.toSorted()]);
  };
  return newsIn(one) === newsIn(other);
}

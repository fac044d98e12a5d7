import { CRITICAL } from '../../lib/severity.ts';
import { minTime } from '../../lib/time.ts';
import { titleOf } from '../../render/built-in-text.ts';
import { NAMED } from '../../render/incident-words.ts';
import type { NotificationElement } from '../../render/notification-scope.ts';
import { factsOf } from './due.ts';
import type { Entry, Group } from './entries.ts';
import { isSpared, pendingOf, pendingSince } from './incident.ts';

const oldest = (one: Entry, other: Entry): number =>
  pendingSince(one.incident) - pendingSince(other.incident);

/** Returns the time since which something of these groups waits (ms); null if nothing does. */
export const sinceWhen = (groups: readonly Group[]): number | null =>
  minTime(groups.map(({ entries }) => factsOf(entries).waitsSince));

/** The incidents that a message is about, each list with the oldest first. */
export type Lists = Readonly<Record<'firing' | 'fresh' | 'resolved' | 'unwatched', readonly Entry[]>>;

/** Returns the incidents that a message is about, oldest first, without those that are held back. */
export function listOf(groups: readonly Group[]): Lists {
  const entries = groups
    .flatMap((group) => [...group.entries.values()])
    .filter(({ held, incident }) => held === null && !isSpared(incident));
  const those = (holds: (entry: Entry) => boolean): readonly Entry[] =>
    entries.filter(holds).toSorted(oldest);
  return {
    firing: those(({ incident }) => incident.resolvedAt === null),
    fresh: those(({ incident }) => ['opened', 'flaps'].includes(pendingOf(incident))),
    resolved: those(({ incident }) => pendingOf(incident) === 'resolved'),
    unwatched: those(({ incident }) => pendingOf(incident) === 'unwatched'),
  };
}

/**
 * Returns what is open with what cannot wait first, of that what nobody has before the rest, then what its receiver does
 * not know of, and then the oldest first. `isUrgent`: nothing of it can wait.
 */
export function ranked({ firing, fresh }: Lists, isUrgent: boolean): Pick<Lists, 'firing' | 'fresh'> {
  const news = new Set(fresh);
  const ranks = (entry: Entry): number => {
    const { severity, acknowledged } = entry.incident;
    const canWait = !isUrgent && severity !== CRITICAL;
    return 4 * Number(canWait) + 2 * Number(acknowledged !== null) + Number(!news.has(entry));
  };
  const sorted = (entries: readonly Entry[]) => entries.toSorted((one, other) => ranks(one) - ranks(other));
  return { firing: sorted(firing), fresh: sorted(fresh) };
}

/**
 * Returns the titles of the incidents that somebody has, by the person; only the first ones are read, the others are
 * empty.
 */
export function holdersIn(
  entries: readonly Entry[],
  elements: (entries: readonly Entry[]) => readonly NotificationElement[],
): ReadonlyMap<string, readonly string[]> {
  const titles = new Map<string, string[]>();
  for (const entry of entries) {
    const by = entry.incident.acknowledged?.by;
    if (by === undefined) continue;
    const own = titles.get(by) ?? [];
    own.push(...(own.length < NAMED ? elements([entry]).map(titleOf) : ['']));
    titles.set(by, own);
  }
  return titles;
}

/**
 * Returns the number of incidents that are held back, still open, and known to the receiver. They are not named, but a
 * message that did not count them would say that everything is resolved.
 */
export const knownHeldIn = (groups: readonly Group[]): number =>
  groups
    .flatMap(({ entries }) => [...entries])
    .filter(
      ({ held, incident: { resolvedAt, believed } }) =>
        held !== null && resolvedAt === null && believed !== 'closed',
    ).length;

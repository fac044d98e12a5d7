import { earliest } from '../../lib/earliest.ts';
import { titleOf } from '../../render/built-in-text.ts';
import type { NotificationElement } from '../../render/notification-scope.ts';
import { factsOf } from './due.ts';
import type { Entry, Group } from './entries.ts';
import { isSpared, pendingOf, pendingSince } from './incident.ts';

const oldest = (one: Entry, other: Entry): number =>
  pendingSince(one.incident) - pendingSince(other.incident);

/** Returns the time since which something of these groups waits (ms); null if nothing does. */
export const sinceWhen = (groups: readonly Group[]): number | null =>
  earliest(groups.map(({ entries }) => factsOf(entries).waitsSince));

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

/** Returns what is firing: what its receiver does not know of before the rest. */
export function newsFirst({ firing, fresh }: Lists): readonly Entry[] {
  const news = new Set(fresh);
  return [...firing.filter((entry) => news.has(entry)), ...firing.filter((entry) => !news.has(entry))];
}

/** Returns the titles of the incidents that somebody has, by the person, of those that are news for the receiver. */
export function holdersIn(
  fresh: readonly Entry[],
  elements: readonly NotificationElement[],
): ReadonlyMap<string, readonly string[]> {
  const titles = new Map<string, string[]>();
  for (const [index, element] of elements.entries()) {
    const by = fresh[index]?.incident.acknowledged?.by;
    if (by !== undefined) titles.set(by, [...(titles.get(by) ?? []), titleOf(element)]);
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

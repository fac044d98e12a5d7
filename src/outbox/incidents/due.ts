import type { GroupRule, Throttle } from '../../config/compiled/alerting.ts';
import type { Due, Entry, Rest } from './entries.ts';
import { isCalled } from './escalation.ts';
import { pendingOf, pendingSince, type Pending } from './incident.ts';

/** The facts that decide when a group of incidents is due. Times in ms. */
export interface GroupFacts {
  /**
   * The number of its incidents in each state; `held`: nobody is notified, because of a silence or another incident.
   */
  readonly counts: Readonly<Record<Pending | 'held', number>>;
  /** The time since which something of it waits to be notified; null if nothing does. */
  readonly waitsSince: number | null;
  /** The time when its receiver was last notified of it; null if not since something of it is open. */
  readonly notifiedAt: number | null;
  /** True if a step notifies its receiver of something. */
  readonly isEscalated: boolean;
}

/** The facts of a group with these incidents. */
export function factsOf(entries: Iterable<Pick<Entry, 'incident' | 'held'>>): GroupFacts {
  const counts = { opened: 0, flaps: 0, resolved: 0, unwatched: 0, known: 0, muted: 0, nothing: 0, held: 0 };
  let waitsSince: number | null = null;
  let notifiedAt: number | null = null;
  let isEscalated = false;
  for (const { incident, held } of entries) {
    const kind = held === null ? pendingOf(incident) : 'held';
    counts[kind] += 1;
    if (kind === 'opened' && isCalled(incident)) isEscalated = true;
    if (WAITING.has(kind)) waitsSince = Math.min(waitsSince ?? Infinity, pendingSince(incident));
    if (incident.notifiedAt !== null) notifiedAt = Math.max(notifiedAt ?? 0, incident.notifiedAt);
  }
  return { counts, waitsSince, notifiedAt, isEscalated };
}

const WAITING: ReadonlySet<Pending | 'held'> = new Set(['opened', 'flaps', 'resolved', 'unwatched']);

/** True if everything in it that its receiver knows of has ended, and its receiver does not know that. */
export const isClosing = ({ counts }: GroupFacts): boolean =>
  counts.resolved + counts.unwatched > 0 && counts.opened + counts.flaps + counts.known + counts.muted === 0;

/** True if it contains something that its receiver does not know of. */
export const isNew = ({ counts }: GroupFacts): boolean => counts.opened + counts.flaps > 0;

/**
 * Returns the time when its receiver is to be notified: after `wait` the first time, then `interval` after the last
 * message at the earliest. The last resolution does not wait, and neither does a step. Null if there is nothing to say.
 */
export function dueAt(
  facts: GroupFacts,
  { group, repeatMs }: { readonly group: GroupRule | null; readonly repeatMs: number | null },
): number | null {
  const { counts, waitsSince, notifiedAt } = facts;
  if (waitsSince === null)
    return repeatMs === null || notifiedAt === null || counts.known === 0 ? null : notifiedAt + repeatMs;
  if (isClosing(facts) || facts.isEscalated) return waitsSince;
  const first = waitsSince + (group?.waitMs ?? 0);
  return notifiedAt === null ? first : Math.max(first, notifiedAt + (group?.intervalMs ?? 0));
}

/** Computes the facts of a group from its incidents. */
export function dueOf(
  entries: Iterable<Pick<Entry, 'incident' | 'held'>>,
  rules: Parameters<typeof dueAt>[1],
): Due {
  const facts = factsOf(entries);
  return {
    at: dueAt(facts, rules) ?? Infinity,
    since: facts.waitsSince,
    isNew: isNew(facts),
    isClosing: isClosing(facts),
    isUnwatched: facts.counts.unwatched > 0,
    isEscalated: facts.isEscalated,
  };
}

/**
 * Returns the time when a receiver may get another message: `now`, or later (ms). `sentAt`: the times of its last
 * messages, oldest first. `isUpdate`: the receiver knows of the message's incidents, so one place stays free for
 * something new.
 */
export function placeAt(
  throttle: readonly Throttle[],
  sentAt: readonly number[],
  { isUpdate, now }: { readonly isUpdate: boolean; readonly now: number },
): number {
  let at = now;
  for (const { max, perMs } of throttle) {
    const places = isUpdate && max > 1 ? max - 1 : max;
    const nth = sentAt.at(-places);
    if (nth !== undefined) at = Math.max(at, nth + perMs);
  }
  return at;
}

/** The rest of a receiver after a dead message (ms), longer each time. */
const REST_MS = 5 * 60_000;
const MOST_REST_MS = 6 * 3_600_000;

/**
 * Returns the end of a receiver's rest (ms; Infinity: until something changes). `repeatMs`: the current value of its
 * route.
 */
export function restsUntil({ since, after, failures }: Rest, repeatMs: number | null): number {
  if (after === 'over') return since;
  // Its receiver has opted out. A message for each change shows that, and repeats would add nothing.
  if (after === 'suppressed') return Infinity;
  // The message was too old, or could not be sent: its news may still be true.
  if (after === 'dead' || after === 'expired')
    return since + Math.min(MOST_REST_MS, REST_MS * 2 ** (failures - 1));
  // A person took it out of delivery: the next repeat or change says it.
  return repeatMs === null ? Infinity : since + repeatMs;
}

import type { GroupFacts } from './due.ts';
import type { Entry, Group, Subscriber } from './entries.ts';
import { pendingOf, type Pending } from './incident.ts';

/** A subscriber's group of this name; it is made if there is none. */
export function groupOf(subscriber: Subscriber, name: string): Group {
  let group = subscriber.groups.get(name);
  if (group === undefined) {
    const counts = { opened: 0, flaps: 0, resolved: 0, known: 0, muted: 0, nothing: 0, held: 0 };
    const entries = new Set<Entry>();
    group = {
      name,
      subscriber,
      entries,
      counts,
      waitsSince: null,
      notifiedAt: null,
      timersAt: 0,
      lookAt: Infinity,
    };
    subscriber.groups.set(name, group);
  }
  return group;
}

/** What decides when it is due. */
export const factsOf = ({ counts, waitsSince, notifiedAt }: Group): GroupFacts => ({
  counts,
  waitsSince,
  notifiedAt,
});

/** How it counts in its group. */
export const kindOf = ({ held, incident }: Entry): Pending | 'held' =>
  held === null ? pendingOf(incident) : 'held';

/** Whether somebody is to be notified. */
export const isWaiting = (kind: Pending | 'held'): boolean =>
  kind === 'opened' || kind === 'flaps' || kind === 'resolved';

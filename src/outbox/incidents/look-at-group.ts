import type { Move } from './arrivals.ts';
import { changed, type Change, type Look } from './context.ts';
import { dueAt } from './due.ts';
import type { Group } from './entries.ts';
import { expire, pendingOf, stable, stableAt } from './incident.ts';
import { isOnItsWay } from './notices.ts';
import { factsOf } from './groups.ts';

/** After a webhook may come the configuration that has its route: an edge cache is behind for a minute (ms). */
const ROUTE_COMES_MS = 90_000;

/** Works out whether a group is due. While a message about it is on its way, it is not. */
export function lookAtGroup(look: Look, group: Group): void {
  const { open, now } = look;
  if (group.timersAt <= now) runTimers(look, group);
  const { subscriber } = group;
  if (group.entries.size === 0) return;
  const at = isOnItsWay(group) ? null : dueFrom(look, group);
  if (at !== null && at <= now) {
    subscriber.due.add(group);
    open.groupTimes.bringForward(group, group.timersAt);
    open.subscriberTimes.bringForward(subscriber, now);
    return;
  }
  subscriber.due.delete(group);
  open.groupTimes.bringForward(group, Math.min(at ?? Infinity, group.timersAt));
}

function dueFrom(look: Look, group: Group): number | null {
  const rules = look.rulesFor(group.subscriber);
  const at = dueAt(factsOf(group), rules);
  // What was open when somebody joined is one message, and does not wait for more.
  if (at !== null && group.subscriber.held?.by === 'joined') return group.waitsSince ?? at;
  if (at === null || rules.route !== null) return at;
  return Math.max(at, newestIn(group) + ROUTE_COMES_MS);
}

const newestIn = ({ entries }: Group): number =>
  [...entries.values()].reduce((newest, { incident }) => Math.max(newest, incident.heardAt), 0);

/** Closes what expired, and what does not flap any more; looks again at what was held back. */
function runTimers(look: Look, group: Group): void {
  const { now, open } = look;
  const { subscriber } = group;
  const { incident: rule, expiresMs } = look.rulesFor(subscriber);
  const changes: Change[] = [];
  const moves: Move[] = [];
  let nextAt = Infinity;
  const later = (at: number | null): void => {
    if (at !== null && at > now) nextAt = Math.min(nextAt, at);
  };
  for (const entry of group.entries.values()) {
    const { ref, incident, held } = entry;
    const stableFrom = stableAt(incident, rule?.flapping ?? null);
    const mayExpire = !incident.isLone && incident.resolvedAt === null;
    const expiresAt = mayExpire ? incident.heardAt + expiresMs : null;
    if (stableFrom !== null && stableFrom <= now) changes.push(changed(entry, stable(incident, held)));
    else if (expiresAt !== null && expiresAt <= now) {
      changes.push(changed(entry, expire(incident, now)));
      // A call that is under way and fails does not bring back what was believed before.
      subscriber.notices.get(group.name)?.before?.delete(ref.key);
      moves.push({ stage: 'incident.expired', ref });
    } else if (held !== null && held.until !== null && held.until <= now) open.release(entry, now);
    later(stableFrom);
    later(expiresAt);
    later(held?.until ?? null);
  }
  look.write([...changes, ...handedOn(group, changes)]);
  look.deps.onMoved(moves);
  group.timersAt = nextAt;
}

/**
 * When a group was notified last is in the row of one of its incidents. If that one expires, another one keeps it: after a restart the
 * next repeat would come at once.
 */
function handedOn({ entries, notifiedAt }: Group, changes: readonly Change[]): readonly Change[] {
  const closed = new Set(
    changes.filter(({ incident }) => pendingOf(incident) === 'nothing').map(({ known }) => known),
  );
  const last = [...closed].find((incident) => incident.notifiedAt === notifiedAt);
  const left = [...entries.values()].filter(({ incident }) => !closed.has(incident));
  const heir = left.find(({ incident }) => pendingOf(incident) === 'known');
  const isKept = left.some(({ incident }) => incident.notifiedAt === notifiedAt);
  if (last === undefined || notifiedAt === null || heir === undefined || isKept) return [];
  return [changed(heir, { ...heir.incident, notifiedAt, notifiedIn: last.notifiedIn })];
}

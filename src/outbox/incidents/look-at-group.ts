import type { Move } from './arrivals.ts';
import type { Look } from './context.ts';
import { dueAt, factsOf } from './due.ts';
import type { Entry, Group } from './entries.ts';
import { expire, pendingOf, stable, stableAt } from './incident.ts';
import { isOnItsWay } from './notices.ts';

/** Works out whether a group is due. While a message about it is on its way, it is not. */
export function lookAtGroup(look: Look, group: Group): void {
  const { open, now } = look;
  const timersAt = runTimers(look, group);
  const { subscriber } = group;
  if (group.entries.size === 0) return;
  const at = (isOnItsWay(group) ? null : dueFrom(look, group)) ?? Infinity;
  if (at <= now) {
    subscriber.due.add(group);
    open.subscriberTimes.bringForward(subscriber, now);
  } else subscriber.due.delete(group);
  open.groupTimes.bringForward(group, at <= now ? timersAt : Math.min(at, timersAt));
}

function dueFrom(look: Look, { entries, subscriber }: Group): number | null {
  const rules = look.rulesFor(subscriber);
  const facts = factsOf(entries);
  const at = dueAt(facts, rules);
  // What was open when somebody joined is one message, and does not wait for more.
  if (at !== null && subscriber.held?.by === 'joined') return facts.waitsSince ?? at;
  return at;
}

/** Closes what expired, and what does not flap any more; looks again at what was held back. Returns when to do so next (ms). */
function runTimers(look: Look, group: Group): number {
  const { now, open } = look;
  const { subscriber } = group;
  const { incident: rule, expiresMs } = look.rulesFor(subscriber);
  const before = [...group.entries];
  const moves: Move[] = [];
  let nextAt = Infinity;
  const isOver = (at: number | null): boolean => {
    if (at !== null && at > now) nextAt = Math.min(nextAt, at);
    return at !== null && at <= now;
  };
  for (const entry of before) {
    const { ref, incident, held } = entry;
    const mayExpire = !incident.isLone && incident.resolvedAt === null;
    const isStable = isOver(stableAt(incident, rule?.flapping ?? null));
    const isExpired = isOver(mayExpire ? incident.heardAt + expiresMs : null);
    const isHeldNoMore = isOver(held?.until ?? null);
    if (isStable) look.set(entry, stable(incident, held));
    else if (isExpired) {
      look.set(entry, expire(incident, now));
      moves.push({ stage: 'incident.expired', ref });
    } else if (isHeldNoMore) open.release(entry, now);
  }
  if (group.entries.size < before.length) handOn(look, group, before);
  look.deps.onMoved(moves);
  return nextAt;
}

/** When a group was notified last is in the row of one of its incidents. If that one closes, another one keeps it for the repeat. */
function handOn(look: Look, { entries }: Group, before: readonly Entry[]): void {
  const known = before.map(({ incident }) => incident);
  const last = known.toSorted((one, other) => (one.notifiedAt ?? 0) - (other.notifiedAt ?? 0)).at(-1);
  const { notifiedAt = null, notifiedIn = null } = last ?? {};
  const heir = [...entries].find(({ incident }) => pendingOf(incident) === 'known');
  if (heir !== undefined && factsOf(entries).notifiedAt !== notifiedAt)
    look.set(heir, { ...heir.incident, notifiedAt, notifiedIn });
}

import type { Move } from './arrivals.ts';
import { keepNotifiedAt, type Look } from './context.ts';
import { beginAgain, lapsesAt } from './by-hand.ts';
import { dueOf } from './due.ts';
import { nameOf, type Entry, type Group } from './entries.ts';
import { escalate, setAll } from './escalate.ts';
import { nextStep } from './escalation.ts';
import { expire, stable, stableAt, type Incident } from './incident.ts';
import { endRest } from './record.ts';
import { EXPIRES_MS } from './rules.ts';

/** Runs a group's timers, and computes when its receiver is to be notified of it, if that is not known already. */
export function lookAtGroup(look: Look, group: Group): void {
  if (group.due !== null && group.changesAt > look.now) return;
  runTimers(look, group);
  const { entries, subscriber } = group;
  group.due = dueOf(entries, look.rulesFor(subscriber));
  group.changesAt = Infinity;
  for (const entry of entries) {
    const { stable: stableFrom, expires, heldUntil, lapses, escalates } = timesOf(look, entry);
    group.changesAt = Math.min(group.changesAt, stableFrom, expires, heldUntil, lapses, escalates);
  }
}

const NONE: readonly never[] = [];

/**
 * Returns the times when an incident is stable, expires, is no longer held back, is no longer acknowledged, and
 * escalates (ms; Infinity: never).
 */
function timesOf(look: Look, { group, incident, held }: Entry) {
  const { incident: rule, expiresMs, route } = look.rulesFor(group.subscriber);
  const mayExpire = !incident.isLone && incident.resolvedAt === null;
  const { rest } = group.subscriber;
  // It may wait for long behind a throttle or a pause, but not for a receiver who can get nothing.
  const isGivenUp = !mayExpire && rest !== null && rest.after !== 'over';
  const { acknowledged, heardAt, resolvedAt } = incident;
  return {
    stable: stableAt(incident, rule?.flapping ?? null) ?? Infinity,
    expires: mayExpire ? heardAt + expiresMs : isGivenUp ? (resolvedAt ?? heardAt) + EXPIRES_MS : Infinity,
    heldUntil: held?.until ?? Infinity,
    lapses:
      acknowledged !== null && mayExpire && rule !== null
        ? lapsesAt(acknowledged, rule.acknowledgedForMs)
        : Infinity,
    escalates: nextStep(incident, route?.escalate ?? NONE)?.at ?? Infinity,
  };
}

/** Closes expired incidents, ends flapping, checks held-back incidents again, and takes the steps that are due. */
function runTimers(look: Look, group: Group): void {
  const { now, open } = look;
  const before = [...group.entries];
  const moves: Move[] = [];
  for (const entry of before) {
    const { ref, incident, held } = entry;
    const times = timesOf(look, entry);
    if (times.stable <= now) look.set(entry, stable(incident, held));
    else if (times.expires <= now) {
      look.set(entry, expire(incident, now, held));
      if (!incident.isLone && incident.resolvedAt === null) moves.push({ stage: 'incident.expired', ref });
    } else if (times.lapses <= now) {
      setAll(look, entry, (one) => beginAgain(one, times.lapses));
      for (const one of open.entriesOf(nameOf(ref))) endRest(look, one.group.subscriber);
    } else if (times.heldUntil <= now) open.release(entry, now);
    escalate(look, entry);
  }
  if (group.entries.size < before.length) keepNotifiedAt(look, group, lastOf(before));
  look.moved(moves);
}

/** Returns the time when a group was last notified, and the message. */
function lastOf(before: readonly Entry[]): Pick<Incident, 'notifiedAt' | 'notifiedIn'> {
  const known = before.map(({ incident }) => incident);
  const last = known.toSorted((one, other) => (one.notifiedAt ?? 0) - (other.notifiedAt ?? 0)).at(-1);
  return { notifiedAt: last?.notifiedAt ?? null, notifiedIn: last?.notifiedIn ?? null };
}

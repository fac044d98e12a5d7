import { numbersAt, isSuppressed } from '../../config/compiled/config.ts';
import { settle } from './beyond.ts';
import type { Look } from './context.ts';
import type { Entry } from './entries.ts';
import { escalationOf, withCall } from './escalation.ts';
import { NEW, type Incident } from './incident.ts';
import { copyIncident, readIncident } from './store.ts';

/** The facts that an open incident has in common for all its receivers. */
function shared(others: Incident, openedAt: number): Pick<Incident, 'acknowledged' | 'escalation'> {
  const escalation = escalationOf(others);
  const isAsOpened = others.escalation === null && others.openedAt === openedAt;
  return {
    acknowledged: others.acknowledged,
    escalation: isAsOpened ? null : { ...escalation, isCalled: false },
  };
}

/** Opens it for somebody who joins its receivers, in the state that it has for the others. */
export const joined = (known: Incident | null, others: Incident): Incident => ({
  ...(known ?? NEW),
  severity: others.severity,
  openedAt: others.openedAt,
  beganAt: others.beganAt,
  told: others.told,
  resolvedAt: null,
  endedAt: null,
  heardAt: others.heardAt,
  occurrences: others.occurrences,
  ...shared(others, others.openedAt),
  resolvedBy: null,
  lost: null,
  // Somebody who was notified before it expired is notified again.
  ...(known?.lost === 'expired' && known.believed !== 'closed' && { believed: 'either' }),
  notifiedIn: null,
  notifiedAt: null,
});

/** Does the same for somebody whom a step notifies. */
export const called = (known: Incident | null, others: Incident): Incident => withCall(joined(known, others));

/** An item has opened it for one receiver, and it was open for others: somebody may have it, or it has escalated. */
export const openedBeside = (opened: Incident, others: Incident): Incident => ({
  ...opened,
  ...shared(others, opened.openedAt),
});

/** Returns the current receivers of a list who have not opted out. */
export const reachedAt = (
  { config, now }: Look,
  list: Parameters<typeof numbersAt>[0],
  isTransactional: boolean,
): readonly string[] =>
  numbersAt(list, now).filter((phone) => isTransactional || !isSuppressed(config, phone));

/**
 * Opens an incident for one more receiver, in the state that it has for the others. False: there is no space, so it is
 * only counted.
 */
export function bringIn(
  look: Look,
  { ref: from, incident: others, grouping, group }: Entry,
  phone: string,
  as: typeof joined,
): boolean {
  const { open, sql, now, beyond } = look;
  const { standing } = look.rulesFor(group.subscriber);
  const ref = { ...from, phone };
  if (!open.hasRoomFor(ref, standing)) {
    const counted = { ...ref, grouped: grouping.grouped ?? '' };
    if (beyond.add(counted, { key: ref.key, isLone: false }, now)) settle(look, ref);
    return false;
  }
  if (grouping.grouped !== null && beyond.join({ ...from, grouped: grouping.grouped }, phone, now))
    settle(look, ref);
  const incident = as(readIncident(sql, ref), others);
  copyIncident(sql, from, ref, incident);
  open.put(ref, incident, grouping, now);
  return true;
}

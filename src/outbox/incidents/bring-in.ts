import { numbersAt, isSuppressed } from '../../config/compiled/config.ts';
import type { Look } from './context.ts';
import type { Entry } from './entries.ts';
import type { joined } from './joined.ts';
import { copyIncident, readIncident } from './store.ts';

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
    beyond.add({ ...ref, grouped: grouping.grouped ?? '' }, [ref.key], standing, now);
    return false;
  }
  if (grouping.grouped !== null) beyond.join({ ...from, grouped: grouping.grouped }, phone, standing, now);
  const incident = as(readIncident(sql, ref), others);
  copyIncident(sql, from, ref, incident);
  open.put(ref, incident, grouping, now);
  return true;
}

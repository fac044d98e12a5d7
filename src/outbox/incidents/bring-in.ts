import { numbersAt } from '../../config/receivers-now.ts';
import { isSuppressed } from '../../config/suppressed.ts';
import type { Look } from './context.ts';
import type { Entry } from './entries.ts';
import type { joined } from './joined.ts';
import { copyIncident, readIncident } from './store.ts';

/** Those of a list at the moment who have not opted out. */
export const reachedAt = (
  { config, now }: Look,
  list: Parameters<typeof numbersAt>[0],
  isTransactional: boolean,
): readonly string[] =>
  numbersAt(list, now).filter((phone) => isTransactional || !isSuppressed(config, phone));

/** It is open for somebody for whom it was not, as it is for the others. False: there is no space, and it is only counted. */
export function bringIn(
  { open, sql, now, beyond }: Look,
  { ref: from, incident: others, grouping }: Entry,
  phone: string,
  as: typeof joined,
): boolean {
  const ref = { ...from, phone };
  if (!open.hasRoomFor(ref)) {
    beyond.add({ ...ref, keys: [ref.key] }, now);
    return false;
  }
  const incident = as(readIncident(sql, ref), others);
  copyIncident(sql, from, ref, incident);
  open.put(ref, incident, grouping, now);
  return true;
}

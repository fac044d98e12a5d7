import { log } from '../lib/log.ts';
import { incidentOf } from './incidents/incident-id.ts';
import type { Parts } from './parts.ts';
import { readIncidents, type IncidentView } from './read/incidents.ts';

/** Incidents as people see them; see {@link readIncidents}. */
export const incidentsByHand = (
  { incidents, read }: Parts,
  ids: readonly string[],
  options: { readonly limit: number; readonly isWhole: boolean },
): readonly IncidentView[] =>
  readIncidents({ ...read(), heldOf: (ref) => incidents.open.get(ref)?.held ?? null }, ids, options);

/**
 * A person has an incident, or resolves it. Returns false if it is not open here, and null if it is not known. `by`: who
 * asked.
 */
export function changeIncident(
  parts: Parts,
  change: 'acknowledged' | 'resolved',
  id: string,
  by: string,
): boolean | null {
  const { account, incidents, loop } = parts;
  const name = incidentOf(id);
  if (name === null || incidentsByHand(parts, [id], { limit: 1, isWhole: false }).length === 0) return null;
  const isChanged = loop.now(() =>
    change === 'acknowledged' ? incidents.acknowledge(name, by) : incidents.close(name),
  );
  const { source, route } = name;
  if (isChanged) log('info', `incident.${change}`, { incident: id, source, route, account: account(), by });
  return isChanged;
}

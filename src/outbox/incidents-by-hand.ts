import { log } from '../lib/log.ts';
import { incidentOf } from './incidents/incident-id.ts';
import type { OutboxParts } from './parts.ts';
import { readIncidents } from './read/incidents.ts';

/**
 * A person has an incident, or resolves it. Returns false if it is not open here, and null if it is not known. `by`: who
 * asked.
 */
export function changeIncident(
  { account, incidents, loop, read }: OutboxParts,
  change: 'acknowledged' | 'resolved',
  id: string,
  by: string,
): boolean | null {
  const name = incidentOf(id);
  if (name === null || readIncidents(read(), [id], { limit: 1, isWhole: false }).length === 0) return null;
  const isChanged = loop.now(() =>
    change === 'acknowledged' ? incidents.acknowledge(name, by) : incidents.close(name, by),
  );
  const { source, route } = name;
  if (isChanged) log('info', `incident.${change}`, { incident: id, source, route, account: account(), by });
  return isChanged;
}

import { nameOf, type IncidentParts } from './entries.ts';
import type { OpenIncidents } from './open-incidents.ts';

/** How many incidents an account holds open, whoever their receivers are … */
export const MAX_OPEN = 10_000;

/** … and with each of their receivers: about 900 bytes of memory each. Items that belong to no incident count here alone. */
export const MAX_ENTRIES = 40_000;

/** What a commit adds to what is open: by incident and receiver, and the names of incidents. */
export interface Added {
  readonly entries: Set<string>;
  readonly names: Set<string>;
}

const NOTHING: Added = { entries: new Set(), names: new Set() };

/** Whether one more receiver of an incident is kept; null: of an item that belongs to none. What is not kept is counted. */
export function hasRoomFor(
  open: Pick<OpenIncidents, 'size' | 'names' | 'has'>,
  incident: IncidentParts | null,
  added = NOTHING,
): boolean {
  if (open.size + added.entries.size >= MAX_ENTRIES) return false;
  if (incident === null) return true;
  const name = nameOf(incident);
  const isNew = !open.has(name) && !added.names.has(name);
  return !isNew || open.names + added.names.size < MAX_OPEN;
}

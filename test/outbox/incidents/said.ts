import type { Entry, Group, Grouping, IncidentRef, Says } from '../../../src/outbox/incidents/entries.ts';
import {
  notified,
  type Incident,
  type Said,
  outcomeIn,
  runOf,
} from '../../../src/outbox/incidents/incident.ts';
import { saidOf, saysOf } from '../../../src/outbox/incidents/owed.ts';
import { OpenIncidents } from '../../../src/outbox/incidents/open-incidents.ts';

export const refOf = (key: string, phone = '4915112345601'): IncidentRef => ({
  source: 'alerts',
  route: 'on-call',
  key,
  phone,
});

/** Alone in its group, and nothing inhibits it. */
export const ALONE: Grouping = { grouped: null, inhibitedBy: [] };

/** The groups of one receiver. */
export const groupsIn = (open: OpenIncidents): readonly Group[] => [
  ...open.subscribers.of(refOf('')).groups.values(),
];

export const entriesIn = (groups: readonly Group[]): readonly Entry[] =>
  groups.flatMap(({ entries }) => [...entries.values()]);

/** The statements of a message about these groups. `shown`: the incidents that its text names, by key; absent: all. */
export const saysAbout = (groups: readonly Group[], shown?: readonly string[]): Says['incidents'] =>
  saysOf(groups, new Set(entriesIn(groups).filter(({ ref }) => shown?.includes(ref.key) ?? true)));

/** The statement of a message about an incident that is alone in its group. Null if there is nothing to say. */
export function saidNow(incident: Incident, isShown = true): Said | null {
  const open = new OpenIncidents();
  open.put(refOf('disk'), incident, ALONE, 0);
  const [one] = saysAbout(groupsIn(open), isShown ? undefined : []);
  return one === undefined ? null : saidOf(one);
}

/** The gateway takes a message that says what is so now. `isShown`: its text names the incident; else it only counts it. */
export function sent(incident: Incident, seq: number, now: number, isShown = true): Incident {
  const said = saidNow(incident, isShown);
  if (said === null) throw new Error('there is nothing to say');
  return notified(incident, said, seq, now);
}

/** The outcome of each item, with its message. */
export const outcomesOf = (incident: Incident): readonly string[] =>
  Array.from({ length: incident.items }, (_, index) => {
    const run = runOf(incident, index + 1);
    const outcome = outcomeIn(run, index + 1);
    return run?.seq === undefined ? outcome : `${outcome} in ${run.seq}`;
  });

import { receiversOf } from '../../config/compile/escalation.ts';
import type { Route } from '../../config/compiled/config.ts';
import { iso } from '../../lib/time.ts';
import { maskNumber } from '../../lib/numbers.ts';
import type { EscalationSoFar } from '../../render/notification-scope.ts';
import { nameOf, type Entry } from './entries.ts';
import { escalationOf, isCalled } from './escalation.ts';
import type { OpenIncidents } from './open-incidents.ts';
import { isSuppressedIn } from './suppressed.ts';

/** Returns the past of the incidents that a step notifies a receiver of; null if no step does. */
export function soFar(
  open: OpenIncidents,
  fresh: readonly Entry[],
  route: Route | null,
  now: number,
): EscalationSoFar | null {
  const escalated = fresh.filter(({ incident }) => isCalled(incident));
  if (escalated.length === 0) return null;
  const steps = escalated.flatMap(({ incident }) => escalationOf(incident).taken.at(-1)?.step ?? []);
  const since = Math.min(
    ...escalated.map(({ incident }) => escalationOf(incident).freeSince ?? incident.openedAt),
  );
  const notifiedAt = new Map<string, number>();
  const out = new Set<string>();
  for (const entry of escalated)
    for (const { ref, incident, group } of open.entriesOf(nameOf(entry.ref))) {
      if (ref.phone === entry.ref.phone) continue;
      const name = nameIn(route, ref.phone);
      const { rules } = group.subscriber;
      if (incident.notifiedAt !== null)
        notifiedAt.set(name, Math.min(notifiedAt.get(name) ?? Infinity, incident.notifiedAt));
      else if (isSuppressedIn(rules?.of ?? null, group.subscriber)) out.add(name);
    }
  return {
    step: Math.max(...steps),
    since: iso(since),
    minutes: Math.floor((now - since) / 60_000),
    notified: [...notifiedAt]
      .toSorted(([name, one], [otherName, other]) => one - other || (name < otherName ? -1 : 1))
      .map(([name, at]) => ({ name, at: iso(at) })),
    opted_out: [...out].toSorted(),
  };
}

/** Returns the name of a receiver: the person's, or else the list's. */
function nameIn(route: Route | null, phone: string): string {
  const listed = route === null ? [] : receiversOf(route).filter((one) => one.from === 'document');
  const own = listed.filter(({ numbers }) => numbers.includes(phone));
  const [name] = [
    ...own.flatMap(({ names }) => names?.get(phone) ?? []),
    ...own.flatMap(({ list }) => list ?? []),
  ];
  return name ?? maskNumber(phone);
}

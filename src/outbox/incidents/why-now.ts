import type { NotifyReason } from '../state/states.ts';
import type { Group, Holding } from './entries.ts';
import { isCalled } from './escalation.ts';
import { pendingOf, type Incident, type Pending } from './incident.ts';

/** What is owed, and the hold that it ends. */
interface Owing {
  readonly form: 'group' | 'digest';
  readonly groups: readonly Group[];
  /** True if it ends `held`. */
  readonly endsHold: boolean;
  readonly held: Holding | null;
  /** True if its route looks for flapping. */
  readonly mayFlap: boolean;
}

/** The reasons of single incidents. The first of them that holds for one is that of the message. */
const IN_ORDER = [
  'escalated',
  'flapping',
  'first',
  'new',
  'unacknowledged',
  'stable',
  'corrected',
  'resolved',
  'removed',
] as const satisfies readonly NotifyReason[];

/** Returns why a notification goes out now. Pure. */
export function whyNow({ form, groups, endsHold, held, mayFlap }: Owing): NotifyReason {
  const reasons = new Set(groups.flatMap((group) => reasonsIn(group, mayFlap)));
  if (endsHold && held?.by === 'joined') return reasons.has('corrected') ? 'turn' : 'joined';
  if (endsHold && held?.by === 'quiet') return 'morning';
  if (form === 'digest') return 'digest';
  return IN_ORDER.find((reason) => reasons.has(reason)) ?? 'repeat';
}

function reasonsIn({ entries }: Group, mayFlap: boolean): readonly NotifyReason[] {
  const due = [...entries].filter(({ held }) => held === null).map(({ incident }) => incident);
  const isFirst = due.every(({ notifiedAt }) => notifiedAt === null);
  return due.flatMap((incident) => {
    const pending = pendingOf(incident);
    if (pending === 'opened') return whyOpen(incident, isFirst, mayFlap);
    return PENDING[pending] ?? [];
  });
}

/** The reasons that are states; the others are none for a message. */
const PENDING: Partial<Readonly<Record<Pending, NotifyReason>>> = {
  flaps: 'flapping',
  resolved: 'resolved',
  unwatched: 'removed',
};

/** Returns why its receiver is told that it is open; they may know. */
function whyOpen(incident: Incident, isFirst: boolean, mayFlap: boolean): NotifyReason {
  const { believed, escalation, notifiedAt, changes } = incident;
  if (isCalled(incident)) return 'escalated';
  if (believed !== 'either') return isFirst ? 'first' : 'new';
  if ((escalation?.freeSince ?? 0) > (notifiedAt ?? Infinity)) return 'unacknowledged';
  // An incident forgets its changes when it is stable.
  return mayFlap && changes.length === 0 ? 'stable' : 'corrected';
}

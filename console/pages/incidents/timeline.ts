import { goesOn } from '../../../src/outbox/state/states.ts';
import type { IncidentAnswer } from '../../api/types.ts';

/** The history of an incident, in order: times are ISO 8601. Whatever holds it back now is last; its beginning is unknown. */
export function timelineOf(incident: IncidentAnswer) {
  const { started_at, acknowledged_at, acknowledged_by: by = '', resolved_at, resolved_by } = incident;
  const { lost_at, receivers, state: now, steps = [], next } = incident;
  const silences = new Set(receivers.flatMap(({ silence }) => silence ?? []));
  const inhibitors = new Set(receivers.flatMap(({ inhibited_by }) => inhibited_by ?? []));
  const waiting = receivers.filter(({ state }) => state === 'waiting').length;
  const lines = [
    { is: 'opened' as const, at: started_at },
    ...receivers.flatMap(({ phone, notifications = [] }) =>
      notifications.flatMap(({ message, state, sent_at, created_at }) =>
        ifThere(sent_at ?? created_at, (at) => {
          return { is: wordOf(state), at, phone, message, state: state ?? null };
        }),
      ),
    ),
    ...ifThere(acknowledged_at, (at) => ({ is: 'acknowledged' as const, at, by })),
    ...steps.map(({ at, to }) => ({ is: 'escalated' as const, at, to })),
    ...(incident.occurrences > 1 && resolved_at === undefined
      ? [{ is: 'heard' as const, at: incident.heard_at }]
      : []),
    ...ifThere(resolved_at, (at) =>
      resolved_by === undefined
        ? { is: 'resolved' as const, at }
        : { is: 'resolvedBy' as const, at, by: resolved_by },
    ),
    ...ifThere(lost_at, (at) => ({ is: now === 'expired' ? now : ('unwatched' as const), at })),
  ];
  return [
    // An opening and its message may have the same time: the sort keeps their order.
    ...lines.toSorted((one, other) => one.at.localeCompare(other.at)),
    ...[...silences].map((silence) => ({ is: 'silenced' as const, at: null, silence })),
    ...[...inhibitors].map((of) => ({ is: 'inhibited' as const, at: null, incident: of })),
    ...ifThere(next ?? undefined, ({ at, to }) => ({ is: 'next' as const, at, to })),
    ...(waiting > 0 && goesOn(now) ? [{ is: 'waits' as const, at: null, count: waiting }] : []),
  ];
}

export type TimelineLine = ReturnType<typeof timelineOf>[number];

const ifThere = <Value, Line>(value: Value | undefined, line: (value: Value) => Line): readonly Line[] =>
  value === undefined ? [] : [line(value)];

const wordOf = (state: string | undefined): 'notified' | 'notifying' | 'notNotified' => {
  if (state === undefined || state === 'sent' || state === 'uncertain') return 'notified';
  return state === 'queued' || state === 'sending' || state === 'retrying' ? 'notifying' : 'notNotified';
};

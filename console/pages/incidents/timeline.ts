import { goesOn } from '../../../src/outbox/state/states.ts';
import type { IncidentAnswer } from '../../api/types.ts';

/** A line of what happened to an incident. Times are ISO 8601. */
export type TimelineLine =
  | { readonly is: 'opened'; readonly at: string }
  | {
      readonly is: 'notified' | 'notifying' | 'notNotified';
      readonly at: string;
      readonly phone: string | null;
      readonly message: string;
      readonly state: string | null;
    }
  | { readonly is: 'acknowledged' | 'resolvedBy'; readonly at: string; readonly by: string }
  | { readonly is: 'resolved' | 'expired' | 'unwatched' | 'heard'; readonly at: string }
  | { readonly is: 'escalated' | 'next'; readonly at: string; readonly to: readonly string[] }
  /** These hold now; their beginning is unknown. */
  | { readonly is: 'silenced'; readonly at: null; readonly silence: string }
  | { readonly is: 'inhibited'; readonly at: null; readonly incident: string }
  | { readonly is: 'waits'; readonly at: null; readonly count: number };

/** The history of an incident, in order. Whatever holds it back now is last. */
export function timelineOf(incident: IncidentAnswer): readonly TimelineLine[] {
  const {
    started_at: opened,
    acknowledged_at: acknowledged,
    resolved_at: resolved,
    lost_at: lost,
  } = incident;
  const { receivers, state: now } = incident;
  const silences = new Set(receivers.flatMap(({ silence }) => silence ?? []));
  const inhibitors = new Set(receivers.flatMap(({ inhibited_by: by }) => by ?? []));
  const waiting = receivers.filter(({ state }) => state === 'waiting').length;
  const lines: TimelineLine[] = [
    { is: 'opened', at: opened },
    ...receivers.flatMap(({ phone, notifications = [] }) =>
      notifications.flatMap(
        ({ message, state, sent_at: sent, created_at: created }): readonly TimelineLine[] => {
          const at = sent ?? created;
          return at === undefined ? [] : [{ is: wordOf(state), at, phone, message, state: state ?? null }];
        },
      ),
    ),
    ...(acknowledged === undefined
      ? []
      : [{ is: 'acknowledged' as const, at: acknowledged, by: incident.acknowledged_by ?? '' }]),
    ...(incident.steps ?? []).map(({ at, to }): TimelineLine => ({ is: 'escalated', at, to })),
    ...(incident.occurrences > 1 && resolved === undefined
      ? [{ is: 'heard' as const, at: incident.heard_at }]
      : []),
    ...(resolved === undefined
      ? []
      : incident.resolved_by === undefined
        ? [{ is: 'resolved' as const, at: resolved }]
        : [{ is: 'resolvedBy' as const, at: resolved, by: incident.resolved_by }]),
    ...(lost === undefined ? [] : [{ is: now === 'expired' ? now : ('unwatched' as const), at: lost }]),
  ];
  return [
    // An opening and its message may have the same time: the sort keeps their order.
    ...lines.toSorted((one, other) => (one.at ?? '').localeCompare(other.at ?? '')),
    ...[...silences].map((silence): TimelineLine => ({ is: 'silenced', at: null, silence })),
    ...[...inhibitors].map((of): TimelineLine => ({ is: 'inhibited', at: null, incident: of })),
    ...(incident.next ? [{ is: 'next' as const, at: incident.next.at, to: incident.next.to }] : []),
    ...(waiting > 0 && goesOn(now) ? [{ is: 'waits' as const, at: null, count: waiting }] : []),
  ];
}

const wordOf = (state: string | undefined): 'notified' | 'notifying' | 'notNotified' => {
  if (state === undefined || state === 'sent' || state === 'uncertain') return 'notified';
  return state === 'queued' || state === 'sending' || state === 'retrying' ? 'notifying' : 'notNotified';
};

import type { Scope } from '../template/basics/scope.ts';

/** An item or incident as the templates of notifications see it. Times are ISO 8601. */
export interface NotificationElement {
  readonly item: unknown;
  /** The last event that contained it. */
  readonly event: Scope['event'];
  readonly started_at: string;
  /** Null if it is firing. */
  readonly resolved_at: string | null;
  /** Its duration, or its duration so far (ms). */
  readonly duration_ms: number;
  readonly occurrences: number;
  /** Null if it is not an incident. */
  readonly key: string | null;
  readonly flapping: boolean;
  /** The number of recent changes between open and resolved. */
  readonly changes: number;
}

/** The past of an incident that nobody has acknowledged, for the people whom a step notifies. Times are ISO 8601. */
export interface EscalationSoFar {
  /** The place of the step in the route, from 1. */
  readonly step: number;
  /** The time since which nobody has the incident: when it opened, or somebody had it last; of several, the oldest. */
  readonly since: string;
  readonly minutes: number;
  /** The receivers who were notified before, the first ones first. */
  readonly notified: readonly { readonly name: string; readonly at: string }[];
  /** The receivers who were not notified because they have opted out. */
  readonly opted_out: readonly string[];
}

/** The numbers of incidents that ended without a notification, by what is known of their ends. */
export interface MissedCounts {
  readonly resolved: number;
  /** Nothing was heard of them any more. */
  readonly expired: number;
  /** Their route or source is not watched any more. */
  readonly unwatched: number;
}

export const NONE_MISSED: MissedCounts = { resolved: 0, expired: 0, unwatched: 0 };

/** The content of a notification. Its lists have the oldest first. */
export interface NotificationContent {
  /** All that are open, or the newest of them. */
  readonly firing: readonly NotificationElement[];
  /** The number of open incidents, if `firing` does not have all of them. */
  readonly count?: number;
  readonly new: readonly NotificationElement[];
  readonly resolved: readonly NotificationElement[];
  readonly max: number;
  /** Not watched any more since the last notification; absent: none. Only the built-in text names them. */
  readonly unwatched?: readonly NotificationElement[];
  /** The numbers of all in the two lists, if these do not have all of them. */
  readonly ended?: { readonly resolved: number; readonly unwatched: number };
  /** The numbers of other incidents that ended since the last notification, without one of their own; absent: none. */
  readonly missed?: MissedCounts;
  /** For a digest: the start of its period, ISO 8601. */
  readonly since?: string;
  /** Set if a step sends it; absent: none does. */
  readonly escalation?: EscalationSoFar;
  /** One incident or item by itself, without a group. */
  readonly single: boolean;
}

/** The time and the source of a notification, and the newest event's parts if they are stored. */
export interface NotificationContext extends Partial<Pick<Scope, 'payload' | 'headers' | 'query'>> {
  readonly at: string;
  readonly source: string;
}

export function notificationScope(
  content: NotificationContent,
  { at, source, payload, headers = {}, query = {} }: NotificationContext,
): Scope {
  const { resolved, max, missed = NONE_MISSED, since, single, escalation } = content;
  const firing = content.firing.slice(-max);
  const count = content.count ?? content.firing.length;
  // Its event is `event`: that of an open one, if there is any.
  const newest = content.firing.at(-1) ?? content.new.at(-1) ?? resolved.at(-1);
  const names = {
    ...(single && newest),
    firing,
    new: content.new,
    resolved,
    count,
    more: count - firing.length,
    first: firing[0],
    last: firing.at(-1),
    ...(escalation !== undefined && { escalation }),
    ...(!single && { unheard: missed.expired }),
    ...(since !== undefined && { since, missed: missed.resolved }),
  };
  const event = newest?.event ?? { id: '', type: null, source, received_at: at, dedupe_key: null };
  const parts = single ? { payload, headers, query } : { payload: undefined, headers: {}, query: {} };
  return { ...parts, event, notification: { at, names } };
}

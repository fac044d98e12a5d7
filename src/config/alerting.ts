import type { CompiledCondition } from '../template/condition.ts';
import type { CompiledText } from '../template/text.ts';
import type { Send } from './send.ts';

/**
 * The rules for when receivers are notified of a route's items (`incident`, `group`, `throttle` …). The outbox
 * renders a notification when it is due.
 */
export interface Alerting {
  /** Null: an item is notified once, and nothing resolves it. */
  readonly incident: IncidentRule | null;
  /** Null: each incident (or item) has notifications of its own. */
  readonly group: GroupRule | null;
  /** The number of messages that a receiver may get from the route; empty for any number. */
  readonly throttle: readonly Throttle[];
  /** Null: none but those of lists. */
  readonly quiet: Quiet | null;
  /** The template of a digest; null: the built-in text. */
  readonly digest: Send | null;
}

/** The rules that make items one problem over time. Times in ms. */
export interface IncidentRule {
  readonly key: CompiledText;
  /** The condition under which an item resolves the incident; null if only `expires` and people do. */
  readonly resolved: CompiledCondition | null;
  /** It is notified again after this; null: never. */
  readonly repeatMs: number | null;
  /** It is closed after this time without an item. */
  readonly expiresMs: number;
  /** While this incident is open, nobody is notified: `key`, `route/key` or `source/route/key`; null: none. */
  readonly inhibitedBy: CompiledText | null;
  /** An acknowledgement lasts this long; then the incident is as before. */
  readonly acknowledgedForMs: number;
  readonly flapping: { readonly changes: number; readonly perMs: number } | null;
}

export interface GroupRule {
  /** Items of the same values are one group. */
  readonly by: readonly CompiledText[];
  /** The time for which a group's first message waits for more items (ms). */
  readonly waitMs: number;
  /** The minimum time between two messages about a group (ms). */
  readonly intervalMs: number;
  /** The maximum number of items that a template sees. */
  readonly max: number;
}

/** At most `max` messages in any `perMs`. */
export interface Throttle {
  readonly max: number;
  readonly perMs: number;
}

/** Hours of the week, in the zone's own time. `to` at or before `from` is on the next day. */
export interface Hours {
  /** Minutes after midnight, 0 to 1439. */
  readonly from: number;
  /** Minutes after midnight, 0 to 1440. */
  readonly to: number;
  /** On which they begin: 0 is Sunday. */
  readonly days: readonly number[];
  readonly timezone: string;
}

/**
 * Hours in which receivers get no notifications of normal priority, and the treatment of those: held, or made a
 * digest.
 */
export interface Quiet {
  readonly hours: Hours;
  readonly do: 'hold' | 'digest';
  /** `hold` if resolutions wait for the end of the hours, too. */
  readonly resolved: 'hold' | 'send';
}

/** While it lasts, nobody is notified of items that match. */
export interface Silence {
  /** The document's name, or the id of one that was added by hand. */
  readonly id: string;
  readonly when: CompiledCondition;
  /** ms; null: from the beginning. */
  readonly from: number | null;
  /** ms; null: without an end. */
  readonly until: number | null;
  /** Null: all the time. */
  readonly every: Hours | null;
}

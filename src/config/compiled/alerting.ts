import type { CompiledExpression } from '../../template/expression.ts';
import type { CompiledText } from '../../template/text.ts';
import type { Send } from './send.ts';

/** When receivers are notified of a route's items. The outbox renders a notification when it is due. */
export interface Alerting {
  /** Null if each item is notified once and nothing resolves it. */
  readonly incident: IncidentRule | null;
  /** Null if each incident (or item) has its own notifications. */
  readonly group: GroupRule | null;
  readonly throttle: readonly Throttle[];
  /** The route's quiet hours; null if only those of its lists count. */
  readonly quiet: Quiet | null;
  /** The template of a digest; null for the built-in text. */
  readonly digest: Send | null;
}

/** The rules that make items one problem over time. Times in ms. */
export interface IncidentRule {
  readonly key: CompiledText;
  /** The condition under which an item resolves the incident; null if only `expires` and people do. */
  readonly resolved: CompiledExpression | null;
  /** The time, by the sender's clock, since when an item is true; null if the time of its arrival counts. */
  readonly at: CompiledText | null;
  /** The condition under which an item acknowledges the incident; null if only people do. */
  readonly acknowledged: CompiledExpression | null;
  readonly unacknowledged: CompiledExpression | null;
  /** The person who acknowledged it; null if the sender does not say. */
  readonly by: CompiledText | null;
  /** The time after which it is notified again; null for never. */
  readonly repeatMs: number | null;
  /** The time without an item after which it is closed. */
  readonly expiresMs: number;
  /** The incident whose opening inhibits this one: `key`, `route/key` or `source/route/key`; null if there is none. */
  readonly inhibitedBy: CompiledText | null;
  /** The time after which an acknowledgement ends. The incident is then as before. */
  readonly acknowledgedForMs: number;
  readonly flapping: { readonly changes: number; readonly perMs: number } | null;
}

export interface GroupRule {
  /** Items with the same values are in one group. */
  readonly by: readonly CompiledText[];
  readonly waitMs: number;
  /** The minimum time between two messages about a group (ms). */
  readonly intervalMs: number;
  /** The maximum number of items that a template sees. */
  readonly max: number;
}

export interface Throttle {
  readonly max: number;
  readonly perMs: number;
}

/** Hours of the week, in the time zone's own time. If `to` is at or before `from`, they end on the next day. */
export interface Hours {
  /** Minutes after midnight, 0 to 1439. */
  readonly from: number;
  /** Minutes after midnight, 0 to 1440. */
  readonly to: number;
  /** The days on which they begin: 0 is Sunday. */
  readonly days: readonly number[];
  readonly timezone: string;
}

/** Hours in which receivers get no notifications of normal priority. These are held, or summarized in a digest. */
export interface Quiet {
  readonly hours: Hours;
  readonly do: 'hold' | 'digest';
  /** `hold` if resolutions also wait for the end of the hours. */
  readonly resolved: 'hold' | 'send';
}

/** What a silence is of. Null stands for any. */
export interface SilencedThings {
  readonly source: string;
  readonly type: string | null;
  readonly route: string | null;
  /** The values that the incidents of a group share, as one text. */
  readonly grouped: string | null;
  readonly keys: ReadonlySet<string> | null;
}

export interface Silence {
  readonly id: string;
  readonly of: SilencedThings | null;
  readonly when: CompiledExpression | null;
  readonly from: number | null;
  readonly until: number | null;
  readonly every: Hours | null;
}

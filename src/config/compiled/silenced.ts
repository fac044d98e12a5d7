import type { Locale } from '../../template/basics/locale.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { evaluateCondition } from '../../template/expression.ts';
import type { Silence, SilencedThings } from './config.ts';
import { hoursEnd } from './hours.ts';

/** What a silence may be of: an item of a route, or an incident. */
export interface Silenceable {
  readonly source: string;
  /** Null if it may be of any route. */
  readonly route: string | null;
  /** Null if it is of no incident. */
  readonly key: string | null;
  /** The values that it shares with the others of its group, as one text; null if it has no group. */
  readonly grouped: string | null;
  readonly scope: Scope;
}

interface Silenced {
  readonly id: string;
  /** The time when it ends, or stops matching because of its hours (ms); null for never. */
  readonly until: number | null;
}

type Times = Pick<Silence, 'from' | 'until' | 'every'>;

/**
 * Null if there is none. A condition that fails counts as false: a notification by mistake does less harm than a
 * missing one.
 */
export function silencedBy(
  silences: readonly Silence[],
  what: Silenceable,
  locale: Locale,
  now: number,
): Silenced | null {
  for (const { id, of, when, ...times } of silences) {
    if (!isBetween(times, now)) continue;
    const end = endOf(times, now);
    if (end === null) continue;
    if (of !== null && !isOf(of, what)) continue;
    const holds = when === null ? null : evaluateCondition(when, what.scope, locale);
    if (holds === null || (holds.ok && holds.value)) return { id, until: end === Infinity ? null : end };
  }
  return null;
}

const isOf = (
  { source, type, route, grouped, keys }: SilencedThings,
  { scope, ...what }: Silenceable,
): boolean =>
  source === what.source &&
  (route === null || route === what.route) &&
  (grouped === null || grouped === what.grouped) &&
  (keys === null || (what.key !== null && keys.has(what.key))) &&
  (type === null || type === scope.event.type);

/** Returns the state of a silence: pending, active or ended. A silence with hours is pending outside its hours. */
export function stateOf(times: Times, now: number): 'pending' | 'active' | 'ended' {
  if (times.until !== null && times.until <= now) return 'ended';
  return isBetween(times, now) && endOf(times, now) !== null ? 'active' : 'pending';
}

const isBetween = ({ from, until }: Times, now: number): boolean =>
  (from === null || from <= now) && (until === null || now < until);

/** Returns the time when a silence that has begun and not ended is next inactive; null if it is inactive now. */
function endOf({ until, every }: Times, now: number): number | null {
  const end = every === null ? Infinity : hoursEnd(every, now);
  return end === null ? null : Math.min(end, until ?? Infinity);
}

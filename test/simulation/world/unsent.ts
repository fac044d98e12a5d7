import type { Random } from '../simulation.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The age after which a message is not sent any more, in ms: `expires` of its route. */
export interface MaxAge {
  readonly ofAlertsMs: number;
  /** Null: orders are sent, however old they are. */
  readonly ofOrdersMs: number | null;
  /** The mean time between two pauses, in ms. Each lasts longer than `ofAlertsMs`. */
  readonly pausesEveryMs: number;
  /** False: incidents are not repeated, so that nothing but their own notification says them. */
  readonly isRepeated: boolean;
}

export function maxAgeOf(random: Random): MaxAge | null {
  if (!random.chance(0.22)) return null;
  return {
    ofAlertsMs: random.pick([10, 20, 60]) * MINUTE_MS,
    ofOrdersMs: random.chance(0.6) ? random.pick([15, 45]) * MINUTE_MS : null,
    pausesEveryMs: random.pick([2, 4]) * HOUR_MS,
    isRepeated: random.chance(0.3),
  };
}

/** The routes whose dead messages have a fallback by the same account. */
export interface Fallbacks {
  readonly ofAlerts: boolean;
  readonly ofOrders: boolean;
  /** The mean time, in ms, until the gateway again refuses a message, or a few, for good. */
  readonly refusalsEveryMs: number;
}

export function fallbacksOf(random: Random): Fallbacks | null {
  if (!random.chance(0.22)) return null;
  const of = random.pick(['orders', 'alerts', 'both', 'both']);
  return {
    ofAlerts: of !== 'orders',
    ofOrders: of !== 'alerts',
    refusalsEveryMs: random.pick([1, 3]) * HOUR_MS,
  };
}

/** The `expires` of a route, as its document says it. */
export const expiring = (ms: number | null | undefined): object =>
  typeof ms === 'number' ? { expires: `${ms / MINUTE_MS}m` } : {};

/** The beginning of a fallback about incidents: a text that no first message has. */
const SHORT = 'short: ';

/** The fallback of an order's message with this text. */
export const shortOrder = (text: string): string => `${text} in short`;

/** The fallback of a message about incidents with this text. */
export const shortAlert = (text: string): string => `${SHORT}${text}`;

export const isShortAlert = (text: string): boolean => text.startsWith(SHORT);

/** The fallback of a template, as its document says it; null: it has none. */
export const fallingBackTo = (message: string | null): object =>
  message === null ? {} : { fallback: [{ kind: 'text', message }] };

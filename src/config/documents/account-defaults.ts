import { DAY, HOUR, MINUTE } from '../../lib/time.ts';

/*
 * Facts of accounts that the console's form shows, too. This file imports no schema, since the console would have to
 * load it.
 */

/** The pace of an account whose gateway has no maker. It suits a phone as the sending device. */
export const DEFAULT_RATE = { perMinute: 30, burst: 5 } as const;

/** The burst of a pace that names none. */
export const burstOf = (perMinute: number): number => Math.min(DEFAULT_RATE.burst, perMinute);

export const DEFAULT_PER_RECIPIENT = { perHour: 30 } as const;

/** The channels for urgent messages whose address is a secret. */
export const ESCAPE_KINDS = ['ntfy', 'slack', 'telegram', 'webhook'] as const;

/** The time after which an urgent message goes to the channel (ms). */
export const ESCAPE_AFTER_MS = 3 * MINUTE;

/** The interval of a canary, and the time in which its link has to be pressed (ms). */
export const CANARY_EVERY_MS = DAY;
export const CANARY_WITHIN_MS = 2 * HOUR;

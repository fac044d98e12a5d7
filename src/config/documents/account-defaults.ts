import { DAY, HOUR, MINUTE } from '../../lib/time.ts';

/* Facts of accounts that the console's form shows, too. No schema is imported here: the console would load it. */

/** The pace of an account whose gateway has no maker. It suits a phone as the sending device. */
export const DEFAULT_RATE = { perMinute: 30, burst: 5 } as const;

export const burstOf = (perMinute: number): number => Math.min(DEFAULT_RATE.burst, perMinute);

export const DEFAULT_PER_RECIPIENT = { perHour: 30 } as const;

/** The channels for urgent messages whose address is a secret. */
export const ESCAPE_KINDS = ['ntfy', 'slack', 'telegram', 'webhook'] as const;

export const ESCAPE_AFTER_MS = 3 * MINUTE;

export const CANARY_EVERY_MS = DAY;
export const CANARY_WITHIN_MS = 2 * HOUR;

import * as z from 'zod/mini';
import { DAY, HOUR, MINUTE } from '../lib/duration.ts';
import { duration, notText, oneOf, strictDocument } from '../schema/parts.ts';
import type { Hours } from './alerting.ts';
import { CANARY_EVERY_MS, CANARY_WITHIN_MS } from './account-defaults.ts';
import { timeOfDay, timezone } from './alerting-schema.ts';
import { hoursOf } from './hours.ts';

/** A link that an account regularly sends to its owner's phone. */
export const canarySchema = strictDocument({
  to: z.string({ error: notText }),
  every: z.optional(duration(DAY, 30 * DAY)),
  answer_within: z.optional(duration(MINUTE, DAY - HOUR)),
  at: z.optional(timeOfDay),
  timezone: z.optional(timezone),
  language: z.optional(oneOf(['en', 'de'])),
});

/** The canary of an account. */
export interface CanaryPolicy {
  readonly to: string;
  readonly everyMs: number;
  /** The time in which the link has to be pressed. */
  readonly withinMs: number;
  /** The link is sent when these hours begin. */
  readonly hours: Hours;
  /** The text before the link, and the text of its button. */
  readonly label: string;
  readonly language: string;
}

const LABELS = {
  en: 'Press to show that messages arrive',
  de: 'Bestätige, dass Nachrichten ankommen',
} as const;

export const canaryPolicy = ({
  to,
  every = CANARY_EVERY_MS,
  answer_within: within = CANARY_WITHIN_MS,
  at = '10:00',
  timezone: zone,
  language = 'en',
}: z.output<typeof canarySchema>): CanaryPolicy => ({
  to,
  everyMs: every,
  withinMs: within,
  hours: minuteOf(hoursOf({ from: at, to: '24:00' }, zone)),
  label: LABELS[language],
  language,
});

/** Shortens the hours to one minute: hours that touch would count as one, and would begin only once. */
const minuteOf = (hours: Hours): Hours => ({ ...hours, to: hours.from + 1 });

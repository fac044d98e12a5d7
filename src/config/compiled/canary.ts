import type { Hours } from './alerting.ts';
import { CANARY_EVERY_MS, CANARY_WITHIN_MS } from '../documents/account-defaults.ts';
import type { AccountDocument } from '../documents/account-schema.ts';
import { hoursOf } from './hours.ts';

export interface CanaryPolicy {
  readonly to: string;
  readonly everyMs: number;
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
}: NonNullable<AccountDocument['canary']>): CanaryPolicy => ({
  to,
  everyMs: every,
  withinMs: within,
  hours: minuteOf(hoursOf({ from: at, to: '24:00' }, zone)),
  label: LABELS[language],
  language,
});

/** Shortens the hours to one minute: hours that touch would count as one, and would begin only once. */
const minuteOf = (hours: Hours): Hours => ({ ...hours, to: hours.from + 1 });

import { fieldError } from '../../lib/problem.ts';
import * as z from 'zod/mini';
import { DAY } from '../../lib/time.ts';
import { isZone } from '../../template/basics/locale.ts';
import {
  duration,
  listOf,
  mustBe,
  notText,
  oneOf,
  someText,
  strictDocument,
  textLike,
  textThat,
  wholeNumber,
  withoutConflicts,
} from '../../schema/parts.ts';

/** The longest condition, path, or template that is not a message, in UTF-16 units. */
const MAX_EXPRESSION = 2_048;
export const expression = someText(MAX_EXPRESSION);

/** The maximum length of an incident's key, and of a value that items are grouped by (UTF-16 units). */
export const MAX_KEY_LENGTH = 256;

/** An account has no more open incidents. */
const MAX_KEYS = 10_000;

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

export const timezone = textThat(isZone, 'must be an IANA time zone such as Europe/Berlin');

const timeUntil = (pattern: RegExp, last: string) => {
  const error = mustBe(`a time from "00:00" to "${last}", in quotes, such as "07:30"`);
  return textLike(pattern, error, error);
};

export const timeOfDay = timeUntil(/^([01]\d|2[0-3]):[0-5]\d$/, '23:59');

export const hours = {
  days: z.optional(
    listOf(oneOf(['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']), 'days', { min: 1, max: 7 }),
  ),
  from: timeOfDay,
  to: timeUntil(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, '24:00'),
  timezone: z.optional(timezone),
};

/** Hours that are neither empty nor the whole week. */
export const isPart = z.refine<{ days?: readonly string[] | undefined; from: string; to: string }>(
  ({ days, from, to }) => from !== to && (from + to !== '00:0024:00' || new Set(days).size % 7 > 0),
  {
    path: ['to'],
    error: 'must differ from `from` (a whole day is "00:00" to "24:00") and the hours must not fill the week',
  },
);

export const hoursSchema = strictDocument(hours).check(isPart);

export const quietSchema = strictDocument({
  ...hours,
  do: z.optional(oneOf(['hold', 'digest'])),
  resolved: z.optional(oneOf(['hold', 'send'])),
}).check(isPart);

const throttle = strictDocument({ max: wholeNumber(1, 100), per: duration(1_000, 7 * DAY) });

export const throttleSchema = z.union([throttle, listOf(throttle, 'throttles', { min: 1, max: 4 })], {
  error: 'must be `{ max, per }`, or a list of these',
});

export const incidentSchema = strictDocument({
  key: expression,
  resolved: z.optional(expression),
  at: z.optional(expression),
  acknowledged: z.optional(expression),
  unacknowledged: z.optional(expression),
  by: z.optional(expression),
  repeat: z.optional(duration(1_000, 90 * DAY)),
  expires: z.optional(duration(1_000, 90 * DAY)),
  inhibited_by: z.optional(expression),
  flapping: z.optional(strictDocument({ changes: wholeNumber(2, 100), per: duration(1_000, 7 * DAY) })),
});

export const groupSchema = strictDocument({
  by: z.optional(listOf(expression, 'texts', { min: 1, max: 10 })),
  wait: z.optional(duration(1_000, DAY)),
  interval: z.optional(duration(1_000, 7 * DAY)),
  max: z.optional(wholeNumber(1, 100)),
});

export const receiversSchema = z.union([expression, listOf(expression, 'receivers', { min: 1, max: 500 })], {
  error: ({ input }) =>
    typeof input === 'number'
      ? 'must be text: put the number in quotes, such as "+49 151 12345678"'
      : 'must be a number in quotes, the name of a recipients list, a template, or a list of these',
});

export const escalateSchema = listOf(
  strictDocument({ after: duration(1_000, 30 * DAY), to: receiversSchema }),
  'steps',
  { min: 1, max: 5 },
);

const instant = textThat(
  (text) => INSTANT.test(text) && !Number.isNaN(Date.parse(text)),
  'must be a time with its offset from UTC, such as 2026-01-31T22:00:00+01:00',
);

const reason = someText(1_024);

/** What a silence is of. Its texts are compared with an incident's as they are. */
export const silenceOf = strictDocument({
  source: someText(64),
  type: z.optional(expression),
  route: z.optional(someText(64)),
  group: z.optional(listOf(z.string({ error: notText }), 'texts', { min: 1, max: 10 })),
  keys: z.optional(listOf(someText(MAX_KEY_LENGTH), 'keys', { min: 1, max: MAX_KEYS })),
}).check(
  withoutConflicts(({ route, group, keys }) =>
    route === undefined && (group ?? keys) !== undefined
      ? [fieldError('route', 'required', 'is required: `group` and `keys` are those of one route')]
      : [],
  ),
);

/** What a silence is of, and a condition; with both, both must hold. */
export const silenced = { of: z.optional(silenceOf), when: z.optional(expression) };

export const isOfSomething = withoutConflicts<{ of?: unknown; when?: string | undefined }>(({ of, when }) =>
  of === undefined && when === undefined
    ? [fieldError('when', 'required', 'is required: a condition, or `of` in its place')]
    : [],
);

export const silenceSchema = strictDocument({
  ...silenced,
  from: z.optional(instant),
  until: z.optional(instant),
  every: z.optional(hoursSchema),
  reason: z.optional(reason),
}).check(isOfSomething);

/** A silence that a person adds. It needs an end and a reason. */
export const byHandSchema = strictDocument({
  ...silenced,
  from: z.optional(instant),
  until: instant,
  reason,
}).check(isOfSomething);

export type ByHandDocument = z.output<typeof byHandSchema>;

export type SilenceOf = z.output<typeof silenceOf>;
export type SilenceDocument = z.output<typeof silenceSchema>;
export type HoursDocument = z.output<typeof hoursSchema>;

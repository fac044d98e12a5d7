import { fieldError, type FieldError } from '../../lib/problem.ts';
import { err, ok } from '../../lib/result.ts';
import { readDocumentNumber } from '../../phone/dialled.ts';
import { PERSON_NAME } from './name.ts';
import { noSuch } from './unknown-name.ts';
import * as z from 'zod/mini';
import { DAY, parseIso } from '../../lib/time.ts';
import { isZone } from '../../template/basics/locale.ts';
import {
  duration,
  listOf,
  mustBe,
  notText,
  oneOf,
  readAs,
  recordOf,
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

const hours = {
  days: z.optional(
    listOf(oneOf(['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']), 'days', { min: 1, max: 7 }),
  ),
  from: timeOfDay,
  to: timeUntil(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, '24:00'),
  timezone: z.optional(timezone),
};

/** Hours that are neither empty nor the whole week. */
const isPart = z.refine<{ days?: readonly string[] | undefined; from: string; to: string }>(
  ({ days, from, to }) => from !== to && (from + to !== '00:0024:00' || new Set(days).size % 7 > 0),
  {
    path: ['to'],
    error: 'must differ from `from` (a whole day is "00:00" to "24:00") and the hours must not fill the week',
  },
);

const hoursSchema = strictDocument(hours).check(isPart);

export const quietSchema = strictDocument({
  ...hours,
  do: z.optional(oneOf(['hold', 'digest'])),
  resolved: z.optional(oneOf(['hold', 'send'])),
}).check(isPart);

const throttle = strictDocument({ max: wholeNumber(1, 100), per: duration(1_000, 7 * DAY) });

export const throttleSchema = z.union([throttle, listOf(throttle, 'throttles', { min: 1, max: 4 })], {
  error: 'must be `{ max, per }`, or a list of these',
});

export const incidentSchema = strictDocument(() => ({
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
}));

export const groupSchema = strictDocument(() => ({
  by: z.optional(listOf(expression, 'texts', { min: 1, max: 10 })),
  wait: z.optional(duration(1_000, DAY)),
  interval: z.optional(duration(1_000, 7 * DAY)),
  max: z.optional(wholeNumber(1, 100)),
}));

const UNQUOTED = 'must be text: put the number in quotes, such as "+49 151 12345678"';

export const receiversSchema = z.union([expression, listOf(expression, 'receivers', { min: 1, max: 500 })], {
  error: ({ input }) =>
    typeof input === 'number'
      ? UNQUOTED
      : 'must be a number in quotes, the name of a recipients list, a template, or a list of these',
});

export const escalateSchema = listOf(
  strictDocument({ after: duration(1_000, 30 * DAY), to: receiversSchema }),
  'steps',
  { min: 1, max: 5 },
);

const instant = textThat(
  (text) => INSTANT.test(text) && !Number.isNaN(parseIso(text)),
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

const localError = mustBe(
  'a date and time in the time zone of the rotation, such as "2026-01-31T09:00", in quotes',
);

/** A date and time without an offset that exists in the calendar: 30 February does not. */
const localTime = textThat(isInCalendar, localError, localError);

function isInCalendar(text: string): boolean {
  const at = Date.parse(`${text}Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 16) === text;
}

export const MAX_DAYS = 366;

const TURN = `a number of days or weeks, such as \`1w\` or \`2d\`, at most ${MAX_DAYS}d`;

export const TURN_FORM = /^[1-9]\d{0,2}[dw]$/;

const turn = readAs(z.string({ error: mustBe(TURN) }), (text) => {
  const days = parseInt(text, 10) * (text.endsWith('w') ? 7 : 1);
  return TURN_FORM.test(text) && days <= MAX_DAYS ? ok(days) : err(`must be ${TURN}`);
});

const personName = someText(64);
const order = listOf(personName, 'people', { min: 1, max: 100 });

const { timezone: _, ...hoursOfDay } = hours;

export const overrideSchema = strictDocument({ person: personName, from: localTime, to: localTime });

const MAX_OVERRIDES = 200;

export const rotationSchema = strictDocument(() => ({
  order,
  every: turn,
  from: localTime,
  timezone,
  shifts: z.optional(listOf(strictDocument({ order, ...hoursOfDay }).check(isPart), 'shifts', { max: 4 })),
  overrides: z.optional(listOf(overrideSchema, 'overrides', { max: MAX_OVERRIDES })),
}));

export type RotationDocument = z.output<typeof rotationSchema>;
export type OverrideDocument = z.output<typeof overrideSchema>;

function rotationErrors({ order, shifts = [], overrides = [] }: RotationDocument, known: readonly string[]) {
  const people = [
    ...order.map((who, at) => [`order[${at}]`, who] as const),
    ...shifts.flatMap((one, shiftAt) =>
      one.order.map((who, at) => [`shifts[${shiftAt}].order[${at}]`, who] as const),
    ),
    ...overrides.map((one, at) => [`overrides[${at}].person`, one.person] as const),
  ].filter(([, who]) => !known.includes(who));
  const unknown = people.map(([path, who]) =>
    fieldError(`rotation.${path}`, ...noSuch('person', who, known)),
  );
  return [...unknown, ...overrideErrors(overrides)];
}

function overrideErrors(overrides: readonly OverrideDocument[]): readonly FieldError[] {
  const errors: FieldError[] = [];
  const inOrder = [...overrides.entries()].toSorted(([, a], [, b]) => (a.from < b.from ? -1 : 1));
  let last: (typeof inOrder)[number] | null = null;
  for (const one of inOrder) {
    const [at, { from, to }] = one;
    const path = `rotation.overrides[${at}]`;
    if (to <= from) errors.push(fieldError(`${path}.to`, 'out-of-range', 'must be after `from`'));
    else if (last !== null && from < last[1].to) {
      const other = `override ${last[0] + 1} (${last[1].person}, until ${last[1].to})`;
      const overlaps = `overlaps with ${other}: end one before the other begins`;
      errors.push(fieldError(`${path}.from`, 'conflict', overlaps));
    }
    if (last === null || to > last[1].to) last = one;
  }
  return errors;
}

/** A number as a person writes it, with its country code. Its value is the gateway's digits. */
const phone = readAs(z.string({ error: UNQUOTED }), readDocumentNumber);

const person = z.union(
  [
    phone,
    strictDocument({
      phone: z.optional(phone),
      address: z.optional(recordOf(someText(128), 'must be an object of addresses by gateway')),
    }),
  ],
  {
    error: ({ input }) => {
      const number = typeof input === 'string' ? readDocumentNumber(input) : null;
      return number?.ok === false ? number.error : 'must be a number in quotes, or `{ phone, address }`';
    },
  },
);

const MAX_RECEIVERS = 10_000;

export const recipientsSchema = strictDocument({
  numbers: z.optional(listOf(phone, 'numbers', { max: MAX_RECEIVERS })),
  people: z.optional(
    recordOf(person, 'must be an object of people by name').check(
      withoutConflicts((people) =>
        Object.keys(people)
          .filter((who) => !PERSON_NAME.test(who))
          .map((who) => fieldError(who, 'malformed', WRONG_NAME)),
      ),
    ),
  ),
  rotation: z.optional(rotationSchema),
  quiet: z.optional(quietSchema),
  throttle: z.optional(throttleSchema),
}).check(
  withoutConflicts(({ numbers, people, rotation }) => {
    if (numbers === undefined && people === undefined)
      return [fieldError('numbers', 'required', 'is required: a list of numbers, or `people` by name')];
    if (rotation === undefined) return [];
    return numbers === undefined
      ? rotationErrors(rotation, Object.keys(people ?? {}))
      : [fieldError('numbers', 'conflict', NO_TURN)];
  }),
);

const WRONG_NAME = 'is not a valid name: at most 64 characters, without `/`, `{` or line breaks';
const NO_TURN =
  'have no turn in a `rotation`: give them names under `people`, or put them into another list and add it to the routes';

export type RecipientsDocument = z.output<typeof recipientsSchema>;
export type PersonDocument = z.output<typeof person>;

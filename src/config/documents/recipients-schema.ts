import { fieldError, type Fault, type FieldError } from '../../lib/problem.ts';
import * as z from 'zod/mini';
import {
  listOf,
  recordOf,
  someText,
  strictDocument,
  textThat,
  withoutConflicts,
  mustBe,
} from '../../schema/parts.ts';
import { readDocumentNumber } from '../../phone/dialled.ts';
import { quietSchema, throttleSchema, hours, isPart, timezone } from './alerting-schema.ts';
import { PERSON_NAME } from './name.ts';
import { noSuch } from './unknown-name.ts';

const localError = mustBe(
  'a date and time in the time zone of the rotation, such as "2026-01-31T09:00", in quotes',
);

/** A date and time without an offset that exists in the calendar: 30 February does not. */
export const localTime = textThat(isInCalendar, localError, localError);

function isInCalendar(text: string): boolean {
  const at = Date.parse(`${text}Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 16) === text;
}

export const MAX_DAYS = 366;

const TURN = `a number of days or weeks, such as \`1w\` or \`2d\`, at most ${MAX_DAYS}d`;

export const TURN_FORM = /^[1-9]\d{0,2}[dw]$/;

const turn = z.pipe(
  z.string({ error: mustBe(TURN) }),
  z.transform((text: string, { issues }: z.core.ParsePayload): number => {
    const days = parseInt(text, 10) * (text.endsWith('w') ? 7 : 1);
    if (TURN_FORM.test(text) && days <= MAX_DAYS) return days;
    issues.push({ code: 'custom', message: `must be ${TURN}`, input: text });
    return z.NEVER;
  }),
);

const personName = someText(64);
const order = listOf(personName, 'people', { min: 1, max: 100 });

const { timezone: _, ...hoursOfDay } = hours;

const shift = strictDocument({ order, ...hoursOfDay }).check(isPart);

export const overrideSchema = strictDocument({ person: personName, from: localTime, to: localTime });

const MAX_OVERRIDES = 200;

export const rotationSchema = strictDocument({
  order,
  every: turn,
  from: localTime,
  timezone,
  shifts: z.optional(listOf(shift, 'shifts', { max: 4 })),
  overrides: z.optional(listOf(overrideSchema, 'overrides', { max: MAX_OVERRIDES })),
});

export type RotationDocument = z.output<typeof rotationSchema>;
export type OverrideDocument = z.output<typeof overrideSchema>;

export function rotationErrors(
  { order: base, shifts = [], overrides = [] }: RotationDocument,
  unknown: (person: string) => Fault | null,
): readonly FieldError[] {
  const ofPerson = (path: string, person: string): readonly FieldError[] => {
    const fault = unknown(person);
    return fault === null ? [] : [fieldError(`rotation.${path}`, ...fault)];
  };
  return [
    ...base.flatMap((person, at) => ofPerson(`order[${at}]`, person)),
    ...shifts.flatMap(({ order: people }, shiftAt) =>
      people.flatMap((person, at) => ofPerson(`shifts[${shiftAt}].order[${at}]`, person)),
    ),
    ...overrides.flatMap(({ person }, at) => ofPerson(`overrides[${at}].person`, person)),
    ...overrideErrors(overrides),
  ];
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
const phone = z.pipe(
  z.string({ error: 'must be text: put the number in quotes, such as "+49 151 12345678"' }),
  z.transform((written: string, { issues }: z.core.ParsePayload): string => {
    const read = readDocumentNumber(written);
    if (read.ok) return read.value;
    issues.push({ code: 'custom', message: read.error, input: written });
    return z.NEVER;
  }),
);

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
    const names = Object.keys(people ?? {});
    const unknown = (who: string): Fault | null =>
      names.includes(who) ? null : noSuch('person', who, names);
    return numbers === undefined
      ? rotationErrors(rotation, unknown)
      : [fieldError('numbers', 'conflict', NO_TURN)];
  }),
);

const WRONG_NAME = 'is not a valid name: at most 64 characters, without `/`, `{` or line breaks';
const NO_TURN =
  'have no turn in a `rotation`: give them names under `people`, or put them into another list and add it to the routes';

export type RecipientsDocument = z.output<typeof recipientsSchema>;
export type PersonDocument = z.output<typeof person>;

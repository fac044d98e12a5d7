import { fieldError, type Fault } from '../../lib/problem.ts';
import * as z from 'zod/mini';
import { listOf, recordOf, someText, strictDocument, withoutConflicts } from '../../schema/parts.ts';
import { readDocumentNumber } from '../../template/filters/dialled.ts';
import { quietSchema, throttleSchema } from './alerting-schema.ts';
import { PERSON_NAME } from './name.ts';
import { rotationErrors, rotationSchema } from './rotation-schema.ts';
import { noSuch } from './unknown-name.ts';

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
        Object.keys(people).flatMap((who) =>
          PERSON_NAME.test(who)
            ? []
            : [
                fieldError(
                  who,
                  'malformed',
                  'is not a valid name: at most 64 characters, without `/`, `{` or line breaks',
                ),
              ],
        ),
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

const NO_TURN =
  'have no turn in a `rotation`: give them names under `people`, or put them into another list and add it to the routes';

export type RecipientsDocument = z.output<typeof recipientsSchema>;
export type PersonDocument = z.output<typeof person>;

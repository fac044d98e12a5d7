import * as z from 'zod';
import type * as core from 'zod/v4/core';
import { FIELD_ERRORS, REJECTIONS } from '../lib/api-codes.ts';

/** Returns metadata that shows a schema as this, instead of zod's own form; a description is kept. */
export const asJson = (shown: core.JSONSchema.JSONSchema) => ({
  override: ({ jsonSchema }: { readonly jsonSchema: core.JSONSchema.JSONSchema }): void => {
    const { description } = jsonSchema;
    for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
    Object.assign(jsonSchema, shown, description === undefined ? {} : { description });
  },
});

/** The value of an answer, by its schema: read-only, and a key without a value is absent. */
export type AnswerOf<Schema extends core.$ZodType> = Answered<z.output<Schema>>;

export type Answered<Value> = unknown extends Value
  ? unknown
  : Value extends readonly (infer Item)[]
    ? readonly Answered<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value]: Answered<Exclude<Value[Key], undefined>> }
      : Value;

/** A time as every answer writes it: ISO 8601 in UTC, with milliseconds. */
export const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .meta(asJson({ type: 'string', format: 'date-time' }));

export const eventId = z.string().regex(/^evt_[0-9a-z]{26}$/);
export const incidentId = z.string().regex(/^inc_[0-9a-z]{16}$/);
export const messageId = z.string().regex(/^msg_[0-9a-z]{16}$/);

export const rejectionNumber = z.int().min(1).max(1_000_000_000).describe('Its number.');

/** Zod would add the largest integer that a float holds exactly, which does not help readers. */
const whole = asJson({ type: 'integer', minimum: 0 });
export const count = z.int().min(0).meta(whole);
export const configVersion = z.int().min(0).meta(whole);

export const texts = z
  .record(z.string(), z.string())
  .meta(asJson({ type: 'object', additionalProperties: { type: 'string' } }));

/** The components of documents as they were written. */
export const WRITTEN = new WeakMap<core.$ZodType, string>();

/** Returns the schema of a document as it was written: the input of its own schema. */
export function written(schema: core.$ZodType, component: string) {
  const same = z
    .unknown()
    .refine((value) => z.safeParse(schema, value).success, { error: `must be a ${component}` })
    .meta(asJson(refTo(component)));
  WRITTEN.set(same, component);
  return same;
}

export const writtenByName = (schema: core.$ZodType, component: string) =>
  z
    .record(z.string(), written(schema, component))
    .meta(asJson({ type: 'object', additionalProperties: refTo(component) }));

export const refTo = (component: string) => ({ $ref: `#/components/schemas/${component}` });

export const text = (description: string) => z.string().describe(description);
export const textOrNull = (description: string) => z.string().nullable().describe(description);
export const optional = <Schema extends z.ZodType>(schema: Schema, description: string) =>
  schema.optional().describe(description);
export const flag = (description: string) => z.boolean().describe(description);
export const oneOf = <const Word extends string>(words: readonly Word[], description: string) =>
  z.enum(words).describe(description);

/** An object that the API's description shows under a name of its own. */
export const component = <Shape extends z.ZodRawShape>(id: string, description: string, shape: Shape) =>
  z.object(shape).meta({ id, description });

export const pageOf = <Item extends core.$ZodType>(item: Item, id: string, description: string) =>
  z
    .object({
      items: z.array(item),
      next_cursor: textOrNull('The `cursor` of the next page; null at the end.'),
    })
    .meta({ id, description });

export const keyOf = <Key extends string>(table: Readonly<Record<Key, unknown>>) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- these are its keys
  z.enum(Object.keys(table) as Key[]);

export const rejectionCode = keyOf(REJECTIONS).meta({
  id: 'RejectionCode',
  description: 'The reason as a constant, such as `stale` or `mismatch`: docs/errors.md lists them.',
});

export const fieldCode = keyOf(FIELD_ERRORS).meta({
  id: 'FieldCode',
  description: 'What is wrong, as a constant: docs/errors.md lists them.',
});

const params = optional(
  z.record(z.string(), z.string()),
  'The values of the error as texts: names, limits, and what would be allowed.',
);

const fieldError = component('FieldError', 'One error or warning.', {
  path: text(
    'The place, as a person would write it, such as `sources.shop.routes[0].to`; empty: the whole request.',
  ),
  code: fieldCode,
  params,
  message: text('The error, with a suggested fix if one is known.'),
});

export const fieldErrors = z.array(fieldError);

export const problem = component('Problem', 'The body of every error: RFC 9457 problem details.', {
  type: z
    .string()
    .regex(/^urn:hookbell:problem:[a-z-]+$/)
    .describe('The error as a constant name.'),
  code: text('The same without its prefix: docs/errors.md lists them.'),
  params,
  title: text('The name of the error in words.'),
  status: z.int().min(400).max(599).describe('The status of the response.'),
  detail: text('An explanation of this error for a person.'),
  errors: optional(fieldErrors, 'Up to 50 errors with their paths.'),
});

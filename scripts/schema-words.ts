import * as core from 'zod/v4/core';
import { CONSTRAINTS } from '../openapi/constraints.ts';
import { innerSchemas, valuesOf } from '../openapi/groups.ts';

const count = (value: number): string => value.toLocaleString('en');

/** A key's place in the descriptions of the documents: a group, and its name there. */
export interface KeyPlace {
  readonly group: string;
  readonly key: string;
}

/** The type of a key as a short text, with the limits that its description does not say. */
export function typeOf(schemas: readonly core.$ZodType[], place: KeyPlace, meaning: string): string {
  const type = [...new Set(schemas.map((schema) => kindOf(schema, place)))].join(' ');
  const longest = CONSTRAINTS[place.group]?.[place.key]?.text?.maxLength;
  if (longest === undefined || meaning.includes(count(longest))) return type;
  return `${type}, ≤ ${count(longest)} characters`;
}

function kindOf(schema: core.$ZodType, place: KeyPlace): string {
  if (schema instanceof core.$ZodEnum) return wordsOf(Object.values(schema._zod.def.entries));
  if (schema instanceof core.$ZodLiteral) return wordsOf(schema._zod.def.values);
  if (schema instanceof core.$ZodBoolean) return '`true` or `false`';
  if (schema instanceof core.$ZodNumber) return numberOf(schema);
  if (schema instanceof core.$ZodString)
    return CONSTRAINTS[place.group]?.[place.key]?.duration === undefined ? 'text' : 'duration';
  if (schema instanceof core.$ZodArray) return `list of ${plural(kindOf(schema._zod.def.element, place))}`;
  const values = valuesOf(schema);
  if (values !== undefined) return `object of ${plural(kindOf(values, place))}`;
  if (schema instanceof core.$ZodObject || schema instanceof core.$ZodDiscriminatedUnion) return 'object';
  const inner = innerSchemas(schema).map((one) => kindOf(one.inner, place));
  return [...new Set(inner)].join(' or ');
}

/** The plural of a type: `texts or numbers`, `whole numbers, 1 to 9`. Words in code have none. */
const plural = (type: string): string =>
  type
    .split(' or ')
    .map((one) => (one.startsWith('`') ? one : one.replace(/^[^,]+/, '$&s')))
    .join(' or ');

const wordsOf = (values: readonly unknown[]): string =>
  values.map((value) => (value === ' ' ? 'a space' : `\`${String(value)}\``)).join(' ');

function numberOf(schema: core.$ZodNumber): string {
  const { minimum, maximum } = core.toJSONSchema(schema);
  const bounded = minimum !== undefined && maximum !== undefined;
  return bounded ? `whole number, ${count(minimum)} to ${count(maximum)}` : 'number';
}

/** The default of the key, as it would be written; undefined when the schema has none. */
export function schemaDefault(schema: core.$ZodType): string | undefined {
  if (schema instanceof core.$ZodDefault) {
    const value: unknown = schema._zod.def.defaultValue;
    return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
  }
  return schema instanceof core.$ZodPipe ? schemaDefault(schema._zod.def.in) : undefined;
}

/** True if the key is required. */
export const isRequired = (schema: core.$ZodType): boolean => schema._zod.optin === undefined;

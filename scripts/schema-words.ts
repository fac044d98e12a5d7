import * as core from 'zod/v4/core';
import { boundsOf, durationRange } from '../api-docs/bounds.ts';
import { innerSchemas, partsOf, valuesOf } from '../api-docs/groups.ts';

const count = (value: number): string => value.toLocaleString('en');

/** The type of a key with its bounds, as a short text. */
export function typeOf(schemas: readonly core.$ZodType[]): string {
  const type = [...new Set(schemas.map(kindOf))].join(' ');
  const [longest, ...others] = new Set(schemas.flatMap(longestIn));
  return longest === undefined || others.length > 0 ? type : `${type}, ≤ ${count(longest)} characters`;
}

function kindOf(schema: core.$ZodType): string {
  if (schema instanceof core.$ZodEnum) return wordsOf(Object.values(schema._zod.def.entries));
  if (schema instanceof core.$ZodLiteral) return wordsOf(schema._zod.def.values);
  if (schema instanceof core.$ZodBoolean) return '`true` or `false`';
  if (schema instanceof core.$ZodNumber) return numberOf(schema);
  const { minMs = 0, maxMs, minItems = 0, maxItems } = boundsOf(schema);
  if (schema instanceof core.$ZodString)
    return maxMs === undefined ? 'text' : `duration, ${durationRange(minMs, maxMs)}`;
  if (schema instanceof core.$ZodArray) {
    const elements = plural(kindOf(schema._zod.def.element));
    if (maxItems === undefined) return `list of ${elements}`;
    return `list of ${range(minItems, maxItems)}${elements.startsWith('`') ? ' of' : ''} ${elements}`;
  }
  const values = valuesOf(schema);
  if (values !== undefined) return `object of ${plural(kindOf(values))}`;
  if (schema instanceof core.$ZodObject || schema instanceof core.$ZodDiscriminatedUnion) return 'object';
  return [...new Set(innerSchemas(schema).map(({ inner }) => kindOf(inner)))].join(' or ');
}

function range(min: number, max: number): string {
  if (min === max) return count(max);
  return min === 0 ? `up to ${count(max)}` : `${count(min)} to ${count(max)}`;
}

/** The greatest lengths of the texts in a schema, but not inside of objects with known keys. */
function longestIn(schema: core.$ZodType): readonly number[] {
  const { maxLength } = boundsOf(schema);
  return maxLength === undefined ? partsOf(schema).flatMap(longestIn) : [maxLength];
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

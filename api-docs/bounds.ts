import * as z from 'zod';
import * as core from 'zod/v4/core';
import { formatDuration } from '../src/lib/time.ts';
import { innerSchemas } from './groups.ts';

/** The bounds that a check has in code, in its `params`: see `src/schema/parts.ts`. The words are those of JSON Schema. */
const shape = z.strictObject({
  minLength: z.int().optional(),
  maxLength: z.int().optional(),
  minItems: z.int().optional(),
  maxItems: z.int().optional(),
  minMs: z.int().optional(),
  maxMs: z.int().optional(),
});

export type Bounds = Readonly<z.output<typeof shape>>;

/** The bounds of a text, a list or a duration, as its own checks name them. */
export function boundsOf(schema: core.$ZodType): Bounds {
  const { checks = [] } = schema._zod.def;
  return shape.parse(Object.assign({}, ...checks.map(({ _zod }) => paramsOf(_zod.def))));
}

const paramsOf = (def: object): unknown => ('params' in def ? def.params : undefined) ?? {};

/** A number and a unit, as `src/lib/time.ts` reads them. */
export const DURATION_PATTERN = '^\\d{1,15}(\\.\\d{1,6})?(ms|s|m|h|d)$';

/** Adds the bounds that a schema checks in code to its JSON Schema, which it changes in place. */
export function showBounds(jsonSchema: core.JSONSchema.JSONSchema, schema: core.$ZodType): void {
  const { minMs: _, maxMs, minItems = 0, ...bounds } = boundsOf(schema);
  Object.assign(jsonSchema, bounds, minItems > 0 && { minItems });
  if (maxMs !== undefined) jsonSchema.pattern = DURATION_PATTERN;
}

/** `1s to 30d`, or `up to 30d`. */
const durationRange = (minMs: number, maxMs: number): string =>
  minMs === 0 ? `up to ${formatDuration(maxMs)}` : `${formatDuration(minMs)} to ${formatDuration(maxMs)}`;

/**
 * The bounds of the durations in a schema as a sentence for its description, since JSON Schema has no keyword for them.
 * Empty if it has none.
 */
export function durationBounds(schema: core.$ZodType): string {
  const range = rangeIn(schema);
  return range === undefined ? '' : ` ${range.charAt(0).toUpperCase()}${range.slice(1)}.`;
}

function rangeIn(schema: core.$ZodType): string | undefined {
  const { minMs = 0, maxMs } = boundsOf(schema);
  if (maxMs !== undefined) return `${minMs === 0 ? '' : 'from '}${durationRange(minMs, maxMs)}`;
  const [range] = innerSchemas(schema).flatMap(({ inner }) => rangeIn(inner) ?? []);
  return range !== undefined && schema instanceof core.$ZodArray ? `each ${range}` : range;
}

import { createSchema, type oas32 } from 'zod-openapi';
import * as z from 'zod';
import * as core from 'zod/v4/core';
import { durationBounds, showBounds } from './bounds.ts';
import { GROUPS } from './components.ts';
import { MARK, type Mark } from './enrich.ts';
import { shapeOf } from './groups.ts';
import { ROUTES } from './routes.ts';
import { WRITTEN } from '../src/schema/api-parts.ts';
import { problem } from '../src/schema/api-problem.ts';

export const OPENAPI = '3.1.1';

/** The name of a schema in the description. Every body and answer has a name, so that a generated client has one for it. */
export function componentOf(schema: core.$ZodType): string {
  const id = WRITTEN.get(schema) ?? z.globalRegistry.get(schema)?.id;
  if (id === undefined) throw new Error('a body or an answer has a schema without an id');
  return id;
}

/** Every number with bounds that a relay reads is whole: `wholeNumber` checks it by a rule that JSON Schema cannot show. */
export function asWhole(schema: { type?: unknown; minimum?: unknown; maximum?: unknown }): void {
  if (schema.type === 'number' && schema.minimum !== undefined && schema.maximum !== undefined)
    schema.type = 'integer';
}

/**
 * All schemas that bodies and answers are made of, by their names. All are shown as inputs: an answer shows documents
 * as they were written.
 */
export function componentSchemas(): NonNullable<oas32.ComponentsObject['schemas']> {
  const schemas = ROUTES.flatMap(({ body, answers, frames }) => [
    ...(body === undefined ? [] : [body.schema]),
    ...(frames === undefined ? [] : [frames]),
    ...Object.values(answers).flatMap(({ schema }) => schema ?? []),
  ]);
  const named = [problem, ...schemas].map((schema) => [componentOf(schema), schema] as const);
  const { components } = createSchema(z.object(Object.fromEntries(named)), {
    io: 'input',
    openapiVersion: OPENAPI,
    opts: {
      allowEmptySchema: { custom: true, unknown: true },
      override: ({ jsonSchema, zodSchema }) => {
        const group = GROUPS.get(zodSchema);
        if (group !== undefined && zodSchema instanceof core.$ZodObject)
          jsonSchema[MARK] = { group, durations: durationsOf(zodSchema) } satisfies Mark;
        asWhole(jsonSchema);
        showBounds(jsonSchema, zodSchema);
      },
    },
  });
  return Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const durationsOf = (object: core.$ZodObject): Mark['durations'] =>
  Object.fromEntries(Object.entries(shapeOf(object)).map(([key, schema]) => [key, durationBounds(schema)]));

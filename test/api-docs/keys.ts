import type * as core from 'zod/v4/core';
import { DOCUMENTS, groupsOf, shapeOf } from '../../api-docs/groups.ts';
import { BODIES } from '../../api-docs/routes.ts';

/** A key of an object in a document or a request, with its schema. */
export interface Key {
  readonly group: string;
  readonly key: string;
  readonly schema: core.$ZodType;
}

/** The keys of all objects within these schemas. */
export const keysIn = (roots: Readonly<Record<string, core.$ZodType>>): readonly Key[] =>
  Object.entries(roots).flatMap(([root, schema]) =>
    [...groupsOf(schema, root)].flatMap(([object, group]) =>
      Object.entries(shapeOf(object)).map(([key, property]) => ({ group, key, schema: property })),
    ),
  );

/** The schemas of the bodies that are not documents. */
export const BODY_SCHEMAS = Object.fromEntries(BODIES.map(({ name, schema }) => [name, schema]));

/** The keys of all documents and requests. */
export const KEYS = keysIn({ ...DOCUMENTS, ...BODY_SCHEMAS });

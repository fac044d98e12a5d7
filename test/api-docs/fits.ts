import * as z from 'zod';
import type { oas32 } from 'zod-openapi';

type Json = z.core.JSONSchema.JSONSchema;

/**
 * Says what is wrong with a value by a schema of the description, as a reader of the document would check it.
 * `strict`: a key that the schema does not name is wrong as well, so that what is answered and not described is found.
 */
export function checker(document: oas32.OpenAPIObject, { strict }: { readonly strict: boolean }) {
  const named = Object.entries(document.components?.schemas ?? {});
  const $defs = Object.fromEntries(named.map(([name, schema]) => [name, localRefs(schema, strict)]));
  // A schema takes far longer to be made than a value to be checked by it.
  const made = new Map<string, z.ZodType>();
  return (schema: unknown, value: unknown): readonly string[] => {
    const key = JSON.stringify(schema);
    const parser = made.get(key) ?? z.fromJSONSchema({ ...localRefs(schema, strict), $defs });
    made.set(key, parser);
    const result = parser.safeParse(value);
    return (result.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${describe(issue)}`);
  };
}

/** The form of a union that nearly fits stands deeper inside. */
const describe = (issue: z.core.$ZodIssue): string =>
  'errors' in issue ? `${issue.message} ${JSON.stringify(issue.errors).slice(0, 1_000)}` : issue.message;

/** Zod looks for references in the schema itself. */
function localRefs(schema: unknown, strict: boolean): Json {
  const text = JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/');
  const copy: unknown = JSON.parse(text, (_, inner: unknown) => (strict ? closed(inner) : inner));
  return isObject(copy) ? copy : {};
}

/** An object whose keys are known, and only these. */
const closed = (value: unknown): unknown =>
  isObject(value) && isObject(value['properties']) && value['additionalProperties'] === undefined
    ? { ...value, additionalProperties: false }
    : value;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

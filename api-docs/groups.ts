// oxlint-disable no-underscore-dangle -- where zod keeps a schema's definition, in its full and its small form
import * as core from 'zod/v4/core';
import { accountSchema } from '../src/config/documents/account-schema.ts';
import { providerSchema } from '../src/config/documents/provider-file.ts';
import { recipientsSchema, silenceSchema } from '../src/config/documents/alerting-schema.ts';
import { sourceSchema, templateSchema } from '../src/config/documents/schema.ts';
import { KIND_NAMES } from '../src/gateway/kinds.ts';
import { verifySchema } from '../src/signature/scheme.ts';

export const DOCUMENTS = {
  source: sourceSchema,
  template: templateSchema,
  recipients: recipientsSchema,
  account: accountSchema,
  silence: silenceSchema,
  provider: providerSchema,
} as const;

/** Discriminators that name a group; a token is the same wherever it is, and so is RSA. */
const NAMING = new Set(['kind', 'scheme']);

/** The schemes that sign a text built from parts of the request. It may contain the time. */
export const SIGNING = verifySchema._zod.def.options
  .flatMap(objectsIn)
  .flatMap((object) => ('timestamp' in object._zod.def.shape ? (literalOf(object, 'scheme') ?? []) : []));

/** The objects of a scheme: it has several if its options depend on one of them. */
function objectsIn(schema: core.$ZodType): readonly core.$ZodObject[] {
  if (schema instanceof core.$ZodObject) return [schema];
  return innerSchemas(schema).flatMap(({ inner }) => objectsIn(inner));
}

/** Objects that are described once, wherever they are used. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['source.verify', 'verify'],
  ['source.routes', 'route'],
  ...['event', 'body', 'handshakes', 'answers'].flatMap((key): [string, string][] => [
    [`source.${key}`, key],
    [`provider.${key}`, key],
  ]),
  ...['handshakes.match.where', 'answers.accepted.when', 'provider.signed_body.changing'].map(
    (key): [string, string] => [key, 'condition'],
  ),
  ...['headers', 'body.text', 'body.json'].map((key): [string, string] => [
    `handshakes.respond.${key}`,
    'echo',
  ]),
  ['provider.verify', 'verify'],
  ['provider.source', 'source'],
  ['provider.routes', 'route'],
  ['provider.templates', 'template'],
  ['route.send', 'template'],
  ['route.digest', 'template'],
  ...KIND_NAMES.map((kind): [string, string] => [`template.${kind}.fallback`, 'fallback']),
  ['route.throttle', 'throttle'],
  ['recipients.throttle', 'throttle'],
  ['route.quiet', 'quiet'],
  ['recipients.quiet', 'quiet'],
  ['account.http', 'http'],
  ...KIND_NAMES.map((kind): [string, string] => [`http.kinds.${kind}`, 'http.call']),
  ['http.answer', 'answer'],
  ['answer.refused', 'answer.sent'],
  ['answer.rules', 'answer.rule'],
  ['verify.any.of', 'verify'],
  ...SIGNING.map((scheme): [string, string] => [`verify.${scheme}.timestamp`, 'verify.timestamp']),
]);

/** The group of each object in a schema: `source.dedupe` for the object under `dedupe` of a source. */
export function groupsOf(schema: core.$ZodType, root: string): ReadonlyMap<core.$ZodObject, string> {
  const found = new Map<core.$ZodObject, string>();
  walk(schema, root, found);
  return found;
}

function walk(schema: core.$ZodType, group: string, found: Map<core.$ZodObject, string>): void {
  const values = valuesOf(schema);
  if (values !== undefined) walk(values, group, found);
  else if (schema instanceof core.$ZodObject) {
    found.set(schema, group);
    for (const [key, property] of Object.entries(shapeOf(schema)))
      walk(property, ALIASES.get(`${group}.${key}`) ?? `${group}.${key}`, found);
  } else {
    for (const { inner, name } of innerSchemas(schema))
      walk(inner, name === undefined ? group : `${group}.${name}`, found);
  }
}

interface Inner {
  readonly inner: core.$ZodType;
  /** Its value of the discriminator. */
  readonly name?: string;
}

/** The parts of a schema that is not an object, on its input side. */
export function innerSchemas(schema: core.$ZodType): readonly Inner[] {
  if (schema instanceof core.$ZodDiscriminatedUnion) {
    const { discriminator, options } = schema._zod.def;
    return options.map((inner) => {
      const name = NAMING.has(discriminator) ? literalOf(inner, discriminator) : undefined;
      return name === undefined ? { inner } : { inner, name };
    });
  }
  if (schema instanceof core.$ZodUnion) return schema._zod.def.options.map((inner) => ({ inner }));
  if (schema instanceof core.$ZodArray) return [{ inner: schema._zod.def.element }];
  if (schema instanceof core.$ZodPipe) return [{ inner: schema._zod.def.in }];
  if (
    schema instanceof core.$ZodOptional ||
    schema instanceof core.$ZodNullable ||
    schema instanceof core.$ZodDefault
  )
    return [{ inner: schema._zod.def.innerType }];
  return [];
}

/** The schema of the values of an object of any keys; undefined for any other schema. */
function valuesOf(schema: core.$ZodType): core.$ZodType | undefined {
  if (!(schema instanceof core.$ZodObject) || Object.keys(shapeOf(schema)).length > 0) return undefined;
  return schema._zod.def.catchall;
}

/** The schemas of which a value consists: not those of known keys, which have bounds and a description of their own. */
export function partsOf(schema: core.$ZodType): readonly core.$ZodType[] {
  const values = valuesOf(schema);
  return values === undefined ? innerSchemas(schema).map(({ inner }) => inner) : [values];
}

export const isOptional = (schema: core.$ZodType): boolean => schema._zod.optin !== undefined;

export const shapeOf = (object: core.$ZodObject) => object._zod.def.shape;

/** The one text that a key of an object must have. */
export function literalOf(schema: core.$ZodType, key: string): string | undefined {
  const [value] = schema._zod.propValues?.[key] ?? [];
  return typeof value === 'string' ? value : undefined;
}

import * as z from 'zod';
import * as core from 'zod/v4/core';
import {
  moment,
  versionNumber,
  LIMIT,
  MAX_LIMIT,
  MIN_LIMIT,
  numberCursor,
  pageParams,
} from '../src/admin/request/input.ts';
import { accountSchema } from '../src/config/documents/account-schema.ts';
import { recipientsSchema } from '../src/config/documents/recipients-schema.ts';
import { fallbackSchema, templateSchema } from '../src/config/documents/schema.ts';
import { KIND_NAMES, KIND_WORDS } from '../src/gateway/kinds.ts';
import { verifySchema } from '../src/signature/scheme.ts';
import { rsaSchema } from '../src/signature/schemes/rsa.ts';
import { tokenSchema } from '../src/signature/schemes/token.ts';
import { DESCRIPTIONS } from './descriptions.ts';
import { DOCUMENTS, groupsOf, literalOf, shapeOf, innerSchemas } from './groups.ts';
import { BODIES, ROUTES } from './routes.ts';
import { LISTED } from '../src/admin/config/api-config.ts';
import { asJson, WRITTEN, problem } from '../src/schema/api-parts.ts';
import { createSchema, type oas32 } from 'zod-openapi';
import { MARK, type Mark } from './enrich.ts';
import { formatDuration } from '../src/lib/time.ts';

const pascal = (kind: string): string =>
  kind.replaceAll(/(?:^|-)(.)/g, (_, first: string) => first.toUpperCase());

function namesOfKinds(group: string, named: (kind: string) => string) {
  return Object.fromEntries(
    KIND_NAMES.map((kind) => [`${group}.${kind}`, [named(pascal(kind)), KIND_WORDS[kind].kind] as const]),
  );
}

/** The description's names for the objects of each scheme. Some schemes have several ({@link OPTIONS}). */
const namesOfSchemes = () =>
  Object.fromEntries(
    Object.entries(DESCRIPTIONS).flatMap(([group, words]) =>
      'scheme' in words && group !== 'verify.token' && group !== 'verify.rsa'
        ? [[group, [pascal(group.replace('.', '-')), words.scheme] as const]]
        : [],
    ),
  );

/** The description's names for the objects of a group, and their descriptions. */
const NAMES: Readonly<Record<string, readonly [string, string]>> = {
  source: ['Source', 'A third-party system that posts webhooks to `/hooks/{id}`.'],
  route: ['Route', 'A condition, a template and receivers.'],
  ...namesOfKinds('template', (kind) => `${kind}Template`),
  ...namesOfKinds('fallback', (kind) => `${kind}Fallback`),
  ...namesOfKinds('NewMessage', (kind) => `Send${kind}`),
  ...namesOfSchemes(),
  'verify.timestamp': ['SignatureTime', 'The time of signing.'],
  http: ['HttpGateway', 'A gateway that a document declares.'],
  'http.call': ['HttpRequest', 'The request for one kind of message.'],
  answer: ['HttpAnswer', 'The meaning of answers.'],
  'answer.rule': ['HttpAnswerRule', 'A meaning that overrides the status.'],
  'recipients.people': ['Person', 'The number and the addresses of a receiver.'],
  'recipients.rotation': ['Rotation', 'The turns of people.'],
  'recipients.rotation.shifts': ['Shift', 'Hours of the day that other people cover.'],
  'recipients.rotation.overrides': ['Override', 'Somebody takes over from the one whose turn it is.'],
  'route.incident': ['IncidentRule', 'The rules that make items one problem over time.'],
  'route.group': ['GroupRule', 'The rules that put items into one notification, and when it is due.'],
  throttle: ['Throttle', 'At most `max` messages in any `per`.'],
  silence: ['Silence', 'A period in which nobody is notified of matching items.'],
  provider: ['ProviderFile', 'A kind of sender: `providers/{id}.yaml`.'],
};

const UNIONS: readonly (readonly [core.$ZodType, string, string])[] = [
  [templateSchema, 'Template', 'A gateway send call with Liquid text in its parameters.'],
  [fallbackSchema, 'Fallback', 'A message that is sent in place of another. It has no fallback itself.'],
  [verifySchema, 'Verify', "The verification of a source's requests."],
  [rsaSchema, 'VerifyRsa', DESCRIPTIONS['verify.rsa'].scheme],
  [tokenSchema, 'VerifyToken', DESCRIPTIONS['verify.token'].scheme],
];

/** By the value that decides which one it is. */
const OPTIONS: Readonly<Record<string, string>> = {
  signed: 'VerifyRsaSignature',
  sns: 'VerifyRsaCertificate',
  header: 'VerifyTokenInHeader',
  query: 'VerifyTokenInQuery',
  path: 'VerifyTokenInPath',
  body: 'VerifyTokenInBody',
};

const ROOTS: readonly (readonly [string, core.$ZodType])[] = [
  ...Object.entries(DOCUMENTS),
  ...BODIES.map(({ name, schema }) => [name, schema] as const),
];

/** The group that an object's descriptions are under. */
export const GROUPS: ReadonlyMap<core.$ZodType, string> = new Map([
  ...ROOTS.flatMap(([root, schema]) => [...groupsOf(schema, root)]),
  ...LISTED.flatMap(({ schema, group }) => [...groupsOf(schema, group)]),
]);

/** The schemas of the Worker do not know the names that the description has for them. */
function nameSchemas(): void {
  const { globalRegistry } = z;
  const named = new Map<string, core.$ZodType>();
  for (const [root, schema] of ROOTS) {
    for (const [object, group] of groupsOf(schema, root)) {
      const [id, description] = NAMES[group] ?? [];
      if (id === undefined || description === undefined) continue;
      // A provider's `source` has some of the keys of a source, so it is another object.
      if ((named.get(id) ?? object) === object) globalRegistry.add(object, { id, description });
      if (!named.has(id)) named.set(id, object);
    }
  }
  for (const { schema, name: id, about: description } of BODIES)
    globalRegistry.add(schema, { id, description });
  for (const [schema, id, description] of UNIONS) globalRegistry.add(schema, { id, description });
  for (const option of [...rsaSchema.def.options, ...tokenSchema.def.options]) {
    const id = OPTIONS[literalOf(option, 'format') ?? literalOf(option, 'in') ?? ''];
    if (id !== undefined) globalRegistry.add(option, { id });
  }
  globalRegistry.add(recipientsSchema, { id: 'Recipients', description: 'A named list of receivers.' });
  globalRegistry.add(accountSchema, {
    id: 'Account',
    description:
      'One gateway login, with its pace and other settings. Keys that are left out have their defaults.',
  });
}

/** A query writes numbers as text, and JSON Schema cannot see what code checks. */
function shapeParameters(): void {
  const { globalRegistry } = z;
  const limit = { minimum: MIN_LIMIT, maximum: MAX_LIMIT, default: LIMIT };
  globalRegistry.add(pageParams.limit, asJson({ type: 'integer', ...limit }));
  globalRegistry.add(numberCursor, asJson({ type: 'string', pattern: '^\\d{1,15}$' }));
  globalRegistry.add(versionNumber, asJson({ type: 'integer', minimum: 1 }));
  globalRegistry.add(moment, asJson({ type: 'string', examples: ['2h', '2026-01-31T12:00:00Z'] }));
}

nameSchemas();
shapeParameters();

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

/** All schemas of bodies and answers, by name. All are shown as inputs: an answer shows documents as they were written. */
export function componentSchemas(): NonNullable<oas32.ComponentsObject['schemas']> {
  const schemas = ROUTES.flatMap(({ body, answer }) => [
    ...(body === undefined ? [] : [body.schema]),
    ...(answer.schema === undefined ? [] : [answer.schema]),
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

const durationRange = (minMs: number, maxMs: number): string =>
  minMs === 0 ? `up to ${formatDuration(maxMs)}` : `${formatDuration(minMs)} to ${formatDuration(maxMs)}`;

/** The bounds of a schema's durations as a sentence, since JSON Schema has no keyword for them; empty if it has none. */
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

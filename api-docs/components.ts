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
import { recipientsSchema, TURN_FORM } from '../src/config/documents/alerting-schema.ts';
import { fallbackSchema, templateSchema } from '../src/config/documents/schema.ts';
import { KIND_NAMES, KIND_WORDS } from '../src/gateway/kinds.ts';
import { verifySchema } from '../src/signature/scheme.ts';
import { rsaSchema } from '../src/signature/schemes/rsa.ts';
import { tokenSchema } from '../src/signature/schemes/token.ts';
import { DESCRIPTIONS, DEFAULTS } from './descriptions.ts';
import { DOCUMENTS, groupsOf, literalOf, shapeOf, innerSchemas, SIGNING } from './groups.ts';
import { BODIES, ROUTES, BODY_KEYS } from './routes.ts';
import { documents } from '../src/admin/config/api-config.ts';
import { asJson, WRITTEN, problem, refTo } from '../src/schema/api-parts.ts';
import { createSchema, type oas32 } from 'zod-openapi';
import { formatDuration } from '../src/lib/time.ts';
import { isObject } from '../src/lib/json.ts';

const pascal = (kind: string) => kind.replaceAll(/(?:^|-)(.)/g, (_, first: string) => first.toUpperCase());

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
  ...groupsOf(documents.sources.item, 'source'),
  ...groupsOf(documents.templates.item, 'template'),
  ...groupsOf(documents.recipients.item, 'recipients'),
  ...groupsOf(documents.accounts.item, 'account'),
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
const BOUNDS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minMs', 'maxMs'] as const;
const shape = z.partialRecord(z.enum(BOUNDS), z.int());

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

/** The form of a key's texts, as editors and the description show it besides the bounds. The relay checks more. */
export interface Hint {
  readonly pattern?: string;
  readonly format?: 'regex' | 'uri' | 'date-time';
  readonly examples?: (string | number)[];
}

type Hints = Readonly<Record<string, Readonly<Record<string, Hint>>>>;

const such = (...examples: (string | number)[]): Hint => ({ examples });

const ADDRESS: Hint = { format: 'uri' };
const INSTANT: Hint = { format: 'date-time', ...such('2026-01-31T22:00:00+01:00') };
const LOCAL_TIME: Hint = { pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d$', ...such('2026-11-23T09:00') };
const COUNTRY: Hint = { pattern: '^[A-Z]{2}$', ...such('DE') };
const ZONE = such('Europe/Berlin');
const HOURS = { days: such('sun'), from: such('22:00'), to: such('07:00'), timezone: ZONE } as const;
const TOLERANCE = { tolerance: such('5m') } as const;

/** By group and key, as in `descriptions.ts`. */
export const HINTS: Hints = {
  source: {
    secrets: such('STRIPE_WEBHOOK_SECRET'),
    url: ADDRESS,
    country: COUNTRY,
    countries: COUNTRY,
    locale: such('de-DE'),
    timezone: ZONE,
    heartbeat: such('1d'),
    origins: such('https://shop.example'),
  },
  'source.redirect': { ok: ADDRESS, failed: ADDRESS },
  'source.dedupe': { window: such('3d'), body: such('24h') },
  route: { delay: such('10m'), expires: such('2h'), acknowledged_for: such('24h') },
  'route.escalate': { after: such('10m') },
  ...Object.fromEntries(KIND_NAMES.map((kind) => [`fallback.${kind}`, { after: such('10m') }])),
  'route.actions': { silence: such('4h', '07:00'), expires: such('7d') },
  'route.incident': { repeat: such('4h'), expires: such('1d') },
  'route.incident.flapping': { per: such('30m') },
  'route.group': { wait: such('30s'), interval: such('5m') },
  throttle: { per: such('10m') },
  quiet: HOURS,
  silence: { from: INSTANT, until: INSTANT },
  'silence.every': HOURS,
  NewOverride: { from: LOCAL_TIME, to: LOCAL_TIME },
  NewSilence: { from: INSTANT, until: INSTANT },
  Replay: { routes: such('paid') },
  BulkReplay: { routes: such('paid') },
  NumberSearch: { number: such('0151 234 567 89') },
  recipients: { numbers: such('4915112345678') },
  'recipients.rotation': {
    order: such('anna'),
    every: { pattern: TURN_FORM.source, ...such('1w') },
    from: LOCAL_TIME,
    timezone: ZONE,
  },
  'recipients.rotation.shifts': { order: such('anna'), days: HOURS.days, from: HOURS.from, to: HOURS.to },
  'recipients.rotation.overrides': { from: LOCAL_TIME, to: LOCAL_TIME },
  account: {
    timeout: such('15s'),
    retry: such('30s'),
    permanent_errors: { format: 'regex' },
    retention: such('30d'),
  },
  'account.circuit': { probe: such('30s') },
  'account.canary': { every: such('1d'), answer_within: such('2h') },
  'account.escape': { after: such('3m') },
  http: { secrets: such('TOKEN'), optional_secrets: such('TOKEN') },
  'answer.sent': { is: such('ok') },
  'answer.rule': { status: such(400), is: such('ok') },
  ...Object.fromEntries(SIGNING.map((scheme) => [`verify.${scheme}`, { url: ADDRESS }])),
  'verify.rsa': { url: ADDRESS, jwks: ADDRESS, ...TOLERANCE },
  'verify.jwt': { jwks: ADDRESS, ...TOLERANCE },
  'verify.oidc': { email: such('push@my-project.iam.gserviceaccount.com') },
  'verify.timestamp': TOLERANCE,
};

type Json = core.JSONSchema.JSONSchema;

/** The mark of an object's schema, a {@link Mark}; {@link enrich} removes it. */
export const MARK = 'x-group';

export interface Mark {
  readonly group: string;
  readonly durations: Readonly<Record<string, string>>;
}

type ProseByType = Readonly<Record<string, Readonly<Record<string, string>>>>;
const WORDS: ProseByType = { ...DESCRIPTIONS, ...BODY_KEYS };
const FALLBACKS: ProseByType = DEFAULTS;

/** Documents that these take as any object, since each is checked by its own schema afterwards. */
const BY_NAME = {
  sources: byName('Source'),
  templates: byName('Template'),
  recipients: byName('Recipients'),
  accounts: byName('Account'),
  silences: byName('Silence'),
};
const { accounts: _, silences: __, ...DRAFTS } = BY_NAME;
const SHOWN: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  NewConfigSet: BY_NAME,
  PreviewRequest: { draft: refTo('Source') },
  'PreviewRequest.drafts': DRAFTS,
};

function byName(component: string): Json {
  return { type: 'object', additionalProperties: refTo(component) };
}

/** Adds descriptions and limits to the keys of every marked object in a piece of the document. Changes it in place. */
export function enrich(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  for (const inner of Object.values(node)) enrich(inner);
  dropIdleNames(node);
  const mark = takeMark(node);
  if (mark === undefined) return;
  const properties: unknown = Reflect.get(node, 'properties');
  if (!isObject(properties)) return;
  for (const [key, property] of Object.entries(properties)) properties[key] = describe(property, mark, key);
}

/** In JSON all names are text, so `propertyNames` need not say so. */
function dropIdleNames(node: { propertyNames?: unknown }): void {
  if (JSON.stringify(node.propertyNames) === '{"type":"string"}') delete node.propertyNames;
}

function takeMark(node: { [MARK]?: Mark }): Mark | undefined {
  const { [MARK]: mark } = node;
  delete node[MARK];
  return mark;
}

function describe(property: unknown, { group, durations }: Mark, key: string): Json {
  const given: Json = isObject(property) ? property : {};
  const fallback = FALLBACKS[group]?.[key];
  const words = WORDS[group]?.[key] ?? given.description;
  return {
    ...withHint(SHOWN[group]?.[key] ?? given, HINTS[group]?.[key]),
    ...(words !== undefined && {
      description: words + (durations[key] ?? '') + (fallback === undefined ? '' : ` Default: ${fallback}.`),
    }),
  };
}

/** Adds a hint to the texts of a schema, but not inside of objects. */
function withHint(schema: Json, hint: Hint | undefined): Json {
  const { anyOf, type, items } = schema;
  if (anyOf !== undefined) return { ...schema, anyOf: anyOf.map((one) => withHint(one, hint)) };
  if (type === 'array' && isObject(items)) return { ...schema, items: withHint(items, hint) };
  return type === 'string' ? { ...schema, ...hint } : schema;
}

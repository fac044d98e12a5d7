import type { core } from 'zod';
import { DEFAULTS, DESCRIPTIONS } from './descriptions.ts';
import { HINTS, type Hint } from './hints.ts';
import { BODY_KEYS } from './routes.ts';
import { refTo } from '../src/schema/api-parts.ts';

type Json = core.JSONSchema.JSONSchema;

/** The mark of an object's schema, a {@link Mark}; {@link enrich} removes it. */
export const MARK = 'x-group';

export interface Mark {
  /** The group of the descriptions of its keys. */
  readonly group: string;
  /** The bounds of its durations in words, by key. */
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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

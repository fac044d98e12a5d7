import type { core } from 'zod';
import { CONSTRAINTS, DURATION_PATTERN, type Constraint } from './constraints.ts';
import { DEFAULTS, DESCRIPTIONS } from './descriptions.ts';
import { REQUEST_DESCRIPTIONS } from './request-bodies.ts';
import { refTo } from '../src/schema/api-parts.ts';

type Json = core.JSONSchema.JSONSchema;

/** A mark in an object's schema that names the group of its descriptions; {@link enrich} removes it. */
export const MARK = 'x-group';

type ProseByType = Readonly<Record<string, Readonly<Record<string, string>>>>;
const WORDS: ProseByType = { ...DESCRIPTIONS, ...REQUEST_DESCRIPTIONS };
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
  set: BY_NAME,
  preview: { draft: refTo('Source') },
  'preview.drafts': DRAFTS,
};

function byName(component: string): Json {
  return { type: 'object', additionalProperties: refTo(component) };
}

/** Adds descriptions and limits to the keys of every marked object in a piece of the document. Changes it in place. */
export function enrich(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  for (const inner of Object.values(node)) enrich(inner);
  dropIdleNames(node);
  const group = takeMark(node);
  if (group === null) return;
  const properties: unknown = Reflect.get(node, 'properties');
  if (!isObject(properties)) return;
  for (const [key, property] of Object.entries(properties)) properties[key] = describe(property, group, key);
}

/** In JSON all names are text, so `propertyNames` need not say so. */
function dropIdleNames(node: { propertyNames?: unknown }): void {
  if (JSON.stringify(node.propertyNames) === '{"type":"string"}') delete node.propertyNames;
}

function takeMark(node: { [MARK]?: unknown }): string | null {
  const { [MARK]: group } = node;
  delete node[MARK];
  return typeof group === 'string' ? group : null;
}

function describe(property: unknown, group: string, key: string): Json {
  const given: Json = isObject(property) ? property : {};
  const shown = SHOWN[group]?.[key] ?? given;
  const constraint = CONSTRAINTS[group]?.[key];
  const words = WORDS[group]?.[key] ?? given.description;
  const fallback = FALLBACKS[group]?.[key];
  return {
    ...(constraint === undefined ? shown : constrain(shown, constraint)),
    ...(words !== undefined && {
      description: fallback === undefined ? words : `${words} Default: ${fallback}.`,
    }),
  };
}

/** Adds the limits to the texts and the list of a schema, but not inside of objects. */
function constrain(schema: Json, constraint: Constraint): Json {
  const { anyOf, type, items } = schema;
  if (anyOf !== undefined) return { ...schema, anyOf: anyOf.map((one) => constrain(one, constraint)) };
  if (type === 'array')
    return {
      ...schema,
      ...constraint.list,
      ...(isObject(items) && { items: constrain(items, constraint) }),
    };
  if (type !== 'string') return schema;
  const { text, duration, examples } = constraint;
  return {
    ...schema,
    ...text,
    ...(duration !== undefined && { pattern: DURATION_PATTERN }),
    ...(examples !== undefined && { examples: [...examples] }),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

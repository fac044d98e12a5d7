import type { oas32 } from 'zod-openapi';
import { DURATION_PATTERN } from '../bounds.ts';
import { inline, markup, type Html } from './html.ts';

/** A schema as an object: JSON Schema also has `true` for anything. */
export type Schema = oas32.SchemaObjectValue;

type GivenSchema = oas32.SchemaObject | oas32.ReferenceObject | undefined;

/** `true` is an empty schema. */
export const plain = (schema: GivenSchema): Schema => (typeof schema === 'object' ? schema : {});

/** All shapes that have a name. */
export type Shapes = Readonly<Record<string, Schema>>;

/** The keys of an object, or the forms of a union, as a list that fits a phone. */
export function shape(schema: Schema, shapes: Shapes): Html | null {
  const forms = formsOf(schema);
  if (forms.length > 0)
    return markup`<ul class="forms">
      ${forms.map((one) => form(one, shapes))}
    </ul>`;
  const { properties, required = [] } = schema;
  if (properties === undefined || Object.keys(properties).length === 0) return null;
  return markup`<dl class="fields">
    ${Object.entries(properties).map(([name, property]) =>
      field({ name, schema: plain(property), isRequired: required.includes(name) }, shapes),
    )}
  </dl>`;
}

const formsOf = ({ oneOf, anyOf }: Schema): readonly Schema[] => (oneOf ?? anyOf ?? []).map(plain);

function form(schema: Schema, shapes: Shapes): Html {
  const words = schema.description ?? shapes[nameOf(schema) ?? '']?.description;
  return markup`<li>${typeOf(schema)} ${described(schema, words)}${nested(schema, shapes)}</li>`;
}

/** A named value with its type and its description. */
interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** The description, if it is not in the schema. */
  readonly description?: string | undefined;
}

export const field = ({ name, schema, isRequired, description }: Field, shapes: Shapes): Html =>
  markup`<dt>
      <code class="name">${name}</code>${isRequired ? markup` <span class="required">required</span>` : null}
      <span class="type">${typeOf(schema)}</span>
    </dt>
    <dd>${described(schema, description)}${nested(schema, shapes)}</dd>`;

function described(schema: Schema, description = schema.description): Html | null {
  const limits = limitsOf(schema);
  return markup`${description === undefined ? null : markup`<p>${inline(description)}</p>`}${
    limits === null ? null : markup`<p class="limits">${limits}</p>`
  }`;
}

/** Objects without a name are shown in place. */
function nested(schema: Schema, shapes: Shapes): Html | null {
  const inner = [schema, ...formsOf(schema)].flatMap((one) => [one, itemsOf(one)]);
  const unnamed = inner.find((one) => one.properties !== undefined);
  return unnamed === undefined ? null : shape(unnamed, shapes);
}

const itemsOf = ({ items }: Schema): Schema => plain(items);

/** A type as a short text, with links to named shapes. */
export function typeOf(schema: Schema): Html {
  const name = nameOf(schema);
  if (name !== undefined) return markup`<a href="#${shapeId(name)}">${name}</a>`;
  const forms = formsOf(schema);
  if (forms.length > 0) return joined(forms.map(typeOf));
  const { type, items, additionalProperties, enum: words } = schema;
  if (schema.const !== undefined) return markup`<code>${JSON.stringify(schema.const)}</code>`;
  if (words !== undefined) return joined(words.map((word: unknown) => markup`<code>${String(word)}</code>`));
  if (type === 'array') return markup`list of ${typeOf(plain(items))}`;
  if (type === 'object' && typeof additionalProperties === 'object')
    return markup`object of ${typeOf(plain(additionalProperties))} by name`;
  if (Array.isArray(type)) return joined(type.map((one) => markup`${WORDS[one]}`));
  if (schema.format === 'date-time') return markup`time`;
  if (schema.pattern === DURATION_PATTERN) return markup`duration`;
  return markup`${type === undefined ? 'anything' : WORDS[type]}`;
}

const WORDS = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  array: 'list',
  null: 'null',
} as const;

const joined = (parts: readonly Html[]): Html =>
  markup`${parts.map((part, at) => (at === 0 ? part : markup` | ${part}`))}`;

/** The name in a schema that only points at another. */
export const nameOf = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1);

/** The anchor of a shape in the page. */
export const shapeId = (name: string): string => `shape-${name}`;

function limitsOf(schema: Schema): Html | null {
  const { examples, minItems, maxItems, minimum, maximum, maxLength } = schema;
  const fallback: unknown = schema.default;
  const parts = [
    range(minimum, maximum, ''),
    range(minItems, maxItems, ' items'),
    maxLength === undefined ? null : markup`up to ${figure(maxLength)} characters`,
    fallback === undefined ? null : markup`default <code>${text(fallback)}</code>`,
    examples === undefined ? null : markup`such as <code>${text(examples[0])}</code>`,
  ].filter((part) => part !== null);
  return parts.length === 0
    ? null
    : markup`${parts.map((part, at) => (at === 0 ? part : markup` · ${part}`))}`;
}

function range(min: number | undefined, max: number | undefined, unit: string): Html | null {
  if (max !== undefined && min === undefined) return markup`up to ${figure(max)}${unit}`;
  if (max !== undefined) return markup`${figure(min ?? 0)} to ${figure(max)}${unit}`;
  return min === undefined || min === 0 ? null : markup`${figure(min)} or more${unit}`;
}

const figure = (value: number): string => value.toLocaleString('en');
const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

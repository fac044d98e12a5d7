import { createCache } from '../lib/cache.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { formatted } from './chat-format.ts';
import { listIn, type SendCall } from './kinds.ts';
import { NO_ADDRESS, type Verdict } from './outcome.ts';
import type { HttpShape, JsonTemplate } from './shape.ts';
import { optionsOf, outgoing } from './stand-in.ts';

/** The arguments of `fetch`. */
export interface GatewayRequest {
  readonly url: URL;
  readonly init: {
    readonly method: string;
    readonly headers: Headers;
    readonly body: string;
    // Following a redirect would send the credentials to another server.
    readonly redirect: 'manual';
  };
}

/** A gateway that is described by a shape, for one account. */
export interface HttpAccount {
  readonly shape: HttpShape;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly options: Readonly<Record<string, string>>;
  /** The values of its secrets, by the ends of their names. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** Returns the value of a field; undefined if it is missing or empty. */
type FieldReader = (name: string) => string | undefined;

/**
 * Returns the request for a call, or the reason why there is none. `id`: the message's id, the same in each attempt.
 */
export function httpRequest(
  call: SendCall,
  { shape, baseUrl, options, secrets }: HttpAccount,
  id: string,
): Result<GatewayRequest, Verdict> {
  const sent = outgoing(call, shape, options);
  if (sent === null) return err(rejected(`this gateway has no \`${call.kind}\` messages`));
  const fields = fieldsOf(sent.call, { shape, options, secrets, id });
  const path = fill(sent.shape.path, fields, inPath);
  // A path segment of dots would lead to another place.
  if (/\/\.{1,2}(?:[/?]|$)/.test(path)) return err(rejected('the receiver cannot be part of a URL'));
  const url = URL.parse(baseUrl + path);
  if (url === null) return err(NO_ADDRESS);
  const { json, form = {} } = sent.shape;
  const body =
    json === undefined ? formOf(form, fields) : JSON.stringify(treeOf(json, fields, optionsIn(sent.call)));
  const headers = headersOf(shape, fields, json !== undefined);
  return ok({ url, init: { method: sent.shape.method ?? 'POST', headers, body, redirect: 'manual' } });
}

const rejected = (detail: string): Verdict => ({ outcome: 'rejected', detail });

/** Parameters with chat formatting, which some gateways need in another form. */
const FORMATTED: ReadonlySet<string> = new Set(['message', 'caption', 'text']);

function fieldsOf(
  { phone, params }: SendCall,
  {
    shape,
    options,
    secrets,
    id,
  }: Pick<HttpAccount, 'shape' | 'options' | 'secrets'> & { readonly id: string },
): FieldReader {
  const own: Readonly<Record<string, string | undefined>> = params;
  const given = (name: string): string | undefined => {
    if (name === 'to') return phone ?? undefined;
    if (name === 'id') return id;
    if (name.startsWith('secret.')) return secrets[name.slice('secret.'.length)];
    if (name.startsWith('option.')) return options[name.slice('option.'.length)];
    const value = Object.hasOwn(own, name) ? own[name] : undefined;
    return value !== undefined && FORMATTED.has(name) ? formatted(value, shape.format ?? 'chat') : value;
  };
  return (name) => given(name) || undefined;
}

function optionsIn({ kind, params }: SendCall): readonly string[] {
  const given: Readonly<Record<string, string | undefined>> = params;
  const list = listIn(kind);
  return list === undefined ? [] : optionsOf(given[list] ?? '');
}

/** Matches the fields of a shape's text. Splitting by it gives literal, name, literal, name … */
const FIELD = /\{([a-z_]+(?:\.[A-Za-z0-9_]+)?)\}/;
const texts = createCache<readonly string[]>(256);
const split = (text: string): readonly string[] => texts(text, () => text.split(FIELD));

/** The names of the fields in a text. */
export const fieldNames = (text: string): readonly string[] => split(text).filter((_, at) => at % 2 === 1);

const fill = (text: string, fields: FieldReader, encode = (value: string): string => value): string =>
  split(text)
    .map((part, at) => (at % 2 === 0 ? part : encode(fields(part) ?? '')))
    .join('');

/** Encodes a value for a path. A colon is allowed there, and a Telegram token contains one. */
const inPath = (value: string): string => encodeURIComponent(value.toWellFormed()).replaceAll('%3A', ':');

/** The field that is the whole text; null if the text contains anything else. */
function onlyField(text: string): string | null {
  const [before, name, after, ...more] = split(text);
  return before === '' && after === '' && name !== undefined && more.length === 0 ? name : null;
}

function headersOf({ headers = {}, basic }: HttpShape, fields: FieldReader, isJson: boolean): Headers {
  const made = new Headers({
    'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded',
    accept: 'application/json',
    'user-agent': 'hookbell',
  });
  for (const [name, text] of Object.entries(headers))
    if (fieldNames(text).every((field) => fields(field) !== undefined)) made.set(name, fill(text, fields));
  if (basic !== undefined)
    made.set('authorization', `Basic ${btoa(basic.map((text) => fill(text, fields)).join(':'))}`);
  return made;
}

function formOf(form: Readonly<Record<string, string>>, fields: FieldReader): string {
  const made = new URLSearchParams();
  for (const [name, text] of Object.entries(form)) {
    const value = fill(text, fields);
    if (value !== '') made.append(name, value);
  }
  return made.toString();
}

/** Fills in the fields of a tree. Undefined for a text that is only a missing field. */
function treeOf(tree: JsonTemplate, fields: FieldReader, options: readonly string[]): unknown {
  if (typeof tree === 'string') {
    const only = onlyField(tree);
    if (only === 'options') return options;
    return only === null ? fill(tree, fields) : fields(only);
  }
  if (typeof tree !== 'object') return tree;
  if (Array.isArray(tree)) return tree.map((one: JsonTemplate) => treeOf(one, fields, options));
  const keys = Object.entries(tree);
  const { each, as, lines } = Object.fromEntries(keys);
  if (each === 'options' && as !== undefined)
    return options.map((option) =>
      treeOf(as, (name) => (name === 'option' ? option : fields(name)), options),
    );
  if (Array.isArray(lines))
    return lines
      .map((line: JsonTemplate) => treeOf(line, fields, options))
      .filter((line) => typeof line === 'string' && line !== '')
      .join('\n');
  return Object.fromEntries(keys.map(([key, value]) => [key, treeOf(value, fields, options)]));
}

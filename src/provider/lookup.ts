import { memoized } from '../lib/cache.ts';
import { ownValue, scalarText } from '../lib/json.ts';
import type { Locale } from '../template/basics/locale.ts';
import { compileText, renderText, type CompiledText } from '../template/text.ts';
import { digestOf } from '../signature/basics/request.ts';
import { err, ok, type Result } from '../lib/result.ts';

/** A dotted path in the parsed body (`body:` alone is the whole body), a header, or a query parameter. */
export type LookupPlace = `body:${string}` | `header:${string}` | `query:${string}`;

/** One place, several that are all required and joined with `:`, or a template on `payload` (or `item`), `headers`, `query`. */
export type Lookup =
  LookupPlace | readonly [LookupPlace, LookupPlace, ...LookupPlace[]] | { readonly text: string };

/** A condition on the value at a place: any value, exactly this text, or no value. */
export interface Condition {
  readonly at: LookupPlace;
  readonly equals?: string;
  readonly absent?: true;
}

export interface LookupFacts {
  readonly payload: unknown;
  readonly headers: Headers;
  readonly query: URLSearchParams;
}

/** The longest id or type, in UTF-16 units. They become database keys and metric labels, so they must be short. */
const MAX_FOUND = 256;

/** The first lookup that finds text (not empty, not too long) or a number; null if none does. */
export function lookup(lookups: readonly Lookup[], facts: LookupFacts): string | null {
  for (const one of lookups) {
    const isText = typeof one === 'object' && 'text' in one;
    const found = isText ? rendered(one.text, facts) : lookupAll([one].flat(), facts);
    if (found && found.length <= MAX_FOUND) return found;
  }
  return null;
}

/** An id or a type is stored and shown, a credential never. */
const CREDENTIAL_HEADER = /signature|hmac|authorization|cookie|secret|password/;

/** An id is the same for everybody. */
const NO_LOCALE: Locale = { country: undefined, locale: 'en', timezone: 'UTC' };

/** A text of a provider; null if it is wrong. There are only as many as providers have. */
export const providerText = memoized((text): CompiledText | null => {
  const result = compileText(text);
  return result.ok ? result.value : null;
});

/** Null if a template fails, as if the event had nothing there. */
function rendered(text: string, { payload, headers, query }: LookupFacts): string | null {
  const template = providerText(text);
  if (template === null) return null;
  const scope = {
    payload,
    item: payload,
    event: { id: '', type: null, source: '', received_at: '', dedupe_key: null },
    headers: Object.fromEntries([...headers].filter(([name]) => !CREDENTIAL_HEADER.test(name))),
    query: Object.fromEntries(query),
  };
  const result = renderText(template, scope, NO_LOCALE);
  return result.ok ? result.value.trim() : null;
}

/** All parts have to be there. With a part missing, different events would look the same. */
function lookupAll(places: readonly LookupPlace[], facts: LookupFacts): string | null {
  const parts = places.map((place) => lookupPlace(place, facts));
  return parts.every((part) => part !== null && part !== '') ? parts.join(':') : null;
}

/** The text at one place, of any length; null if there is none. */
export function lookupPlace(place: LookupPlace, { payload, headers, query }: LookupFacts): string | null {
  const colon = place.indexOf(':');
  const kind = place.slice(0, colon);
  const name = place.slice(colon + 1);
  if (kind === 'header') return headers.get(name);
  return kind === 'query' ? query.get(name) : scalarText(ownValue(payload, name));
}

/** An empty text counts as absent. An object counts as present, though it has no text. */
export function holds({ at, equals, absent }: Condition, facts: LookupFacts): boolean {
  if (equals !== undefined) return lookupPlace(at, facts) === equals;
  const inBody = (path: string): unknown => (path === '' ? facts.payload : ownValue(facts.payload, path));
  const found = isInBody(at) ? inBody(at.slice(BODY.length)) : (lookupPlace(at, facts) ?? undefined);
  return absent === true ? found === undefined : found !== undefined && found !== null && found !== '';
}

export const BODY = 'body:';
export const isInBody = (place: LookupPlace): boolean => place.startsWith(BODY);

const NO_QUERY = new URLSearchParams();

/** A list in the body whose elements are separate events. */
export interface Items {
  /** The path of the list. Empty if the body is the list. `entry.*.changes`: the lists of all entries, joined. */
  readonly at: string;
  /**
   * An element whose id was seen before makes no messages: a batch may be put together differently for another try.
   * Empty if elements have no ids.
   */
  readonly id: readonly Lookup[];
}

/** The id of one element of a provider's list; null if it has none. */
export const keyOfItem = ({ id }: Items, item: unknown): string | null =>
  lookup(id, { payload: item, headers: new Headers(), query: NO_QUERY });

/** One key for a whole list: the id of its only element, or a digest of all ids. Null if an element has no id. */
export function keyOfItems(items: Items, payload: unknown): string | null {
  const list = listAt(payload, items.at);
  if (list === null) return null;
  const keys = list.map((item) => keyOfItem(items, item));
  const [only] = keys;
  if (only === undefined || keys.includes(null)) return null;
  // Not `crypto.subtle`, since that is asynchronous.
  return keys.length === 1 ? only : `items:${digestOf(JSON.stringify(keys))}`;
}

/** `*` stands for each element of a list. Null if a part of the path that should be a list is not one. */
function listAt(payload: unknown, at: string): readonly unknown[] | null {
  let lists: readonly unknown[] = [payload];
  for (const path of at.split('.*.')) {
    const inside = lists.map((one) => (path === '' ? one : ownValue(one, path)));
    if (!inside.every((one) => Array.isArray(one))) return null;
    lists = inside.flat();
  }
  return lists;
}

/** One step of a path: `.name`, `[0]` or `["a name"]`. */
const STEP = /\.([A-Za-z_][\w-]*)|\[(\d+)\]|\["([^"\\.]+)"\]|\['([^'\\.]+)'\]/y;
const OUTPUT = /\{\{-?(.*?)-?\}\}/gs;

/**
 * Plain paths of `event.id` and `event.type` become places, which need no template at runtime; anything else stays a
 * text. `roots`: what a text may name.
 */
export function lookupsOf(
  texts: readonly string[],
  roots: readonly string[],
): Result<readonly Lookup[], string> {
  const found: Lookup[] = [];
  for (const text of texts) {
    const compiled = compileText(text, roots);
    if (!compiled.ok) return compiled;
    if (compiled.value.expressions.length === 0)
      return err('names nothing of the event, such as `{{ payload.id }}`');
    const places = compiled.value.expressions.flatMap((expression) => alternatives(expression) ?? []).flat();
    const credential = places.find((place) => place.startsWith('header:') && CREDENTIAL_HEADER.test(place));
    if (credential !== undefined)
      return err(
        `must not name the header \`${credential.slice('header:'.length)}\`: it is a credential, and would be stored`,
      );
    found.push(...(plain(text) ?? [{ text }]));
  }
  return ok(found);
}

/** `{{ a | default: b }}` and `{{ a }}:{{ b }}` as places; null for any other text. */
function plain(text: string): readonly Lookup[] | null {
  const outputs = [...text.matchAll(OUTPUT)].map(([, inner = '']) => alternatives(inner));
  const isJoined = text.replaceAll(OUTPUT, '{}') === outputs.map(() => '{}').join(':');
  if (!isJoined) return null;
  const [only = null] = outputs;
  if (outputs.length === 1) return only;
  const [first, second, ...rest] = outputs.flatMap((one) => (one?.length === 1 ? one : []));
  const hasAll = rest.length + 2 === outputs.length;
  return first === undefined || second === undefined || !hasAll ? null : [[first, second, ...rest]];
}

/** The places of `a | default: b`; null if it is more than that. */
function alternatives(expression: string): readonly LookupPlace[] | null {
  const places = expression.split(/\|\s*default:/).map((path) => placeOf(path.trim()));
  const known = places.filter((place) => place !== null);
  return known.length === places.length ? known : null;
}

function placeOf(path: string): LookupPlace | null {
  const [root = ''] = /^[a-z]+/.exec(path) ?? [];
  const steps: string[] = [];
  for (let at = root.length; at < path.length; at = STEP.lastIndex) {
    STEP.lastIndex = at;
    const step = STEP.exec(path);
    if (step === null) return null;
    steps.push(step.slice(1).find((part) => part !== undefined) ?? '');
  }
  const [name] = steps;
  if (root === 'payload' || root === 'item') return `body:${steps.join('.')}`;
  if (steps.length !== 1 || name === undefined) return null;
  if (root === 'headers') return `header:${name.toLowerCase()}`;
  return root === 'query' ? `query:${name}` : null;
}

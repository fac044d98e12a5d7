import { ownValue, scalarText } from '../signature/own-path.ts';

/** Where one fact of an event stands: a dotted path of the parsed body, a header, or a query parameter. */
export type Lookup = `body:${string}` | `header:${string}` | `query:${string}`;

/** What lookups read. */
export interface LookupFacts {
  readonly payload: unknown;
  readonly headers: Headers;
  readonly query: URLSearchParams;
}

/** Ids and types are short; they become database keys and metric labels. UTF-16 units. */
const MAX_FOUND = 256;

/** What the first lookup yields that finds text (not empty, not too long) or a number; null when none does. */
export function lookup(lookups: readonly Lookup[], facts: LookupFacts): string | null {
  for (const one of lookups) {
    const found = lookupOne(one, facts);
    if (found !== null && found !== '' && found.length <= MAX_FOUND) return found;
  }
  return null;
}

function lookupOne(one: Lookup, { payload, headers, query }: LookupFacts): string | null {
  const colon = one.indexOf(':');
  const place = one.slice(0, colon);
  const name = one.slice(colon + 1);
  if (place === 'header') return headers.get(name);
  return place === 'query' ? query.get(name) : scalarText(ownValue(payload, name));
}

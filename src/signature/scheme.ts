import * as z from 'zod';
import { basicSchema } from './basic.ts';
import { hmacSchema } from './hmac-scheme.ts';
import { noneSchema } from './none.ts';
import { tokenSchema } from './token.ts';

/** The `verify:` block of a source document: how its requests are told from anybody else's. */
export const verifySchema = z.discriminatedUnion(
  'scheme',
  [hmacSchema, basicSchema, tokenSchema, noneSchema],
  {
    error: (issue) =>
      issue.input === undefined ? 'is required' : 'must have a `scheme`: hmac, basic, token or none',
  },
);

/** A checked `verify:` block: defaults filled in, `header` always a list, durations in milliseconds. */
export type VerifyScheme = z.output<typeof verifySchema>;

/** Whether a source with this scheme has to name at least one secret. */
export const needsSecret = (scheme: VerifyScheme): boolean => scheme.scheme !== 'none';

/** Lower-case names of the headers that carry signatures or credentials: to be dropped before anything is stored. */
export const credentialHeaders = (scheme: VerifyScheme): string[] =>
  credentialPlaces(scheme).headers.map((name) => name.toLowerCase());

/** Names of the query parameters that carry a signature or token: to be dropped before anything is stored. */
export const credentialQuery = (scheme: VerifyScheme): string[] => [...credentialPlaces(scheme).query];

interface CredentialPlaces {
  readonly headers: readonly string[];
  readonly query: readonly string[];
}

/** Schemes whose places are no setting. A new scheme does not compile until it is here or below. */
const FIXED_PLACES: Readonly<Record<'basic' | 'none', CredentialPlaces>> = {
  basic: { headers: ['authorization'], query: [] },
  none: { headers: [], query: [] },
};

function credentialPlaces(scheme: VerifyScheme): CredentialPlaces {
  if (scheme.scheme === 'hmac') {
    return { headers: scheme.header ?? [], query: scheme.query === undefined ? [] : [scheme.query] };
  }
  if (scheme.scheme === 'token') {
    return {
      headers: scheme.in === 'header' ? [scheme.name] : [],
      query: scheme.in === 'query' ? [scheme.name] : [],
    };
  }
  return FIXED_PLACES[scheme.scheme];
}

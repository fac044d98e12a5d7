import * as z from 'zod/mini';
import { changedAt } from '../lib/json.ts';
import { suggest } from '../lib/suggest.ts';
import { listOf, strictDocument } from '../schema/parts.ts';
import { basicSchema, tokenSchema } from './schemes/token.ts';
import { ecdsaSchema, ed25519Schema, hashSchema, hmacSchema } from './schemes/signed.ts';
import { jwtSchema, oidcSchema } from './schemes/jwt.ts';
import { rsaSchema } from './schemes/rsa.ts';
import { hasKey } from './signed/secret-key.ts';

/** `verify: { scheme: none }`: anybody who knows the address can send. It has to be written explicitly. */
const noneSchema = strictDocument({ scheme: z.literal('none') });

const PROVING = [
  hmacSchema,
  hashSchema,
  ed25519Schema,
  ecdsaSchema,
  rsaSchema,
  jwtSchema,
  basicSchema,
  tokenSchema,
] as const;

const needsOneOf =
  (options: readonly z.core.$ZodType[]) =>
  ({ input }: { readonly input?: unknown }): string => {
    if (input === undefined) return 'is required';
    const names = options.flatMap(({ _zod }) => [...(_zod.propValues?.['scheme'] ?? [])]).map(String);
    const given: unknown = Reflect.get(Object(input), 'scheme');
    const close = typeof given === 'string' ? suggest(given, names) : null;
    return `must have a \`scheme\`, one of ${names.join(', ')}${close === null ? '' : `; did you mean \`${close}\`?`}`;
  };

const provingSchema = z.discriminatedUnion('scheme', PROVING, { error: needsOneOf(PROVING) });

/** `verify: { scheme: any, of: [...] }`: for senders that prove themselves in one of several ways, with one secret. */
const anySchema = strictDocument({
  scheme: z.literal('any'),
  of: listOf(provingSchema, 'schemes', { min: 2, max: 4 }),
});

const ALL = [...PROVING, oidcSchema, anySchema, noneSchema] as const;

export const verifySchema = z.discriminatedUnion('scheme', ALL, { error: needsOneOf(ALL) });

export type ProvingScheme = z.output<typeof provingSchema>;

/** A checked `verify:` block: defaults filled in, `header` always a list, durations in milliseconds. */
export type VerifyScheme = z.output<typeof verifySchema>;

export function needsSecret(scheme: VerifyScheme): boolean {
  if (scheme.scheme === 'any') return scheme.of.some(needsSecret);
  if (scheme.scheme === 'jwt' || (scheme.scheme === 'rsa' && 'signed' in scheme)) return !hasKey(scheme);
  return scheme.scheme !== 'none' && scheme.scheme !== 'oidc';
}

/** A token that names its address needs the source's `url`: the sender chooses a request's `Host`. */
export const needsUrl = (scheme: VerifyScheme): boolean =>
  (scheme.scheme === 'jwt' && scheme.audience === 'url') ||
  (scheme.scheme === 'oidc' && scheme.audience === undefined) ||
  (scheme.scheme === 'any' && scheme.of.some(needsUrl));

/** True if every byte of the body is signed, so that nobody can change one and send it again. */
export function signsBody(scheme: VerifyScheme): boolean {
  if (scheme.scheme === 'any') return scheme.of.every(signsBody);
  if (scheme.scheme === 'jwt') return scheme.in === 'body' || scheme.body_hash_claim !== undefined;
  // It is never in an optional segment, see `signed-template.ts`.
  return 'signed' in scheme && scheme.signed.includes('{raw_body}');
}

/** True if a body may be a token, whose claims are then the payload. */
export const isTokenBody = (scheme: VerifyScheme): boolean =>
  scheme.scheme === 'any' ? scheme.of.some(isTokenBody) : scheme.scheme === 'jwt' && scheme.in === 'body';

/** Headers that carry signatures or credentials, in lower case: dropped before anything is stored. */
export const credentialHeaders = (scheme: VerifyScheme): string[] =>
  credentialPlaces(scheme).flatMap(({ headers = [] }) => headers.map((name) => name.toLowerCase()));

/** Query parameters that carry a signature or token: dropped before anything is stored. */
export const credentialQuery = (scheme: VerifyScheme): string[] =>
  credentialPlaces(scheme).flatMap(({ query }) => query ?? []);

/** Fields of the payload that carry a signature or token: for `withoutFields`, before anything is stored. */
export const credentialFields = (scheme: VerifyScheme): PayloadField[] =>
  credentialPlaces(scheme).flatMap(({ field, items }) => (field === undefined ? [] : { items, path: field }));

interface CredentialPlace {
  readonly headers?: readonly string[] | undefined;
  readonly query?: string | undefined;
  readonly field?: string | undefined;
  /** The list that has `field` in each of its elements. */
  readonly items?: string | undefined;
}

function credentialPlaces(scheme: VerifyScheme): readonly CredentialPlace[] {
  if ('signed' in scheme) {
    const { header: headers, query, field, items } = scheme;
    return [{ headers, query, field, items }];
  }
  if (scheme.scheme === 'any') return scheme.of.flatMap((one) => credentialPlaces(one));
  if (scheme.scheme === 'none') return [];
  if (scheme.scheme === 'jwt') return [{ headers: scheme.header }];
  if (scheme.scheme === 'basic' || scheme.scheme === 'oidc') return [{ headers: ['authorization'] }];
  if (scheme.scheme === 'rsa')
    return [scheme.format === 'sns' ? { field: 'Signature' } : { headers: ['paypal-transmission-sig'] }];
  if (scheme.in === 'header') return [{ headers: [scheme.name] }];
  if (scheme.in === 'query') return [{ query: scheme.name }];
  return scheme.in === 'body' ? [{ field: scheme.name, items: scheme.items }] : [];
}

/** A field of a payload, by its dotted path; with `items` in each element of the list at that path. */
export type PayloadField = Readonly<{ items: string | undefined; path: string }>;

/** Copied where it changes, since it may be shared. A form's fields are found by whole names, as in verification. */
export const withoutFields = (payload: unknown, fields: readonly PayloadField[]): unknown =>
  fields.reduce(withoutField, payload);

function withoutField(payload: unknown, { items, path }: PayloadField): unknown {
  if (items === undefined) return without(withoutKey(payload, path), path.split('.'));
  return changedAt(payload, items.split('.'), (list) =>
    Array.isArray(list) ? list.map((item: unknown) => without(item, path.split('.'))) : list,
  );
}

function without(value: unknown, path: readonly string[]): unknown {
  const key = path.at(-1) ?? '';
  return changedAt(value, path.slice(0, -1), (parent) => withoutKey(parent, key));
}

function withoutKey(value: unknown, key: string): unknown {
  if (!isObject(value) || !Object.hasOwn(value, key)) return value;
  // A credential is a text. An object in its place comes from another form of the sender's bodies.
  if (isObject(Reflect.get(value, key))) return value;
  // Removing an element would move the others.
  if (Array.isArray(value)) return changedAt(value, [key], () => null);
  return Object.fromEntries(Object.entries(value).filter(([own]) => own !== key));
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

import * as z from 'zod/mini';
import { changedAt } from '../lib/json.ts';
import { ok } from '../lib/result.ts';
import { didYouMean, listOf, strictDocument } from '../schema/parts.ts';
import { hasKey } from './basics/keys.ts';
import {
  bySecret,
  type Checked,
  type Match,
  refuse,
  REFUSALS,
  type SignatureRefusal,
  type SignedRequest,
} from './basics/request.ts';
import type { Attempt, VerifyContext } from './certificates/fetched.ts';
import { jwtSchema, oidcSchema, verifyJwt, verifyOidc } from './schemes/jwt.ts';
import { rsaSchema, verifyRsa } from './schemes/rsa.ts';
import {
  ecdsaAlgorithm,
  ecdsaSchema,
  ed25519Algorithm,
  ed25519Schema,
  hashSchema,
  hmacAlgorithm,
  hmacSchema,
  verifyHash,
  verifySigned,
} from './schemes/signed.ts';
import { basicSchema, tokenSchema, verifyBasic, verifyToken } from './schemes/token.ts';

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
    return `must have a \`scheme\`, one of ${names.join(', ')}${didYouMean(given, names)}`;
  };

const provingSchema = z.discriminatedUnion('scheme', PROVING, { error: needsOneOf(PROVING) });

/** `verify: { scheme: any, of: [...] }`: for senders that prove themselves in one of several ways, with one secret. */
const anySchema = strictDocument(() => ({
  scheme: z.literal('any'),
  of: listOf(provingSchema, 'schemes', { min: 2, max: 4 }),
}));

const ALL = [...PROVING, oidcSchema, anySchema, noneSchema] as const;

export const verifySchema = z.discriminatedUnion('scheme', ALL, { error: needsOneOf(ALL) });

type ProvingScheme = z.output<typeof provingSchema>;

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
  // It is never in an optional segment, see `parseSigned`.
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

const WITHOUT_SECRET: Match = { secret: null, once: null };

/** With any of `secrets`, in the document's order. What is missing, unreadable or not set up is a refusal. */
export async function verifySignature(
  scheme: VerifyScheme,
  secrets: readonly string[],
  request: SignedRequest,
  context: VerifyContext,
): Promise<Checked<Match>> {
  if (scheme.scheme === 'none') return ok(WITHOUT_SECRET);
  const attempt = { ...context, secrets, request };
  if (scheme.scheme === 'oidc') {
    const verified = await verifyOidc(scheme, attempt);
    return verified.ok ? ok(WITHOUT_SECRET) : verified;
  }
  if (needsSecret(scheme) && secrets.length === 0) return refuse('misconfigured', 'no secret is set');
  const empty = secrets.indexOf('');
  if (empty >= 0) return refuse('misconfigured', `secret ${empty + 1} of ${secrets.length} is empty`);
  return scheme.scheme === 'any'
    ? verifyAny(scheme.of, async (one) => matchSecret(one, attempt))
    : matchSecret(scheme, attempt);
}

async function matchSecret(scheme: ProvingScheme, attempt: Attempt): Promise<Checked<Match>> {
  switch (scheme.scheme) {
    case 'hmac':
      return verifySigned(scheme, hmacAlgorithm(scheme), attempt);
    case 'hash':
      return verifyHash(scheme, attempt);
    case 'ed25519':
      return verifySigned(scheme, ed25519Algorithm(scheme), attempt);
    case 'ecdsa':
      return verifySigned(scheme, ecdsaAlgorithm(scheme), attempt);
    case 'rsa':
      return verifyRsa(scheme, attempt);
    case 'jwt':
      return verifyJwt(scheme, attempt);
    case 'basic':
      return shown(await verifyBasic(attempt));
    case 'token':
      return shown(await verifyToken(scheme, attempt));
  }
}

/** A sender that shows the secret itself may send any body. */
const shown = (index: Checked<number>): Checked<Match> => (index.ok ? ok(bySecret(index.value)) : index);

/** If none accepts it, the refusal is that of the scheme which came furthest: the sender uses that one. */
export async function verifyAny(
  schemes: readonly ProvingScheme[],
  verify: (scheme: ProvingScheme) => Promise<Checked<Match>>,
): Promise<Checked<Match>> {
  const refusals: SignatureRefusal[] = [];
  for (const [index, scheme] of schemes.entries()) {
    const verified = await verify(scheme);
    if (verified.ok) return verified;
    const { code, detail } = verified.error;
    refusals.push({ code, detail: `${scheme.scheme} (number ${index + 1}): ${detail}` });
  }
  const [furthest] = refusals.toSorted((a, b) => REFUSALS.indexOf(b.code) - REFUSALS.indexOf(a.code));
  if (furthest === undefined) return refuse('misconfigured', 'there is no scheme');
  const names = schemes.map(({ scheme }) => scheme).join(', ');
  return refuse(
    furthest.code,
    `none of the schemes ${names} accepted it; the closest was ${furthest.detail}`,
  );
}

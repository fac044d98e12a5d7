import * as z from 'zod/mini';
import { createCache } from '../../lib/cache.ts';
import { decodeText, decodeUtf8 } from '../../lib/encoding.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { oneOf, strictDocument, withoutConflicts } from '../../schema/parts.ts';
import {
  cachedKey,
  decodeSecret,
  importPublicKey,
  isSignatureOf,
  readKeys,
  type SecretKey,
} from '../basics/keys.ts';
import { isHashOf, digestOf, refuse, type Checked, freshFor, type Match } from '../basics/request.ts';
import type { Attempt } from '../certificates/fetched.ts';
import {
  isForm,
  type SignedContent,
  signedBytes,
  type SignedInput,
  signedUrls,
  describePlace,
  type PlaceInput,
  readPlace,
  bodyItems,
  readParsed,
} from '../signed/signed-bytes.ts';
import {
  conflicts,
  parseSigned,
  type SecretOptions,
  secretShape,
  separators,
  type SignedPiece,
  type SignedPlace,
  type SignedScheme,
  signedShape,
  type Timestamp,
} from '../signed/signed-options.ts';

/** The claim of a request: one of these signatures was made over one of these contents. */
export interface Claim {
  readonly signatures: readonly Uint8Array[];
  /** More than one if the sender may have written the address in several ways. */
  readonly contents: readonly SignedContent[];
  readonly place: string;
  /** The digest of the signed text, if that makes only one event; null if this does not apply. */
  readonly once: string | null;
}

/** Reads claims, in the same way for all elements of a list. `now` in ms. */
interface ClaimReader {
  readonly scheme: SignedScheme;
  readonly pieces: readonly SignedPiece[];
  readonly form: SignatureForm;
  readonly now: number;
}

/** Reads the signatures, then checks the conditions for all of them, then reads the signed content. */
export async function readClaim(
  { scheme, pieces, form, now }: ClaimReader,
  unlisted: Omit<PlaceInput, 'params'>,
): Promise<Checked<Claim>> {
  const signaturePlace = placeOf(scheme);
  const place = describePlace(signaturePlace);
  const text = readPlace(signaturePlace, unlisted);
  if (!text.ok) return text;
  const listed = readSignatures(text.value, scheme, form, place);
  if (!listed.ok) return listed;
  const { signatures, params } = listed.value;

  for (const [name, value] of Object.entries(scheme.require_headers ?? {})) {
    const given = unlisted.request.headers.get(name) ?? '';
    if (given === '') return refuse('missing_header', `header ${name} is missing`);
    if (given !== value) return refuse('malformed', `header ${name} is not \`${value}\``);
  }
  const input = { ...unlisted, params };
  const timestamp = scheme.timestamp === undefined ? ok(null) : readFresh(scheme.timestamp, input, now);
  if (!timestamp.ok) return timestamp;
  const isInForm = has(pieces, 'form_sorted') && isForm(input.parsed);
  const hashName = isInForm ? undefined : scheme.body_hash_query;
  const contents = await readContents(scheme, pieces, { ...input, timestamp: timestamp.value }, hashName);
  if (!contents.ok) return contents;
  // Of the first way to write the address: a sender that repeats a signature cannot choose among them.
  const [first] = contents.value;
  const isOnce = scheme.signed_once === true && hashName === undefined && first !== undefined;
  const once = isOnce ? digestOf(first(NO_SECRET)) : null;
  return ok({ signatures, contents: contents.value, place, once });
}

const NO_SECRET = new Uint8Array();

const has = (pieces: readonly SignedPiece[], kind: SignedPiece['kind']): boolean =>
  pieces.some((piece) => piece.kind === kind);

type Place = Pick<SignedScheme, 'header' | 'query' | 'field' | 'items'>;

/** The schema ensures that exactly one is set, and a field if elements of a list are signed. */
function placeOf({ header, query, field = '', items }: Place, key?: string): SignedPlace {
  if (header !== undefined) return { kind: 'header', names: header };
  if (query !== undefined) return { kind: 'query', name: query };
  if (key !== undefined) return { kind: 'sig', key };
  return { kind: items === undefined ? 'body' : 'item', path: field };
}

function readFresh(timestamp: Timestamp, input: PlaceInput, now: number): Checked<string> {
  const { header, key, body: field } = timestamp;
  const place = placeOf({ header, field }, key);
  const text = readPlace(place, input);
  if (!text.ok) return text;
  const fresh = checkFreshness(text.value, timestamp, describePlace(place), now);
  return fresh.ok ? text : fresh;
}

/** `hashName`: the query parameter with the SHA-256 of the body, which proves it, since the address is signed. */
async function readContents(
  scheme: SignedScheme,
  pieces: readonly SignedPiece[],
  input: Omit<SignedInput, 'url'>,
  hashName: string | undefined,
): Promise<Checked<readonly SignedContent[]>> {
  if (hashName !== undefined) {
    const place = { kind: 'query', name: hashName } as const;
    const hash = readPlace(place, input);
    const bound = hash.ok ? await isHashOf(input.request.body, hash.value, describePlace(place)) : hash;
    if (!bound.ok) return bound;
  } else if (has(pieces, 'form_sorted') && !isForm(input.parsed) && !has(pieces, 'raw_body')) {
    return refuse('malformed', 'the body is not a form, so none of it is signed');
  }
  const contents: SignedContent[] = [];
  for (const url of has(pieces, 'url') ? signedUrls(scheme, input.request, hashName) : ['']) {
    const content = signedBytes(pieces, { ...input, url });
    if (!content.ok) return content;
    contents.push(content.value);
  }
  return ok(contents);
}

/** Plain digits: `Number` would also take `1e9`, `0x5`, `+5` and spaces. 15 of them are still exact. */
const DIGITS = /^\d{1,15}$/;
/** From this many digits on it is milliseconds (since 1973); as seconds it would be after the year 5000. */
const MILLISECOND_DIGITS = 12;
/** RFC 3339 with its zone: without a zone, the time would depend on the reader. */
const ISO_8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

const inSeconds = (digits: string): number => Number(digits) * 1_000;

/** The form of a time by its unit, in words and as a pattern, and its milliseconds. */
const TIMES: Readonly<
  Record<
    Timestamp['unit'],
    { readonly what: string; readonly form: RegExp; readonly ms: (text: string) => number }
  >
> = {
  s: { what: 'a time in seconds, in plain digits', form: DIGITS, ms: inSeconds },
  ms: { what: 'a time in milliseconds, in plain digits', form: DIGITS, ms: Number },
  auto: {
    what: 'a time in seconds or milliseconds, in plain digits',
    form: DIGITS,
    ms: (text) => (text.length < MILLISECOND_DIGITS ? inSeconds(text) : Number(text)),
  },
  iso8601: { what: 'a time such as 2026-01-31T12:00:00Z', form: ISO_8601, ms: Date.parse },
};

/** `text`: the timestamp as it was sent; `place` names it in the refusal. `now` in ms. */
export function checkFreshness(
  text: string,
  { unit, tolerance }: Pick<Timestamp, 'unit' | 'tolerance'>,
  place: string,
  now: number,
): Checked<void> {
  const { what, form, ms } = TIMES[unit];
  const age = form.test(text) ? now - ms(text) : NaN;
  if (Number.isNaN(age)) return refuse('malformed', `${place} is not ${what}`);
  if (Math.abs(age) <= tolerance) return ok(undefined);
  const seconds = Math.round(Math.abs(age) / 1_000);
  const direction = age > 0 ? 'old' : 'ahead of the clock here';
  return refuse('stale', `${place} is ${seconds} s ${direction}; ${tolerance / 1_000} s are allowed`);
}

/** Sixteen SHA-512 signatures in hex with their keys fit; anything longer is refused. UTF-16 units. */
const MAX_TEXT = 4_096;

export interface SignatureForm {
  /** For refusals: `of 32 bytes`. */
  readonly description: string;
  /** The maximum number that a sender lists, one per secret; more would be guesses. */
  readonly max: number;
  /** Returns the bytes to compare, or null if they are not a signature. */
  readonly read: (bytes: Uint8Array) => Uint8Array | null;
}

interface SignatureList {
  /** At least one, each of the algorithm's form. */
  readonly signatures: readonly Uint8Array[];
  /** Every value by its key, for the parameters that are listed with the signatures. */
  readonly params: ReadonlyMap<string, readonly string[]>;
}

export const ofLength = (length: number, max: number): SignatureForm => ({
  description: `of ${length} bytes`,
  max,
  read: (bytes) => (bytes.byteLength === length ? bytes : null),
});

/** Reads the signatures in `text`, in the scheme's notation. `place` names it in the refusal. */
export function readSignatures(
  text: string,
  scheme: SignedScheme,
  form: SignatureForm,
  place: string,
): Checked<SignatureList> {
  const { keys, prefix = '', prefix_optional: mayLackPrefix = false, encoding } = scheme;
  const { list, pair } = separators(scheme);
  const malformed = (what: string) => refuse('malformed', `${place} ${what}`);
  if (text.length > MAX_TEXT) return malformed(`is longer than ${MAX_TEXT} characters`);
  // Headers with the same name arrive joined by `, `, which appears only in lists with commas.
  if (list !== undefined && list !== ',' && text.includes(', ')) return malformed('is given more than once');

  const split = list === undefined ? [text] : text.split(list);
  // Trailing separators and doubled spaces make empty items.
  const items = split.map((item) => item.trim()).filter((item) => item !== '' || list === undefined);
  const params = new Map<string, string[]>();
  if (pair !== undefined)
    for (const item of items) {
      // At the first one only: base64 ends in `=`.
      const at = item.indexOf(pair);
      if (at < 0) return malformed(`has an item without \`${pair}\``);
      const key = item.slice(0, at);
      params.set(key, params.get(key) ?? []);
      params.get(key)?.push(item.slice(at + 1));
    }

  const written = keys === undefined ? items : keys.flatMap((key) => params.get(key) ?? []);
  if (written.length === 0 && keys !== undefined)
    return refuse('unknown_key', `${place} has no signature under ${keys.join(' or ')}`);
  if (written.length > form.max) return malformed(`lists more than ${form.max} signatures`);
  const signatures = written.flatMap((one) => {
    const hasPrefix = one.startsWith(prefix);
    if (!hasPrefix && !mayLackPrefix) return [];
    const bytes = decodeText(hasPrefix ? one.slice(prefix.length) : one, encoding);
    return (bytes && form.read(bytes)) ?? [];
  });
  if (signatures.length > 0) return ok({ signatures, params });
  const after = prefix === '' || mayLackPrefix ? '' : ` after \`${prefix}\``;
  return malformed(`has no ${encoding} signature ${form.description}${after}`);
}

/** Each one is verified separately, so a large number would be work that anyone could cause. */
export const MAX_ITEMS = 100;

/** The part that differs by algorithm, among the schemes that sign a text made of pieces. */
export interface Algorithm<Key> {
  readonly form: SignatureForm;
  readonly keys: (secrets: readonly string[]) => Promise<Checked<readonly SecretKey<Key>[]>>;
  /** True if any of the claim's signatures was made over any of its contents with this key. */
  readonly matches: (key: Key, claim: Claim) => Promise<boolean>;
}

/** By template: there are far fewer templates than sources. */
const parsedTemplates = createCache<ReturnType<typeof parseSigned>>(64);

export type SignedAttempt = Omit<Attempt, 'fetch'>;

/** With `items`, each element has to be right, by any of the secrets; the index is the first element's. */
export async function verifySigned<Key>(
  scheme: SignedScheme,
  { form, keys: readKeys, matches }: Algorithm<Key>,
  { secrets, request, now }: SignedAttempt,
): Promise<Checked<Match>> {
  const keys = await readKeys(secrets);
  if (!keys.ok) return keys;
  const pieces = parsedTemplates(scheme.signed, () => parseSigned(scheme.signed));
  if (!pieces.ok) return refuse('misconfigured', `\`signed\` ${pieces.error}`);
  // Most schemes sign the bytes, so nothing is parsed for them before they are verified.
  const parsed = readsBody(scheme, pieces.value) ? await readParsed(request) : ok(null);
  if (!parsed.ok) return parsed;
  const { items: path } = scheme;
  const items = path === undefined ? ok([undefined]) : bodyItems(parsed.value?.payload, path, MAX_ITEMS);
  if (!items.ok) return items;

  const reader = { scheme, pieces: pieces.value, form, now };
  let first: number | null = null;
  const digests = new Set<string>();
  for (const [index, item] of items.value.entries()) {
    const claim = await readClaim(reader, { request, parsed: parsed.value, item });
    const secret = claim.ok ? await secretOf(claim.value, keys.value, matches) : claim;
    if (!secret.ok) {
      const { code, detail } = secret.error;
      return refuse(code, path === undefined ? detail : `${path}.${index}: ${detail}`);
    }
    if (index === 0) first = secret.value;
    if (claim.ok && claim.value.once !== null) digests.add(claim.value.once);
  }
  const freshMs = freshFor(scheme.timestamp?.tolerance);
  return ok({ secret: first, once: digests.size === 0 ? null : { digests: [...digests], freshMs } });
}

const readsBody = ({ field, items, timestamp }: SignedScheme, pieces: readonly SignedPiece[]): boolean =>
  (field ?? items ?? timestamp?.body) !== undefined || has(pieces, 'body') || has(pieces, 'form_sorted');

async function secretOf<Key>(
  claim: Claim,
  keys: readonly SecretKey<Key>[],
  matches: Algorithm<Key>['matches'],
): Promise<Checked<number | null>> {
  // Every key is tried, so that the duration does not reveal which one it was.
  const matched = await Promise.all(keys.map(async ({ key }) => matches(key, claim)));
  const { secret } = keys[matched.indexOf(true)] ?? {};
  return secret === undefined
    ? refuse(
        'mismatch',
        `${claim.signatures.length} signature(s) in ${claim.place}, checked with ${keys.length} key(s): none was made over this request`,
      )
    : ok(secret);
}

const LENGTHS = { md5: 16, sha1: 20, sha256: 32, sha512: 64 } as const;
const HASHES = { md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256', sha512: 'SHA-512' } as const;

const MAX_SIGNATURES = 16;

/**
 * `digest` repeats the sender's computation for a content and a secret. Signatures are compared in constant time:
 * `subtle.verify` would hash a large body once for each pair of secret and listed signature, work that anyone could cause.
 * Signatures of other lengths are not in the list.
 */
const digestAlgorithm = (
  scheme: SecretOptions & { readonly algorithm: keyof typeof LENGTHS },
  digest: (content: Uint8Array, secret: Uint8Array) => Promise<ArrayBuffer>,
): Algorithm<Uint8Array> => ({
  form: ofLength(LENGTHS[scheme.algorithm], MAX_SIGNATURES),
  keys: async (secrets) => readKeys(secrets, scheme.secret_separator, (text) => decodeSecret(text, scheme)),
  matches: async (secret, { signatures, contents }) => {
    const expected = await Promise.all(contents.map(async (content) => digest(content(secret), secret)));
    const equal = expected.map((one) =>
      signatures.filter((given) => crypto.subtle.timingSafeEqual(given, one)),
    );
    return equal.flat().length > 0;
  },
});

/** Each is verified over the whole content, which cannot be hashed once for all; senders list two or three. */
export const MAX_PUBLIC_KEY_SIGNATURES = 4;

export const publicKeyAlgorithm = (
  form: SignatureForm,
  keys: Algorithm<CryptoKey>['keys'],
): Algorithm<CryptoKey> => ({
  form,
  keys,
  // Stops at the first one that is right: a public key is not a secret, so the duration reveals nothing.
  matches: async (key, { signatures, contents }) => {
    for (const content of contents)
      for (const signature of signatures)
        if (await isSignatureOf(key, signature, content(NO_SECRET))) return true;
    return false;
  },
});

/** `verify: { scheme: hmac, … }`: the options, checked to fit together. */
export const hmacSchema = strictDocument({
  scheme: z.literal('hmac'),
  /** `md5` (in workerd's WebCrypto) is for old senders: its collisions are easy, but not those of its HMAC. */
  algorithm: z._default(oneOf(['md5', 'sha1', 'sha256', 'sha512']), 'sha256'),
  encoding: z._default(oneOf(['hex', 'base64', 'base64url']), 'hex'),
  ...signedShape,
  ...secretShape,
}).check(withoutConflicts(conflicts));

type HmacScheme = z.output<typeof hmacSchema>;

export const hmacAlgorithm = (scheme: HmacScheme): Algorithm<Uint8Array> =>
  digestAlgorithm(scheme, async (content, secret) =>
    crypto.subtle.sign('HMAC', await hmacKey(secret, HASHES[scheme.algorithm]), content),
  );

type Hash = (typeof HASHES)[keyof typeof HASHES];

export const hmacKey = async (bytes: Uint8Array, hash: Hash): Promise<CryptoKey> =>
  cachedKey(hash, bytes, async () =>
    crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash }, false, ['sign']),
  );

/** A plain digest of a text that contains the secret (`{secret}` in `signed`), as in HubSpot v1. */
export const hashSchema = strictDocument({
  scheme: z.literal('hash'),
  algorithm: z._default(oneOf(['sha256', 'sha512']), 'sha256'),
  encoding: z._default(oneOf(['hex', 'base64', 'base64url']), 'hex'),
  ...signedShape,
  ...secretShape,
}).check(withoutConflicts(conflicts));

type HashScheme = z.output<typeof hashSchema>;

/** Returns the secret that was part of the text whose digest the request carries. */
export async function verifyHash(scheme: HashScheme, attempt: SignedAttempt): Promise<Checked<Match>> {
  // Length extension: the digest of a text gives that of a longer text without the secret. The padding between the two
  // begins with the byte 0x80, which cannot follow text in UTF-8.
  if (decodeUtf8(attempt.request.body) === null) return refuse('malformed', 'the body is not UTF-8');
  const hash = digestAlgorithm(scheme, async (content) =>
    crypto.subtle.digest(HASHES[scheme.algorithm], content),
  );
  return verifySigned(scheme, hash, attempt);
}

/** `verify: { scheme: ecdsa, … }`: P-256 with SHA-256; the "secret" is the public key (PEM, also without its first and last line, or JWK). */
export const ecdsaSchema = strictDocument({
  scheme: z.literal('ecdsa'),
  encoding: z._default(oneOf(['hex', 'base64', 'base64url']), 'base64'),
  /** The encoding of the signature's two numbers: ASN.1 DER, or 64 bytes one after the other. */
  signature_format: z._default(oneOf(['der', 'raw']), 'der'),
  ...signedShape,
}).check(withoutConflicts(conflicts));

type EcdsaScheme = z.output<typeof ecdsaSchema>;

const RAW_BYTES = 64;

export const ecdsaAlgorithm = ({ signature_format: format }: EcdsaScheme): Algorithm<CryptoKey> =>
  publicKeyAlgorithm(FORMS[format], async (keys) =>
    readKeys(keys, undefined, async (text) => importPublicKey(text, 'ES256')),
  );

const FORMS: Readonly<Record<EcdsaScheme['signature_format'], SignatureForm>> = {
  raw: ofLength(RAW_BYTES, MAX_PUBLIC_KEY_SIGNATURES),
  der: { description: 'in ASN.1 DER', max: MAX_PUBLIC_KEY_SIGNATURES, read: derToRaw },
};

const NUMBER_BYTES = 32;
const SEQUENCE = 0x30;
const INTEGER = 0x02;

/**
 * Converts an ECDSA signature of P-256 from ASN.1 DER (RFC 3279 §2.2.3) to the 64 bytes that WebCrypto needs. Null
 * unless it is encoded exactly as DER requires: no second text may count as the same signature.
 */
export function derToRaw(der: Uint8Array): Uint8Array | null {
  // The length is one byte: two numbers with their headers have 70 bytes at most.
  if (der[0] !== SEQUENCE || der[1] !== der.byteLength - 2) return null;
  const r = readInteger(der, 2);
  const s = r === null ? null : readInteger(der, r.end);
  if (r === null || s === null || s.end !== der.byteLength) return null;
  const raw = new Uint8Array(2 * NUMBER_BYTES);
  raw.set(r.digits, NUMBER_BYTES - r.digits.byteLength);
  raw.set(s.digits, 2 * NUMBER_BYTES - s.digits.byteLength);
  return raw;
}

function readInteger(der: Uint8Array, at: number): { digits: Uint8Array; end: number } | null {
  const [tag, length = 0, first = 0, second = 0] = der.subarray(at, at + 4);
  const end = at + 2 + length;
  if (tag !== INTEGER || length === 0 || end > der.byteLength) return null;
  const isNegative = first >= 0x80;
  // A leading zero is valid only if it keeps a number positive.
  const isPadded = first === 0 && length > 1;
  if (isNegative || (isPadded && second < 0x80)) return null;
  const digits = der.subarray(isPadded ? at + 3 : at + 2, end);
  return digits.byteLength <= NUMBER_BYTES ? { digits, end } : null;
}

/** `verify: { scheme: ed25519, … }`; the "secret" is the sender's public key, 32 bytes. */
export const ed25519Schema = strictDocument({
  scheme: z.literal('ed25519'),
  encoding: z._default(oneOf(['hex', 'base64', 'base64url']), 'hex'),
  ...signedShape,
  ...secretShape,
  secret_encoding: z._default(oneOf(['hex', 'base64']), 'hex'),
}).check(withoutConflicts(conflicts));

type Ed25519Scheme = z.output<typeof ed25519Schema>;

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

export const ed25519Algorithm = (scheme: Ed25519Scheme): Algorithm<CryptoKey> =>
  publicKeyAlgorithm(ofLength(SIGNATURE_BYTES, MAX_PUBLIC_KEY_SIGNATURES), async (keys) =>
    readKeys(keys, scheme.secret_separator, async (text) => readKey(text, scheme)),
  );

async function readKey(text: string, scheme: Ed25519Scheme): Promise<Result<CryptoKey, string>> {
  const bytes = decodeSecret(text, scheme);
  if (!bytes.ok) return bytes;
  if (bytes.value.byteLength !== KEY_BYTES) return err(`is not a public key of ${KEY_BYTES} bytes`);
  return importPublicKey(`${SPKI_OF_ED25519}${btoa(String.fromCharCode(...bytes.value))}`, 'EdDSA');
}

/** The beginning of each such key in its binary form (RFC 8410 §4), in base64; the 32 bytes follow. */
const SPKI_OF_ED25519 = 'MCowBQYDK2VwAyEA';

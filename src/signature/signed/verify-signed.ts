import { ok } from '../../lib/result.ts';
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
} from './signed-bytes.ts';
import { isHashOf, digestOf, refuse, type Checked, freshFor, type Match } from '../basics/request.ts';
import { type SignedScheme, type Timestamp, separators, type SecretOptions } from './signed-options.ts';
import { piecesOf, type SignedPlace, type SignedPart, parseSigned } from './signed-template.ts';
import { decodeText } from '../../lib/encoding.ts';
import { createCache } from '../../lib/cache.ts';
import type { Attempt } from '../certificates/fetched.ts';
import { type SecretKey, decodeSecret, readKeys } from './secret-key.ts';
import { isSignatureOf } from '../basics/public-key.ts';

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
export interface ClaimReader {
  readonly scheme: SignedScheme;
  readonly parts: readonly SignedPart[];
  readonly form: SignatureForm;
  readonly now: number;
}

/** Reads the signatures, then checks the conditions for all of them, then reads the signed content. */
export async function readClaim(
  { scheme, parts, form, now }: ClaimReader,
  unlisted: Omit<PlaceInput, 'params'>,
): Promise<Checked<Claim>> {
  const place = signaturePlace(scheme);
  const text = readPlace(place, unlisted);
  if (!text.ok) return text;
  const listed = readSignatures(text.value, scheme, form, describePlace(place));
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
  const isInForm = has(parts, 'form_sorted') && isForm(input.parsed);
  const hashName = isInForm ? undefined : scheme.body_hash_query;
  const contents = await readContents(scheme, parts, { ...input, timestamp: timestamp.value }, hashName);
  if (!contents.ok) return contents;
  // Of the first way to write the address: a sender that repeats a signature cannot choose among them.
  const [first] = contents.value;
  const isOnce = scheme.signed_once === true && hashName === undefined && first !== undefined;
  const once = isOnce ? digestOf(first(NO_SECRET)) : null;
  return ok({ signatures, contents: contents.value, place: describePlace(place), once });
}

const NO_SECRET = new Uint8Array();

const has = (parts: readonly SignedPart[], kind: SignedPart['kind']): boolean =>
  piecesOf(parts).some((piece) => piece.kind === kind);

/** The schema ensures that exactly one is set, and a field if elements of a list are signed. */
function signaturePlace({ header, query, field = '', items }: SignedScheme): SignedPlace {
  if (header !== undefined) return { kind: 'header', names: header };
  if (query !== undefined) return { kind: 'query', name: query };
  return { kind: items === undefined ? 'body' : 'item', path: field };
}

function readFresh(timestamp: Timestamp, input: PlaceInput, now: number): Checked<string> {
  const { header, key, body = '' } = timestamp;
  const other: SignedPlace = key === undefined ? { kind: 'body', path: body } : { kind: 'sig', key };
  const place: SignedPlace = header === undefined ? other : { kind: 'header', names: header };
  const text = readPlace(place, input);
  if (!text.ok) return text;
  const fresh = checkFreshness(text.value, timestamp, describePlace(place), now);
  return fresh.ok ? text : fresh;
}

/** `hashName`: the query parameter that proves the body, if there is one. */
async function readContents(
  scheme: SignedScheme,
  parts: readonly SignedPart[],
  input: Omit<SignedInput, 'url'>,
  hashName: string | undefined,
): Promise<Checked<readonly SignedContent[]>> {
  if (hashName !== undefined) {
    const bound = await checkBodyHash(hashName, input);
    if (!bound.ok) return bound;
  } else if (has(parts, 'form_sorted') && !isForm(input.parsed) && !has(parts, 'raw_body')) {
    return refuse('malformed', 'the body is not a form, so none of it is signed');
  }
  const contents: SignedContent[] = [];
  for (const url of has(parts, 'url') ? signedUrls(scheme, input.request, hashName) : ['']) {
    const content = signedBytes(parts, { ...input, url });
    if (!content.ok) return content;
    contents.push(content.value);
  }
  return ok(contents);
}

/** The SHA-256 of the body in hex, in a query parameter: it proves the body, since the address is signed. */
async function checkBodyHash(name: string, input: PlaceInput): Promise<Checked<void>> {
  const text = readPlace({ kind: 'query', name }, input);
  return text.ok ? isHashOf(input.request.body, text.value, `query parameter ${name}`) : text;
}

/** Plain digits: `Number` would also take `1e9`, `0x5`, `+5` and spaces. 15 of them are still exact. */
const DIGITS = /^\d{1,15}$/;
/** From this many digits on it is milliseconds (since 1973); as seconds it would be after the year 5000. */
const MILLISECOND_DIGITS = 12;
/** RFC 3339 with its zone: without a zone, the time would depend on the reader. */
const ISO_8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/** `text`: the timestamp as it was sent; `place` names it in the refusal. `now` in ms. */
export function checkFreshness(
  text: string,
  { unit, tolerance }: Timestamp,
  place: string,
  now: number,
): Checked<void> {
  const signedAt = toMilliseconds(text, unit);
  if (signedAt === null) return refuse('malformed', `${place} is not ${DESCRIPTIONS[unit]}`);
  const age = now - signedAt;
  if (Math.abs(age) <= tolerance) return ok(undefined);
  const seconds = Math.round(Math.abs(age) / 1_000);
  const direction = age > 0 ? 'old' : 'ahead of the clock here';
  return refuse('stale', `${place} is ${seconds} s ${direction}; ${tolerance / 1_000} s are allowed`);
}

const DESCRIPTIONS: Readonly<Record<Timestamp['unit'], string>> = {
  s: 'a time in seconds, in plain digits',
  ms: 'a time in milliseconds, in plain digits',
  iso8601: 'a time such as 2026-01-31T12:00:00Z',
  auto: 'a time in seconds or milliseconds, in plain digits',
};

function toMilliseconds(text: string, unit: Timestamp['unit']): number | null {
  if (unit !== 'iso8601')
    return DIGITS.test(text) ? Number(text) * (inSeconds(text, unit) ? 1_000 : 1) : null;
  const time = ISO_8601.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

const inSeconds = (digits: string, unit: Timestamp['unit']): boolean =>
  unit === 's' || (unit === 'auto' && digits.length < MILLISECOND_DIGITS);

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
  if (text.length > MAX_TEXT) return refuse('malformed', `${place} is longer than ${MAX_TEXT} characters`);
  if (isDoubled(text, scheme)) return refuse('malformed', `${place} is given more than once`);
  const items = splitList(text, scheme);
  const params = readParams(items, scheme);
  if (params === null)
    return refuse('malformed', `${place} has an item without \`${separators(scheme).pair}\``);

  const written = scheme.keys === undefined ? items : scheme.keys.flatMap((key) => params.get(key) ?? []);
  if (written.length === 0 && scheme.keys !== undefined)
    return refuse('unknown_key', `${place} has no signature under ${scheme.keys.join(' or ')}`);
  if (written.length > form.max)
    return refuse('malformed', `${place} lists more than ${form.max} signatures`);

  const signatures = written.map((one) => decodeSignature(one, scheme, form)).filter((one) => one !== null);
  if (signatures.length > 0) return ok({ signatures, params });
  return refuse(
    'malformed',
    `${place} has no ${scheme.encoding} signature ${form.description}${expectedPrefix(scheme)}`,
  );
}

/** Headers with the same name arrive joined by `, `, which appears only in lists with commas. */
function isDoubled(text: string, scheme: SignedScheme): boolean {
  const { list } = separators(scheme);
  return list !== undefined && list !== ',' && text.includes(', ');
}

/** Trailing separators and doubled spaces make empty items, which are skipped. */
function splitList(text: string, scheme: SignedScheme): readonly string[] {
  const { list } = separators(scheme);
  if (list === undefined) return [text.trim()];
  return text
    .split(list)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Splits at the first separator only: base64 ends in `=`. Null if an item has none. */
function readParams(
  items: readonly string[],
  scheme: SignedScheme,
): ReadonlyMap<string, readonly string[]> | null {
  const params = new Map<string, string[]>();
  const { pair } = separators(scheme);
  if (pair === undefined) return params;
  for (const item of items) {
    const at = item.indexOf(pair);
    if (at < 0) return null;
    const key = item.slice(0, at);
    const values = params.get(key) ?? [];
    params.set(key, values);
    values.push(item.slice(at + 1));
  }
  return params;
}

function decodeSignature(written: string, scheme: SignedScheme, form: SignatureForm): Uint8Array | null {
  const { prefix = '', prefix_optional = false, encoding } = scheme;
  const hasPrefix = written.startsWith(prefix);
  if (!hasPrefix && !prefix_optional) return null;
  const bytes = decodeText(hasPrefix ? written.slice(prefix.length) : written, encoding);
  return bytes === null ? null : form.read(bytes);
}

const expectedPrefix = ({ prefix, prefix_optional }: SignedScheme): string =>
  prefix === undefined || prefix_optional === true ? '' : ` after \`${prefix}\``;

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
  const parts = parsedTemplates(scheme.signed, () => parseSigned(scheme.signed));
  if (!parts.ok) return refuse('misconfigured', `\`signed\` ${parts.error}`);
  // Most schemes sign the bytes, so nothing is parsed for them before they are verified.
  const parsed = readsBody(scheme, parts.value) ? await readParsed(request) : ok(null);
  if (!parsed.ok) return parsed;
  const { items: path } = scheme;
  const items = path === undefined ? ok([undefined]) : bodyItems(parsed.value?.payload, path, MAX_ITEMS);
  if (!items.ok) return items;

  const reader = { scheme, parts: parts.value, form, now };
  const found: (number | null)[] = [];
  const digests = new Set<string>();
  for (const [index, item] of items.value.entries()) {
    const claim = await readClaim(reader, { request, parsed: parsed.value, item });
    const secret = claim.ok ? await secretOf(claim.value, keys.value, matches) : claim;
    if (!secret.ok) {
      const { code, detail } = secret.error;
      return refuse(code, path === undefined ? detail : `${path}.${index}: ${detail}`);
    }
    found.push(secret.value);
    if (claim.ok && claim.value.once !== null) digests.add(claim.value.once);
  }
  const [first] = found;
  if (first === undefined) return refuse('missing_field', `body field ${path} is an empty list`);
  const freshMs = freshFor(scheme.timestamp?.tolerance);
  return ok({ secret: first, once: digests.size === 0 ? null : { digests: [...digests], freshMs } });
}

const readsBody = ({ field, items, timestamp }: SignedScheme, parts: readonly SignedPart[]): boolean =>
  (field ?? items ?? timestamp?.body) !== undefined ||
  piecesOf(parts).some(({ kind }) => kind === 'body' || kind === 'form_sorted');

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
export const HASHES = { md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256', sha512: 'SHA-512' } as const;

const MAX_SIGNATURES = 16;

/**
 * `digest` repeats the sender's computation for a content and a secret. Signatures are compared in constant time:
 * `subtle.verify` would hash a large body once for each pair of secret and listed signature, work that anyone could cause.
 * Signatures of other lengths are not in the list.
 */
export const digestAlgorithm = (
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
): Algorithm<CryptoKey> => ({ form, keys, matches: async (key, claim) => isSigned(claim, key) });

/** Stops at the first one that is right: a public key is not a secret, so the duration reveals nothing. */
async function isSigned({ signatures, contents }: Claim, key: CryptoKey): Promise<boolean> {
  for (const content of contents) {
    for (const signature of signatures) {
      if (await isSignatureOf(key, signature, content(NO_SECRET))) return true;
    }
  }
  return false;
}

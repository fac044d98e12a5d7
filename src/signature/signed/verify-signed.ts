import { createCache } from '../../lib/cache.ts';
import { ok } from '../../lib/result.ts';
import { bodyItems, readParsed } from './place.ts';
import { type Claim, readClaim, type SignatureForm, ofLength } from './claim.ts';
import { freshFor, type Match } from '../basics/match.ts';
import type { Attempt } from '../certificates/fetched.ts';
import { refuse, type Checked } from '../basics/request.ts';
import { type SecretKey, decodeSecret, readKeys } from './secret-key.ts';
import type { SignedScheme, SecretOptions } from './signed-options.ts';
import { parseSigned, piecesOf, type SignedPart } from './signed-template.ts';
import { isSignatureOf } from '../basics/public-key.ts';

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

const NO_SECRET = new Uint8Array();

/** Stops at the first one that is right: a public key is not a secret, so the duration reveals nothing. */
async function isSigned({ signatures, contents }: Claim, key: CryptoKey): Promise<boolean> {
  for (const content of contents) {
    for (const signature of signatures) {
      if (await isSignatureOf(key, signature, content(NO_SECRET))) return true;
    }
  }
  return false;
}

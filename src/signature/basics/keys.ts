import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import * as z from 'zod/mini';
import { createCache } from '../../lib/cache.ts';
import { decodeText, type Encoding } from '../../lib/encoding.ts';
import { maybeJson } from '../../lib/json.ts';
import { type FieldError, fieldError } from '../../lib/problem.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { pinnedUrl, whyNotPublic } from '../../lib/url.ts';
import { recordOf, someText } from '../../schema/parts.ts';
import { refuse, type Checked } from './request.ts';

/** RFC 7518 §3.3. */
export const MIN_RSA_BITS = 2_048;

/** Signatures that a public key checks, by their names in tokens (RFC 7518 §3.1, RFC 8037 §3.1), and their keys. */
const KINDS = {
  RS256: {
    key: `RSA with at least ${MIN_RSA_BITS} bits`,
    parameters: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  },
  ES256: { key: 'ECDSA with P-256', parameters: { name: 'ECDSA', namedCurve: 'P-256' } },
  EdDSA: { key: 'Ed25519', parameters: { name: 'Ed25519' } },
} as const;

export type PublicAlgorithm = keyof typeof KINDS;

/** Returns the signatures that a key is for; null if it is too short, or of another kind. */
export function algorithmOf({
  asymmetricKeyType: type,
  asymmetricKeyDetails: { modulusLength = 0, namedCurve } = {},
}: KeyObject): PublicAlgorithm | null {
  if (type === 'rsa' && modulusLength >= MIN_RSA_BITS) return 'RS256';
  if (type === 'ec' && namedCurve === 'prime256v1') return 'ES256';
  return type === 'ed25519' ? 'EdDSA' : null;
}

/** A public key in its binary form (RFC 5280 §4.1.2.7). */
type PublicKey = Readonly<{ algorithm: PublicAlgorithm | null; spki: Uint8Array }>;

/** Without its white space. */
const PEM = /^-----BEGIN(RSA)?PUBLICKEY-----([^-]*)-----END(?:RSA)?PUBLICKEY-----$/;
/** The two characters `\n` are how a shell or a file of variables writes a line break. */
const BREAKS = /\s|\\n/g;

const NO_KEY = 'is not a public key in base64, PEM or JWK';
const PRIVATE = 'is a private key, which only its owner should have: use the public one';

const known = createCache<Result<PublicKey, string>>(64);

/** Reads a PEM file, or only its lines, or a JWK (RFC 7517) as JSON. */
const readKey = (text: string): Result<PublicKey, string> =>
  known(text, () => {
    if (text.includes('PRIVATE KEY')) return err(PRIVATE);
    if (/^\s*\{/.test(text)) return readJwk(maybeJson(text));
    const plain = text.replaceAll(BREAKS, '');
    const [, rsa, body = plain] = PEM.exec(plain) ?? [];
    const name = rsa === undefined ? 'PUBLIC KEY' : 'RSA PUBLIC KEY';
    const lines = body.replaceAll(/.{1,64}/g, '$&\n');
    return keyOf(() => createPublicKey(`-----BEGIN ${name}-----\n${lines}-----END ${name}-----`));
  });

const jwkSchema = z.looseObject({ alg: z.optional(z.string()), use: z.optional(z.literal('sig')) });

/** Reads a JWK. Its own `alg` and `use` must allow the signatures that its key is for. */
export function readJwk(value: unknown): Result<PublicKey, string> {
  const { data: jwk } = jwkSchema.safeParse(value);
  if (jwk === undefined) return err(NO_KEY);
  if ('d' in jwk || 'k' in jwk) return err(PRIVATE);
  const read = keyOf(() => createPublicKey({ key: jwk satisfies JsonWebKey, format: 'jwk' }));
  const isOther = read.ok && jwk.alg !== undefined && jwk.alg !== read.value.algorithm;
  return isOther ? ok({ ...read.value, algorithm: null }) : read;
}

function keyOf(create: () => KeyObject): Result<PublicKey, string> {
  try {
    const key = create();
    return ok({ algorithm: algorithmOf(key), spki: key.export({ format: 'der', type: 'spki' }) });
  } catch {
    return err(NO_KEY);
  }
}

/** Reads a key for these signatures, as {@link readKey} does. The error follows the name of its place. */
export function publicKey(text: string, algorithm: PublicAlgorithm): Result<PublicKey, string> {
  const read = readKey(text);
  return !read.ok || read.value.algorithm === algorithm
    ? read
    : err(`is not a public key for ${algorithm}, which needs ${KINDS[algorithm].key}`);
}

export const importKey = (spki: Uint8Array, algorithm: PublicAlgorithm): Promise<CryptoKey> =>
  cachedKey(algorithm, spki, async () =>
    crypto.subtle.importKey('spki', spki, KINDS[algorithm].parameters, false, ['verify']),
  );

export async function importPublicKey(text: string, algorithm: PublicAlgorithm) {
  const read = publicKey(text, algorithm);
  return read.ok ? ok(await importKey(read.value.spki, algorithm)) : read;
}

/** True if the signature was made over the content with the key. Whatever leaves the hash open has SHA-256 here. */
export const isSignatureOf = (key: CryptoKey, signature: Uint8Array, content: Uint8Array): Promise<boolean> =>
  crypto.subtle.verify({ name: key.algorithm.name, hash: 'SHA-256' }, key, signature, content);

/** More than sources × secrets in practice. Beyond, the cache is emptied, at one import for each secret. */
const MAX_KEYS = 64;
const imported = new Map<string, CryptoKey>();

/**
 * Importing takes longer than a check. Kept in memory only, where the secrets are anyway: the key, and not its promise,
 * which belongs to one request.
 */
export async function cachedKey(
  algorithm: string,
  bytes: Uint8Array,
  importKey: () => Promise<CryptoKey>,
): Promise<CryptoKey> {
  const id = `${algorithm}:${String.fromCharCode(...bytes)}`;
  const known = imported.get(id);
  if (known !== undefined) return known;
  const key = await importKey();
  if (imported.size >= MAX_KEYS) imported.clear();
  imported.set(id, key);
  return key;
}

/** A key, and the index of the Worker secret that it comes from; null if it comes from none. */
export interface SecretKey<Key> {
  readonly secret: number | null;
  readonly key: Key;
}

interface SecretForm {
  readonly secret_encoding: Encoding | 'utf8';
  readonly strip_secret_prefixes?: readonly string[] | undefined;
}

/** The maximum number of secrets in one Worker secret; every request is tried with each of them. */
const MAX_PIECES = 8;

/** Returns the keys of all secrets. One that cannot be read makes all fail: a typo must not look like a rotation. */
export async function readKeys<Key>(
  secrets: readonly string[],
  separator: string | undefined,
  read: (text: string) => Result<Key, string> | Promise<Result<Key, string>>,
): Promise<Checked<readonly SecretKey<Key>[]>> {
  const keys: SecretKey<Key>[] = [];
  for (const [secret, value] of secrets.entries()) {
    const pieces = separator === undefined ? [value] : value.split(separator);
    const which = `secret ${secret + 1} of ${secrets.length}`;
    if (pieces.length > MAX_PIECES)
      return refuse('misconfigured', `${which} contains more than ${MAX_PIECES} secrets`);
    for (const [index, piece] of pieces.entries()) {
      const key = await read(piece);
      const part = pieces.length === 1 ? '' : `, part ${index + 1} of ${pieces.length},`;
      if (!key.ok) return refuse('misconfigured', `${which}${part} ${key.error}`);
      keys.push({ secret, key: key.value });
    }
  }
  return ok(keys);
}

export function decodeSecret(
  secret: string,
  { secret_encoding, strip_secret_prefixes = [] }: SecretForm,
): Result<Uint8Array, string> {
  if (secret === '') return err('is empty');
  const prefix = strip_secret_prefixes.find((candidate) => secret.startsWith(candidate)) ?? '';
  const text = secret.slice(prefix.length);
  const key = secret_encoding === 'utf8' ? new TextEncoder().encode(text) : decodeText(text, secret_encoding);
  if (key === null) return err(`is not ${secret_encoding}`);
  return key.byteLength === 0 ? err('is empty once it is decoded') : ok(key);
}

/** Where a sender's public key is, if it is not in the source's secrets: at most one of these. */
export const keyShape = {
  key: z.optional(
    z.pipe(
      z.union([someText(8_192), recordOf(z.unknown())], { error: 'must be a public key: a PEM, or a JWK' }),
      z.transform((key: string | Record<string, unknown>) =>
        typeof key === 'string' ? key : JSON.stringify(key),
      ),
    ),
  ),
  jwks: z.optional(someText(2_048)),
};

type KeyOptions = z.output<z.ZodMiniObject<typeof keyShape>>;

/** True if the document has the public key or its address, so that the source needs no secret. */
export const hasKey = ({ key, jwks }: KeyOptions): boolean => (key ?? jwks) !== undefined;

export function keyConflicts({ key, jwks }: KeyOptions, algorithm: PublicAlgorithm): readonly FieldError[] {
  const read = key === undefined ? null : publicKey(key, algorithm);
  const address = jwks === undefined ? null : whyNoKeySet(jwks);
  return [
    ...(read?.ok === false ? [fieldError('key', 'malformed', `${read.error}. ${GIVE_KEY}`)] : []),
    ...(address === null ? [] : [fieldError('jwks', 'malformed', address)]),
    ...(key !== undefined && jwks !== undefined ? [fieldError('jwks', 'conflict', NOT_BOTH)] : []),
  ];
}

const NOT_BOTH = 'cannot be used together with `key`: leave one of the two out';

const GIVE_KEY = "Copy the sender's whole block from `-----BEGIN PUBLIC KEY-----` on, or its JWK with `kty`";

const ANY_HOST = /./;

function whyNoKeySet(text: string): string | null {
  const url = pinnedUrl(text, ANY_HOST);
  if (url === null)
    return 'must be a plain https address without a port, such as `https://api.example.com/.well-known/jwks.json`';
  const why = whyNotPublic(url.hostname);
  return why === null ? null : `must be a public address, but ${why}: name the sender's own host`;
}

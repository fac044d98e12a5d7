import * as z from 'zod/mini';
import { err, ok, type Result } from '../../lib/result.ts';
import { decodeText } from '../../lib/encoding.ts';
import { refuse, type Checked } from '../basics/request.ts';
import type { SecretOptions } from './signed-options.ts';
import { type FieldError, fieldError } from '../../lib/problem.ts';
import { whyNotPublic } from '../../lib/url.ts';
import { recordOf, someText } from '../../schema/parts.ts';
import { publicKey, type PublicAlgorithm } from '../basics/public-key.ts';
import { pinnedUrl } from '../certificates/fetched.ts';

/** A key, and the index of the Worker secret that it comes from; null if it comes from none. */
export interface SecretKey<Key> {
  readonly secret: number | null;
  readonly key: Key;
}

interface SecretForm {
  readonly secret_encoding: SecretOptions['secret_encoding'];
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

const encoder = new TextEncoder();

export function decodeSecret(
  secret: string,
  { secret_encoding, strip_secret_prefixes = [] }: SecretForm,
): Result<Uint8Array, string> {
  if (secret === '') return err('is empty');
  const prefix = strip_secret_prefixes.find((candidate) => secret.startsWith(candidate)) ?? '';
  const text = secret.slice(prefix.length);
  const key = secret_encoding === 'utf8' ? encoder.encode(text) : decodeText(text, secret_encoding);
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

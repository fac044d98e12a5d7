import { err, ok, type Result } from '../../lib/result.ts';
import { decodeText } from '../basics/encoding.ts';
import { refuse, type SignatureRefusal } from '../basics/refusal.ts';
import type { SecretOptions } from './signed-options.ts';

/** A key, and the index of the Worker secret that it comes from; null if it comes from none. */
export interface SecretKey<Key> {
  readonly secret: number | null;
  readonly key: Key;
}

/** The options that turn the text of a secret into bytes. */
interface SecretForm {
  readonly secret_encoding: SecretOptions['secret_encoding'];
  readonly strip_secret_prefixes?: readonly string[] | undefined;
}

/** The maximum number of secrets in one Worker secret; every request is tried with each of them. */
export const MAX_PIECES = 8;

/** Returns the keys of all secrets. One that cannot be read makes all fail: a typo must not look like a rotation. */
export async function readKeys<Key>(
  secrets: readonly string[],
  separator: string | undefined,
  read: (text: string) => Result<Key, string> | Promise<Result<Key, string>>,
): Promise<Result<readonly SecretKey<Key>[], SignatureRefusal>> {
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

/** Returns the bytes of a secret, or the error. */
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

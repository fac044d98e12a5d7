import { ok, type Result } from '../lib/result.ts';
import { decodeText } from './encoding.ts';
import type { HmacScheme } from './hmac-knobs.ts';
import { reject, type Rejection } from './rejection.ts';

interface SecretForm {
  readonly secret_encoding: HmacScheme['secret_encoding'];
  readonly strip_secret_prefixes?: readonly string[] | undefined;
}

/** The key bytes of each secret. One that cannot be decoded refuses all: a typo must not pass as a rotation. */
export function decodeSecrets(
  secrets: readonly string[],
  form: SecretForm,
): Result<readonly Uint8Array[], Rejection> {
  const keys: Uint8Array[] = [];
  for (const [index, secret] of secrets.entries()) {
    const key = decodeSecret(secret, form);
    const which = `secret ${index + 1} of ${secrets.length}`;
    if (key === null) return reject('misconfigured', `${which} is not ${form.secret_encoding}`);
    if (key.byteLength === 0) return reject('misconfigured', `${which} is empty once it is decoded`);
    keys.push(key);
  }
  return ok(keys);
}

function decodeSecret(
  secret: string,
  { secret_encoding, strip_secret_prefixes = [] }: SecretForm,
): Uint8Array | null {
  const prefix = strip_secret_prefixes.find((candidate) => secret.startsWith(candidate)) ?? '';
  const text = secret.slice(prefix.length);
  return secret_encoding === 'utf8' ? new TextEncoder().encode(text) : decodeText(text, secret_encoding);
}

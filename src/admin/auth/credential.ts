import { equalsInConstantTime } from '../../lib/constant-time.ts';
import { hmacKey } from '../../signature/schemes/hmac-key.ts';
import type { Token } from './tokens.ts';

/** A browser's substitute for a token: its session's cookie, or once the code that opens a session. */
export interface Credential {
  /** Of its row in the registry: without that it is worth nothing. */
  readonly id: string;
  /** ms */
  readonly expiresAt: number;
  /** By which it was signed: it is worth nothing once that is replaced. */
  readonly token: Token;
}

type CredentialKind = 'session' | 'code';

/** `{role}.{id}.{expires}.{signature}`. */
export async function writeCredential(
  kind: CredentialKind,
  { id, expiresAt, token }: Credential,
): Promise<string> {
  const signed = `${token.role}.${id}.${expiresAt}`;
  // A key for each use, so that neither is taken for the other, nor for anything else that the token may sign.
  const key = await hmac(encode(token.token), `hookbell ${kind}`);
  const signature = Array.from(await hmac(key, signed), (byte) => byte.toString(16).padStart(2, '0'));
  return `${signed}.${signature.join('')}`;
}

/** The credential in a text; null: it is of none of these tokens, or too old. */
export async function readCredential(
  kind: CredentialKind,
  text: string,
  tokens: readonly Token[],
  now: number,
): Promise<Credential | null> {
  const [role, id = '', expires] = text.split('.');
  const expiresAt = Number(expires);
  if (!(expiresAt > now)) return null;
  for (const token of tokens) {
    const credential = { id, expiresAt, token };
    if (token.role === role && (await equalsInConstantTime(text, await writeCredential(kind, credential))))
      return credential;
  }
  return null;
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const hmac = async (key: Uint8Array, text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.sign('HMAC', await hmacKey(key, 'SHA-256'), encode(text)));

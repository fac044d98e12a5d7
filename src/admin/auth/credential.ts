import { equalsInConstantTime } from '../../lib/constant-time.ts';
import { hmacKey } from '../../signature/schemes/hmac.ts';
import type { Token } from './tokens.ts';

/** A browser's substitute for a token: the cookie of its session, or the one-time code that opens a session. */
export interface Credential {
  /** The id of its row in the registry. Without the row the credential is worthless. */
  readonly id: string;
  /** ms */
  readonly expiresAt: number;
  /** The token that signed it. Once that token is replaced, the credential is worthless. */
  readonly token: Token;
}

type CredentialKind = 'session' | 'code';

/** Writes `{role}.{id}.{expires}.{signature}`. */
export async function writeCredential(
  kind: CredentialKind,
  { id, expiresAt, token }: Credential,
): Promise<string> {
  const signed = `${token.role}.${id}.${expiresAt}`;
  // Each use has its own key, so that nothing passes for a session or a code that the token signed for another use.
  const key = await hmac(encode(token.token), `hookbell ${kind}`);
  const signature = Array.from(await hmac(key, signed), (byte) => byte.toString(16).padStart(2, '0'));
  return `${signed}.${signature.join('')}`;
}

/** Reads a credential from a text; null if it has expired or none of these tokens signed it. */
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

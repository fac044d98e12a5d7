import { equalsInConstantTime } from '../../lib/constant-time.ts';
import { hmacKey } from '../../signature/schemes/signed.ts';
import type { Token } from './tokens.ts';
import { isLoopback } from '../../lib/url.ts';

/** A browser's substitute for a token: the cookie of its session, or the one-time code that opens a session. */
export interface Credential {
  /** The id of its row in the registry. Without the row the credential is worthless. */
  readonly id: string;
  readonly expiresAt: number;
  /** The token that signed it. Once that token is replaced, the credential is worthless. */
  readonly token: Token;
}

type Kind = 'session' | 'code';

/** Writes `{role}.{id}.{expires}.{signature}`. */
export async function writeCredential(kind: Kind, { id, expiresAt, token }: Credential) {
  const signed = `${token.role}.${id}.${expiresAt}`;
  // Each use has its own key, so that nothing passes for a session or a code that the token signed for another use.
  const key = await hmac(encode(token.token), `hookbell ${kind}`);
  const signature = Array.from(await hmac(key, signed), (byte) => byte.toString(16).padStart(2, '0'));
  return `${signed}.${signature.join('')}`;
}

/** Reads a credential from a text; null if it has expired or none of these tokens signed it. */
export async function readCredential(kind: Kind, text: string, tokens: readonly Token[], now: number) {
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

/** `__Host-`: no other host can set the cookie, not even one of the same domain. Null if browsers would not keep it. */
function nameAt({ hostname, protocol }: URL): string | null {
  if (protocol === 'https:') return '__Host-hookbell';
  // Browsers treat this machine as safe without TLS, but not all of them keep a `Secure` cookie from there.
  return protocol === 'http:' && isLoopback(hostname) ? 'hookbell' : null;
}

export function cookieIn({ url, headers }: Request): string | undefined {
  const name = nameAt(new URL(url));
  const cookies = (headers.get('cookie') ?? '').split('; ');
  return name === null
    ? undefined
    : cookies.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** A `Set-Cookie` for the request's browser, valid for `seconds`; null if the browser would not keep it. */
export function setCookie({ url }: Request, value: string, seconds: number): string | null {
  const name = nameAt(new URL(url));
  const secure = name === 'hookbell' ? '' : '; Secure';
  return name && `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}

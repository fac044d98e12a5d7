import { isLoopback } from '../../lib/http-url.ts';

/**
 * The name of the session's cookie at this address. `__Host-`: no other host can set it, not even one of the same
 * domain. Null if browsers would not keep the cookie.
 */
function nameAt({ hostname, protocol }: URL): string | null {
  if (protocol === 'https:') return '__Host-hookbell';
  // Browsers treat this machine as safe without TLS, but not all of them keep a `Secure` cookie from there.
  return protocol === 'http:' && isLoopback(hostname) ? 'hookbell' : null;
}

/** The session's cookie in a request. */
export function cookieIn({ url, headers }: Request): string | undefined {
  const name = nameAt(new URL(url));
  const cookies = (headers.get('cookie') ?? '').split('; ');
  return name === null
    ? undefined
    : cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** A `Set-Cookie` for the request's browser, valid for `seconds`; null if the browser would not keep it. */
export function setCookie({ url }: Request, value: string, seconds: number): string | null {
  const name = nameAt(new URL(url));
  const secure = name === 'hookbell' ? '' : '; Secure';
  return name && `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}

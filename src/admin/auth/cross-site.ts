/** The origin of a request as the browser states it; `unknown` if it does not, or if the client is not a browser. */
type RequestOrigin = 'own' | 'foreign' | 'unknown';

/**
 * Finds out if a page of this host made the request. A browser sends Access's cookie with any page's request, and Access
 * adds its header to every request with the cookie, so neither shows that the person meant it. A page cannot forge
 * these two headers.
 */
export function originOf(request: Request): RequestOrigin {
  // https://www.w3.org/TR/fetch-metadata/: `none` is the address bar or a bookmark.
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin' || site === 'none' ? 'own' : 'foreign';
  const origin = request.headers.get('origin');
  if (origin === null) return 'unknown';
  return origin === new URL(request.url).origin ? 'own' : 'foreign';
}

/** A link that a person follows, and the redirect from Access's login page, which is another site. */
export const isLink = (request: Request): boolean =>
  isRead(request) && request.method === 'GET' && request.headers.get('sec-fetch-mode') === 'navigate';

/** For what changes things by a session: programs have tokens, and every browser sends `Origin` with it. */
export const isOwnOrigin = ({ headers, url }: Request): boolean =>
  headers.get('origin') === new URL(url).origin;

/** Reads only. The tail is a `GET`, too, but one that other sites' pages could listen in on. */
export const isRead = (request: Request): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') && !request.headers.has('upgrade');

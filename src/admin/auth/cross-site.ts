/** The origin of a request as the browser states it; `unknown` if it does not, or if the client is not a browser. */
type RequestOrigin = 'own' | 'foreign' | 'unknown';

/**
 * Returns the origin of a request. A browser sends Access's cookie with any page's request, and Access adds its header
 * to every request with the cookie, so neither proves that the person meant it. A page cannot forge the two headers
 * that are read here.
 */
export function originOf(request: Request): RequestOrigin {
  // https://www.w3.org/TR/fetch-metadata/: `none` is the address bar or a bookmark.
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin' || site === 'none' ? 'own' : 'foreign';
  const origin = request.headers.get('origin');
  if (origin === null) return 'unknown';
  return origin === new URL(request.url).origin ? 'own' : 'foreign';
}

/** True for a link that a person follows, and for the redirect from Access's login page, which is another site. */
export const isLink = (request: Request): boolean =>
  isRead(request) && request.method === 'GET' && request.headers.get('sec-fetch-mode') === 'navigate';

/**
 * For requests that change something by a session. Programs have tokens, and every browser sends `Origin` with these.
 */
export const isOwnOrigin = ({ headers, url }: Request): boolean =>
  headers.get('origin') === new URL(url).origin;

/** True if the request only reads. The tail is also a `GET`, but other sites' pages could listen to it. */
export const isRead = (request: Request): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') && !request.headers.has('upgrade');

import type { Role } from './role.ts';

/** What operating a relay changes; a preview shows payloads and numbers, and a doctor's `POST` calls the gateway. */
const OPERATED =
  /^\/(?:(?:messages|events|silences)(?:\/.*)?|incidents\/[^/]+\/(?:acknowledge|resolve)|accounts\/[^/]+\/(?:pause|resume)|sources\/[^/]+\/preview|doctor)$/;

/**
 * The least role that may call a route of the admin API. Reading needs the least, and changing what nobody thought of
 * here the most. `path`: below `/admin/api/v1`; the parts of a description's (`{name}`) stand for any.
 */
export function roleFor(method: string, path: string): Role {
  // Of all logins; `/session` is one's own.
  if (/^\/sessions(\/|$)/.test(path)) return 'editor';
  if (/^(GET|HEAD)$/i.test(method) || /^\/session(\/|$)/.test(path)) return 'viewer';
  return OPERATED.test(path) ? 'operator' : 'editor';
}

/** Returns true if a filter would reveal to a viewer that a guessed number or text exists. */
export const isGuess = (name: string): boolean => name === 'phone' || name === 'text';

/** The same for a request, by its path and query. */
export const roleForRequest = (method: string, path: string, query: URLSearchParams): Role => {
  const role = roleFor(method, path);
  return role === 'viewer' && [...query.keys()].some(isGuess) ? 'operator' : role;
};

import type { FormRules } from '../../config/compiled/form-rules.ts';

type Origins = Pick<FormRules, 'origins'>;

/** True if a page of this origin may post. `origin` is null if the request does not say where it comes from. */
export function mayPost({ origins }: Origins, origin: string | null): boolean {
  if (origins === 'any') return true;
  // A page from disk, or one that hides its address, sends `null`.
  if (origin === null || origin === 'null') return false;
  return origins === null || origins.includes(origin);
}

/** The headers that let a script of the page read the answer (the Fetch standard's CORS). */
export const corsHeaders = (
  { origins }: Origins,
  origin: string | null,
): Readonly<Record<string, string>> => ({
  vary: 'Origin',
  'access-control-allow-origin': Array.isArray(origins) && origin !== null ? origin : '*',
  'access-control-expose-headers': 'Retry-After',
});

/** A day: Chromium keeps it for two hours at most. */
const PREFLIGHT_SECONDS = '86400';

/** The answer to a browser that asks whether a script may post JSON. */
export const preflight = (rules: Origins, origin: string | null): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...corsHeaders(rules, origin),
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'Content-Type, Accept',
      'access-control-max-age': PREFLIGHT_SECONDS,
    },
  });

/** The longest address of a page. */
const MAX_PAGE = 2_048;

/**
 * Returns the page to which the form sends its visitor, if it belongs to a declared origin; null otherwise. A path is
 * resolved against `origin`.
 */
export function nextPage({ origins }: Origins, next: unknown, origin: string | null): string | null {
  if (typeof next !== 'string' || next === '' || next.length > MAX_PAGE || !Array.isArray(origins))
    return null;
  const url = URL.parse(next, origin ?? undefined);
  // An address with a login, or of a `blob:`, has the origin of its page, too.
  return url !== null && origins.includes(url.origin) && url.href.startsWith(`${url.origin}/`)
    ? url.href
    : null;
}

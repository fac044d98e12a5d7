import { err, ok, type Result } from './result.ts';

/**
 * Characters that programs read differently: a browser takes a backslash for a slash, and drops tabs and line breaks.
 */
// oxlint-disable-next-line no-control-regex -- these are what is refused
const AMBIGUOUS = /[\\\u0000-\u001f\u007f-\u009f]/;

/**
 * Parses an address that can be fetched. Programs may read the same text as different addresses. So pass on the
 * result's `href`, which is the address that a check has seen, and never the text.
 */
export function httpUrl(text: string): Result<URL, string> {
  const trimmed = text.trim();
  if (AMBIGUOUS.test(trimmed))
    return err('contains a backslash, a line break or another control character, which a URL must not');
  const url = URL.parse(trimmed);
  return url === null || !/^https?:$/.test(url.protocol) ? err('is not an http(s) URL') : ok(url);
}

/** True if a host, as {@link URL} writes it, is this machine. Requests to it do not cross a network. */
export const isLoopback = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** Matches a scheme and a whole host before the first part that a template fills in. */
const NAMED = /^\s*https?:\/\/[^\s/?#\\{}]+(?=[/?#]|\s*$)/i;

/** True if the template of a URL contains the whole host: `https://shop.example/{{ payload.id }}`. */
export const namesItsHost = (template: string): boolean => NAMED.test(template);

import { err, ok, type Result } from './result.ts';

/** A browser reads a backslash as a slash and drops tabs and line breaks; other programs do neither. */
// oxlint-disable-next-line no-control-regex -- these are what is refused
const AMBIGUOUS = /[\\\u0000-\u001f\u007f-\u009f]/;

/**
 * The address in a text, if it can be fetched. Programs read one text as different addresses, so `href` of the result is
 * what has to be sent on, never the text: it is what a check of the result has seen.
 */
export function httpUrl(text: string): Result<URL, string> {
  const trimmed = text.trim();
  if (AMBIGUOUS.test(trimmed))
    return err('contains a backslash, a line break or another control character, which a URL must not');
  const url = URL.parse(trimmed);
  return url === null || !/^https?:$/.test(url.protocol) ? err('is not an http(s) URL') : ok(url);
}

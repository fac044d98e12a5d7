import { err, ok, type Result } from './result.ts';

/**
 * The address in a text, if it can be fetched. A URL parser drops line breaks and tabs; a gateway that does not drop
 * them would read another address than was checked.
 */
export function httpUrl(text: string): Result<URL, string> {
  const url = URL.parse(text.trim());
  return url === null || !/^https?:$/.test(url.protocol) || /[\t\r\n]/.test(text.trim())
    ? err('is not an http(s) URL')
    : ok(url);
}

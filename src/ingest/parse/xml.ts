import type { Result } from '../../lib/result.ts';
import type { ParseRefusal } from './refusal.ts';
import { decodeText } from './text.ts';
import { readXml } from './xml-reader.ts';

/**
 * An XML body as plain objects, in the shape that a template can walk: the root element's name is the one key.
 * - An element with text alone is that text, unchanged; an empty one is `""`.
 * - Any other is an object: attributes as `@name`, child elements by name, repeated ones as a list, and text between
 *   them, if there is more than white space, as `#text`. Names keep their prefix (`soap:Envelope`), comments and
 *   processing instructions are left out. No entities but XML's own five are known, nothing is ever fetched, and depth
 *   and size are bounded (see `xml-reader.ts`).
 */
export function parseXml(body: Uint8Array, charset?: string): Result<unknown, ParseRefusal> {
  const decoded = decodeText(body, encodingOf(body, charset));
  if (!decoded.ok) return decoded;
  // XML §2.11.
  return readXml(decoded.value.replace(/\r\n?/g, '\n'));
}

/** RFC 7303 §3: a byte-order mark comes before the charset of the Content-Type, and that before the declaration. */
function encodingOf(body: Uint8Array, charset: string | undefined): string {
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  if (charset !== undefined) return charset;
  const head = new TextDecoder('latin1').decode(body.subarray(0, 200));
  return DECLARED_ENCODING.exec(head)?.[1] ?? 'utf-8';
}

const DECLARED_ENCODING = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([A-Za-z][\w.-]*)["']/;

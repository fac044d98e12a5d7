import { parseXml as parseXmlText, XmlElement, XmlError, XmlText } from '@rgrove/parse-xml';
import { err, ok, type Result } from '../../lib/result.ts';
import { malformed, type ParseRefusal } from './refusal.ts';
import { decodeText } from './text.ts';
import { checkXmlLimits } from './xml-limits.ts';

/**
 * An XML body as plain objects, in the shape that a template can walk: the root element's name is the one key.
 * - An element with text alone is that text, unchanged; an empty one is `""`.
 * - Any other is an object: attributes as `@name`, child elements by name, repeated ones as a list, and text between
 *   them, if there is more than white space, as `#text`. Names keep their prefix (`soap:Envelope`), comments and
 *   processing instructions are left out. No entities but XML's own five are known, nothing is ever fetched, and depth
 *   and size are bounded (see `xml-limits.ts`).
 */
export function parseXml(body: Uint8Array, charset?: string): Result<unknown, ParseRefusal> {
  const decoded = decodeText(body, encodingOf(body, charset));
  if (!decoded.ok) return decoded;
  // The parser would do this (XML §2.11) in quadratic time.
  const text = decoded.value.replace(/\r\n?/g, '\n');
  const refusal = checkXmlLimits(text);
  if (refusal !== null) return err(refusal);
  try {
    const { root } = parseXmlText(text);
    return root === null
      ? err(malformed('The XML has no root element.'))
      : ok({ [root.name]: valueOf(root) });
  } catch (error) {
    return err(malformed(`The XML is malformed${error instanceof XmlError ? explain(error) : ''}.`));
  }
}

/** RFC 7303 §3: a byte-order mark overrides the charset of the Content-Type, which overrides the declaration. */
function encodingOf(body: Uint8Array, charset: string | undefined): string {
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  if (charset !== undefined) return charset;
  const head = new TextDecoder('latin1').decode(body.subarray(0, 200));
  return DECLARED_ENCODING.exec(head)?.[1] ?? 'utf-8';
}

const DECLARED_ENCODING = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([A-Za-z][\w.-]*)["']/;

/** The parser's message continues with names and an excerpt of the body; only its beginning is safe to show. */
function explain({ message, line, column }: XmlError): string {
  const [words] = message.split(/ for element |: | \(line /);
  return ` at line ${line}, column ${column}: ${words}`;
}

function valueOf(element: XmlElement): unknown {
  const entries = new Map<string, unknown>();
  for (const [name, value] of Object.entries(element.attributes)) entries.set(`@${name}`, value);
  const children = Map.groupBy(
    element.children.filter((node) => node instanceof XmlElement),
    ({ name }) => name,
  );
  for (const [name, same] of children) {
    const values = same.map(valueOf);
    entries.set(name, values.length === 1 ? values[0] : values);
  }
  const text = element.children.map((node) => (node instanceof XmlText ? node.text : '')).join('');
  if (entries.size === 0) return text;
  if (text.trim() !== '') entries.set('#text', text);
  return Object.fromEntries(entries);
}

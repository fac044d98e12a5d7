import { parseXml as parseXmlText, XmlElement, XmlError, XmlText } from '@rgrove/parse-xml';
import { ok } from '../../lib/result.ts';
import { malformed, MAX_DEPTH, placeOf, tooDeep, decodeText, type Parsed } from './text.ts';

/**
 * An XML body as plain objects, in the shape that a template can walk: the root element's name is the one key.
 * - An element with text alone is that text, unchanged; an empty one is `""`.
 * - Any other is an object: attributes as `@name`, child elements by name, repeated ones as a list, and text between
 *   them, if there is more than white space, as `#text`. Names keep their prefix (`soap:Envelope`), comments and
 *   processing instructions are left out. No entities but XML's own five are known, nothing is ever fetched, and depth
 *   and size are bounded (see {@link checkXmlLimits}).
 */
export function parseXml(body: Uint8Array, charset?: string): Parsed {
  const decoded = decodeText(body, encodingOf(body, charset));
  if (!decoded.ok) return decoded;
  // The parser would do this (XML §2.11) in quadratic time.
  const text = decoded.value.replace(/\r\n?/g, '\n');
  const refusal = checkXmlLimits(text);
  if (refusal !== null) return refusal;
  try {
    const { root } = parseXmlText(text);
    return root === null ? malformed('The XML has no root element.') : ok({ [root.name]: valueOf(root) });
  } catch (error) {
    return malformed(`The XML is malformed${error instanceof XmlError ? explain(error) : ''}.`);
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

/** Elements and attributes together; a feed or SOAP call has some hundreds. */
export const MAX_XML_NODES = 20_000;

/**
 * Before the real parser, which recurses at each level: refuses a text that is too deep, has too many nodes, or
 * defines entities. Agrees with the parser up to the first fault, where the parser stops too.
 */
export function checkXmlLimits(text: string): ReturnType<typeof malformed> | null {
  let depth = 0;
  let nodes = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    const end = endOfMarkup(text, at);
    // The markup is not closed: the parser reads nothing after it either.
    if (end === null) return null;
    const { after, attributes, last } = end;
    if (text.startsWith('<!DOCTYPE', at)) {
      // A DTD can define entities, and with them a body that expands to any size.
      if (last === '[') return malformed(`The XML has a DTD at ${placeOf(text, at)}. Send it without one.`);
    } else if (text.startsWith('</', at)) depth -= 1;
    else if (!text.startsWith('<!', at) && !text.startsWith('<?', at)) {
      nodes += 1 + attributes;
      if (nodes > MAX_XML_NODES)
        return malformed(`The XML has more than ${MAX_XML_NODES} elements and attributes.`);
      if (depth === MAX_DEPTH) return tooDeep('The XML', placeOf(text, at));
      if (text.charAt(after - 2) !== '/') depth += 1;
    }
    at = after;
  }
  return null;
}

/** Markup that has its own end mark and may hold anything; it ends with the text if it has none. */
const OPAQUE = /<!--[^]*?(?:-->|$)|<!\[CDATA\[[^]*?(?:\]\]>|$)|<\?[^]*?(?:\?>|$)/y;
/** A part of any other: an attribute's value, or what ends it, `>` or the `[` of a DTD. */
const TAG_PART = /"[^"]*(?:"|$)|'[^']*(?:'|$)|[>[]/g;

function endOfMarkup(text: string, start: number) {
  OPAQUE.lastIndex = start;
  if (OPAQUE.test(text)) return { after: OPAQUE.lastIndex, attributes: 0, last: '' };
  TAG_PART.lastIndex = start;
  for (let attributes = 0; ; attributes += 1) {
    const part = TAG_PART.exec(text);
    if (part === null) return null;
    const [last] = part;
    if (last === '>' || last === '[') return { after: TAG_PART.lastIndex, attributes, last };
  }
}

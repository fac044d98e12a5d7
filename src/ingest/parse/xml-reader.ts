import { err, ok, type Result } from '../../lib/result.ts';
import { malformed, MAX_DEPTH, placeOf, tooDeep, type ParseRefusal } from './refusal.ts';

/** Elements and attributes together; a feed or SOAP call has some hundreds. */
export const MAX_XML_NODES = 20_000;

// XML 1.0, §2.2 and §2.3. Line ends are `\n` before a text is read (§2.11).
const FOREIGN = /[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
const START =
  ':A-Z_a-z\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
const NAME = `[${START}][-.0-9\\xB7\\u0300-\\u036F\\u203F\\u2040${START}]*`;
const QUOTED = `(?:"[^"]*"|'[^']*')`;

const sticky = (source: string): RegExp => new RegExp(source, 'uy');

const BLANK = sticky('[ \\t\\n]+');
const DECLARATION = sticky(
  `<\\?xml[ \\t\\n]+version[ \\t\\n]*=[ \\t\\n]*${QUOTED}(?:[ \\t\\n]+(?:encoding|standalone)[ \\t\\n]*=[ \\t\\n]*${QUOTED}){0,2}[ \\t\\n]*\\?>`,
);
const DOCTYPE = sticky(
  `<!DOCTYPE[ \\t\\n]+${NAME}(?:[ \\t\\n]+(?:SYSTEM|PUBLIC[ \\t\\n]*${QUOTED})[ \\t\\n]*${QUOTED})?[ \\t\\n]*([>[])`,
);
const INSTRUCTION = sticky(`<\\?(?!xml[ \\t\\n?])${NAME}(?=[ \\t\\n?])`);
const OPENING = sticky(`<(${NAME})`);
const ATTRIBUTE = sticky(`[ \\t\\n]+(${NAME})[ \\t\\n]*=[ \\t\\n]*(?:"([^<"]*)"|'([^<']*)')`);
const OPENED = sticky('[ \\t\\n]*(/?)>');
const CLOSING = sticky(`</(${NAME})[ \\t\\n]*>`);
const TEXT = sticky('[^<]*');
const REFERENCE = /&(?:#(\d+)|#x([\dA-Fa-f]+)|(lt|gt|amp|quot|apos));|&/g;

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** An element whose end tag was not read yet. */
interface Open {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: Map<string, unknown[]>;
  text: string;
}

/**
 * Reads a well-formed XML document into plain objects; see `parseXml` for their shape. It keeps the open elements in a list, so
 * that no depth exhausts the stack, and reads no further than a bound or a fault.
 */
export function readXml(text: string): Result<unknown, ParseRefusal> {
  const reader = new XmlReader(text);
  const root = reader.read();
  return reader.refusal === null ? ok(root) : err(reader.refusal);
}

class XmlReader {
  readonly #text: string;
  readonly #open: Open[] = [];
  #at = 0;
  #nodes = 0;
  #root: Record<string, unknown> | null = null;
  refusal: ParseRefusal | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  read(): unknown {
    const foreign = FOREIGN.exec(this.#text);
    if (foreign !== null) return this.#fail('Invalid character', foreign.index);
    this.#prolog();
    if (!this.#startTag()) this.#fail('Root element is missing or invalid');
    for (let open = this.#open.at(-1); open !== undefined && !this.#stopped; open = this.#open.at(-1))
      this.#content(open);
    while (this.#misc());
    if (this.#at < this.#text.length) this.#fail('Extra content at the end of the document');
    return this.#root;
  }

  get #stopped(): boolean {
    return this.refusal !== null;
  }

  /** Takes what a pattern matches at this place. */
  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = this.#stopped ? null : pattern.exec(this.#text);
    if (match !== null) this.#at = pattern.lastIndex;
    return match;
  }

  /** The first refusal counts. `what`: nothing of the text. */
  #fail(what: string, at = this.#at): void {
    this.refusal ??= malformed(`The XML is malformed at ${placeOf(this.#text, at)}: ${what}.`);
  }

  #prolog(): void {
    this.#take(/\uFEFF/y);
    this.#take(DECLARATION);
    while (this.#misc());
    const at = this.#at;
    const doctype = this.#take(DOCTYPE);
    // A DTD can define entities, and with them a body that expands to any size.
    if (doctype?.[1] === '[')
      this.refusal = malformed(`The XML has a DTD at ${placeOf(this.#text, at)}. Send it without one.`);
    while (this.#misc());
  }

  /** True if there was a comment, a processing instruction or blanks. */
  #misc(): boolean {
    if (this.#take(BLANK) !== null) return true;
    if (this.#section('<!--', '--') !== null) {
      if (this.#take(/>/y) === null) this.#fail('A comment may not contain `--`');
      return true;
    }
    if (this.#take(INSTRUCTION) === null) return false;
    return this.#section('', '?>') !== null;
  }

  /** Takes what is between two marks; null: the first one is not here, or the other one is missing. */
  #section(begin: string, end: string): string | null {
    if (this.#stopped || !this.#text.startsWith(begin, this.#at)) return null;
    const from = this.#at + begin.length;
    const to = this.#text.indexOf(end, from);
    if (to < 0) {
      this.#fail(`\`${end}\` is missing`);
      return null;
    }
    this.#at = to + end.length;
    return this.#text.slice(from, to);
  }

  /** A text, a tag or a section inside an element. */
  #content(open: Open): void {
    const at = this.#at;
    const [text = ''] = this.#take(TEXT) ?? [];
    const stray = text.indexOf(']]>');
    if (stray >= 0) return this.#fail('`]]>` is only allowed at the end of a CDATA section', at + stray);
    open.text += this.#decoded(text, at);
    const data = this.#section('<![CDATA[', ']]>');
    if (data !== null) open.text += data;
    else if (!this.#misc() && !this.#startTag()) this.#endTag(open);
  }

  #startTag(): boolean {
    const at = this.#at;
    const [, name] = this.#take(OPENING) ?? [];
    if (name === undefined) return false;
    const attributes = this.#attributes();
    const opened = this.#take(OPENED);
    if (opened === null) this.#fail('A start tag is not complete');
    if (this.#open.length === MAX_DEPTH) this.refusal ??= tooDeep('The XML', placeOf(this.#text, at));
    this.#count();
    const element: Open = { name, attributes, children: new Map(), text: '' };
    if (opened?.[1] === '/') this.#close(element);
    else this.#open.push(element);
    return true;
  }

  #attributes(): ReadonlyMap<string, string> {
    const attributes = new Map<string, string>();
    for (let found = this.#take(ATTRIBUTE); found !== null; found = this.#take(ATTRIBUTE)) {
      const [, name = '', double, single = ''] = found;
      if (attributes.has(name)) this.#fail('Duplicate attribute');
      const value = double ?? single;
      const blanked = value.replace(/[\t\n]/g, ' ');
      attributes.set(name, this.#decoded(blanked, this.#at - 1 - value.length));
      this.#count();
    }
    return attributes;
  }

  #count(): void {
    this.#nodes += 1;
    if (this.#nodes > MAX_XML_NODES)
      this.refusal ??= malformed(`The XML has more than ${MAX_XML_NODES} elements and attributes.`);
  }

  #endTag(open: Open): void {
    const at = this.#at;
    if (this.#take(CLOSING)?.[1] !== open.name) return this.#fail('Missing end tag', at);
    this.#open.pop();
    this.#close(open);
  }

  /** Gives an element that is complete to the one around it. */
  #close(element: Open): void {
    const parent = this.#open.at(-1);
    const value = valueOf(element);
    if (parent === undefined) this.#root = Object.fromEntries([[element.name, value]]);
    else {
      const same = parent.children.get(element.name);
      if (same === undefined) parent.children.set(element.name, [value]);
      else same.push(value);
    }
  }

  /** The text with its references replaced; `at`: its place. */
  #decoded(text: string, at: number): string {
    return text.replace(REFERENCE, (_, decimal?: string, hex?: string, name = '', index = 0) => {
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      const character = code <= 0x10_ff_ff ? String.fromCodePoint(code) : ENTITIES.get(name);
      if (character === undefined) this.#fail("Named entity isn't defined", at + index);
      else if (character === '\r' || !FOREIGN.test(character)) return character;
      else this.#fail('Character reference resolves to an invalid character', at + index);
      return '';
    });
  }
}

function valueOf({ attributes, children, text }: Open): unknown {
  if (attributes.size + children.size === 0) return text;
  return Object.fromEntries<unknown>([
    ...[...attributes].map(([name, value]) => [`@${name}`, value] as const),
    ...[...children].map(([name, same]) => [name, same.length === 1 ? same[0] : same] as const),
    ...(text.trim() === '' ? [] : [['#text', text] as const]),
  ]);
}

import { parseXml as parsedBy, XmlElement, type XmlDocument } from '@rgrove/parse-xml';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseXml, checkXmlLimits, MAX_XML_NODES } from '../../../src/ingest/parse/xml.ts';
import { ok } from '../../../src/lib/result.ts';

const parse = (text: string, charset?: string) => parseXml(new TextEncoder().encode(text), charset);

/** The detail of a refusal. Fails the test if the text is taken. */
function refusal(text: string): string {
  const result = parse(text);
  if (result.ok) throw new Error(`taken: ${JSON.stringify(result.value).slice(0, 200)}`);
  expect(result.error.status).toBe(400);
  return result.error.detail;
}
const nested = (levels: number, inside = ''): string => '<a>'.repeat(levels) + inside + '</a>'.repeat(levels);
const latin = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const utf16 = (text: string): Uint8Array =>
  new Uint8Array(Uint16Array.from(`\ufeff${text}`, (c) => c.charCodeAt(0)).buffer);

it('XML is an object of its elements, attributes and text', () => {
  for (const [text, value] of [
    ['<a/>', { a: '' }],
    ['<a> x </a>', { a: ' x ' }],
    ['<a><b>1</b><c>2</c></a>', { a: { b: '1', c: '2' } }],
    ['<a><b>1</b><c/><b>2</b></a>', { a: { b: ['1', '2'], c: '' } }],
    ['<a id="7" x:y="z"/>', { a: { '@id': '7', '@x:y': 'z' } }],
    ['<a id="7">text</a>', { a: { '@id': '7', '#text': 'text' } }],
    ['<a>\n  <b>1</b>\n</a>', { a: { b: '1' } }],
    ['<a>one<b>1</b>two</a>', { a: { b: '1', '#text': 'onetwo' } }],
    ['<s:E xmlns:s="urn:x"><s:B/></s:E>', { 's:E': { '@xmlns:s': 'urn:x', 's:B': '' } }],
    ['<a><![CDATA[<b>&amp;]]></a>', { a: '<b>&amp;' }],
    ['<a>&lt;&#65;&#x1F600;&amp;</a>', { a: '<A😀&' }],
    ['<?xml version="1.0"?><!-- <x> --><?p <y> ?><a><!-- </a> --><?q?>1</a><!-- end -->', { a: '1' }],
    ['<!DOCTYPE cXML SYSTEM "http://xml.example/[cXML>.dtd"><cXML/>', { cXML: '' }],
    ['\ufeff<a>\r\n1\r</a>', { a: '\n1\n' }],
  ] as const)
    expect([text, parse(text)]).toEqual([text, ok(value)]);
});

it('XML keeps names such as `__proto__` as plain own keys', () => {
  const inner = '<constructor>2</constructor><__proto__>3</__proto__>';
  const result = parse(`<__proto__ __proto__="1">${inner}</__proto__>`);
  const value = result.ok ? result.value : null;
  expect(JSON.stringify(value)).toBe('{"__proto__":{"@__proto__":"1","constructor":"2","__proto__":"3"}}');
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

it('XML gives back any text that was escaped', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[\t\n -~\u00a0-\ud7ff]+$/), (text) => {
      const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      expect(parse(`<a><b>${escaped}</b></a>`)).toEqual(ok({ a: { b: text } }));
    }),
  );
});

it('XML is in the encoding of its byte-order mark, else of the Content-Type, else of its declaration', () => {
  const declared = (encoding: string) => latin(`<?xml version="1.0" encoding="${encoding}"?><a>\xe9</a>`);
  const e = ok({ a: 'é' });
  expect(parseXml(declared('ISO-8859-1'))).toEqual(e);
  expect(parseXml(declared('utf-8'), 'iso-8859-1')).toEqual(e);
  expect(parseXml(utf16('<a>é</a>'), 'utf-8')).toEqual(e);
  expect(parseXml(utf16('<a>é</a>').map((_, i, all) => all[i ^ 1] ?? 0))).toEqual(e);
  expect(parse('<a/>', 'utf-7')).toMatchObject({ ok: false, error: { status: 415 } });
  expect(parseXml(latin('<a>\xe9</a>'))).toMatchObject({ ok: false, error: { status: 400 } });
});

it('XML that is malformed is refused with the place, and nothing of the body', () => {
  for (const [text, detail] of [
    ['<a>', 'line 1, column 4: Missing end tag.'],
    ['<a>\n<b></a>', 'line 2, column 4: Missing end tag.'],
    ['<a b="1" b="2"/>', 'line 1, column 15: Duplicate attribute.'],
    ['<a>&secret;</a>', "line 1, column 4: Named entity isn't defined."],
    ['<a/><b/>', 'line 1, column 5: Extra content at the end of the document.'],
    ['', 'line 1, column 1: Root element is missing or invalid.'],
    ['hello', 'line 1, column 1: Root element is missing or invalid.'],
  ] as const)
    expect(refusal(text)).toBe(`The XML is malformed at ${detail}`);
  for (const text of ['<secret>', '<a secret="1" secret="2"/>', '<secret>secret</b>', '<secret x'])
    expect(refusal(text)).not.toContain('secret');
});

it('XML with a DTD that could define entities is refused', () => {
  const bomb = '<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;&x;">]><a>&y;</a>';
  expect(refusal(bomb)).toBe('The XML has a DTD at line 1, column 1. Send it without one.');
  expect(refusal('<!DOCTYPE a SYSTEM "x" [<!ENTITY f SYSTEM "file:///etc/passwd">]><a>&f;</a>')).toContain(
    'DTD',
  );
});

it('XML may have 100 levels; 101 are refused, and 100,000 without running out of stack, closed or not', () => {
  expect(parse(nested(100)).ok).toBe(true);
  expect(refusal(nested(101))).toBe(
    'The XML is nested too deeply: line 1, column 301 is more than 100 levels deep. Send flatter data.',
  );
  for (const text of [nested(100_000), '<a>'.repeat(100_000)])
    expect(refusal(text)).toContain('nested too deeply');
});

it('XML of half a million line ends is read, which the XML parser alone would copy half a million times', () => {
  expect(parse(`<a>${'\r'.repeat(500_000)}</a>`)).toEqual(ok({ a: '\n'.repeat(500_000) }));
});

/** The depth of the real parser's tree. */
function depthOf(node: XmlDocument | XmlElement): number {
  const levels = node.children.map((child) => (child instanceof XmlElement ? 1 + depthOf(child) : 0));
  return Math.max(0, ...levels);
}

it('the limits of XML count no elements that are empty, closed, or in comments, CDATA and instructions', () => {
  const many = '<a>'.repeat(500);
  for (const text of [
    `<r>${'<a/>'.repeat(500)}</r>`,
    `<r>${'<a></a>'.repeat(500)}</r>`,
    ...[`<!-- ${many} -->`, `<![CDATA[${many}]]>`, `<?p ${many}?>`].map((inside) => nested(100, inside)),
    ...' x < <!-- <a/> <![CDATA[ <?p </a></a> <!DOCTYPE'.split(' '),
  ])
    expect([text.slice(0, 40), checkXmlLimits(text)]).toEqual([text.slice(0, 40), null]);
});

it('the limits of XML refuse exactly what the parser would nest deeper, whatever the levels are made of', () => {
  const level = fc.constantFrom(
    '<a>',
    '<a b=">">',
    "<a b='/'>",
    '<a b="/>">',
    '<a b="/>" c=\'"\'>x',
    '<a><!-- </a> <a> -->',
    '<a><![CDATA[</a>]]>',
    '<a><?p </a>?>',
    '<a><b/><b></b>',
  );
  fc.assert(
    fc.property(fc.array(level, { minLength: 97, maxLength: 104, size: 'max' }), (levels) => {
      const text = levels.join('') + '</a>'.repeat(levels.length);
      expect(checkXmlLimits(text) === null).toBe(depthOf(parsedBy(text)) <= 100);
    }),
  );
});

it('the limits of XML count elements and attributes', () => {
  const half = MAX_XML_NODES / 2;
  expect(checkXmlLimits(`<r>${'<a b="1"/>'.repeat(half - 1)}</r>`)).toBeNull();
  const attributes = Array.from({ length: MAX_XML_NODES }, (_, i) => `a${i}=""`).join(' ');
  const detail = 'The XML has more than 20000 elements and attributes.';
  for (const text of [`<r>${'<a b="1"/>'.repeat(half)}</r>`, `<r ${attributes}/>`])
    expect(checkXmlLimits(text)).toMatchObject({ error: { status: 400, detail } });
});

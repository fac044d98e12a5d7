import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseXml } from '../../../src/ingest/parse/xml.ts';
import { ok } from '../../../src/lib/result.ts';

const parse = (text: string, charset?: string) => parseXml(new TextEncoder().encode(text), charset);

/** The detail of a refusal. Fails the test if the text is taken. */
function refusal(text: string): string {
  const result = parse(text);
  if (result.ok) throw new Error(`taken: ${JSON.stringify(result.value).slice(0, 200)}`);
  expect(result.error.status).toBe(400);
  return result.error.detail;
}

const nested = (levels: number): string => '<a>'.repeat(levels) + '</a>'.repeat(levels);

const latin = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const utf16 = (text: string): Uint8Array =>
  new Uint8Array(Uint16Array.from(`\ufeff${text}`, (c) => c.charCodeAt(0)).buffer);

describe('parseXml: the shape', () => {
  it.each([
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
  ])('%s', (text, value) => {
    expect(parse(text)).toEqual(ok(value));
  });

  it('keeps names such as `__proto__` as plain own keys', () => {
    const result = parse(
      '<__proto__ __proto__="1"><constructor>2</constructor><__proto__>3</__proto__></__proto__>',
    );
    const value = result.ok ? result.value : null;
    expect(JSON.stringify(value)).toBe('{"__proto__":{"@__proto__":"1","constructor":"2","__proto__":"3"}}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('gives back any text that was escaped', () => {
    const xmlText = fc.stringMatching(/^[\t\n -~\u00a0-\ud7ff]+$/);
    fc.assert(
      fc.property(xmlText, (text) => {
        const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
        expect(parse(`<a><b>${escaped}</b></a>`)).toEqual(ok({ a: { b: text } }));
      }),
    );
  });
});

describe('parseXml: the encoding', () => {
  it('is what the declaration says', () => {
    expect(parseXml(latin('<?xml version="1.0" encoding="ISO-8859-1"?><a>\xe9</a>'))).toEqual(ok({ a: 'é' }));
  });

  it('is rather what the Content-Type says', () => {
    expect(parseXml(latin('<?xml version="1.0" encoding="utf-8"?><a>\xe9</a>'), 'iso-8859-1')).toEqual(
      ok({ a: 'é' }),
    );
  });

  it('is before all what the byte-order mark says', () => {
    expect(parseXml(utf16('<a>é</a>'), 'utf-8')).toEqual(ok({ a: 'é' }));
    expect(parseXml(utf16('<a>é</a>').map((_, i, all) => all[i ^ 1] ?? 0))).toEqual(ok({ a: 'é' }));
  });

  it('must be one that is known, and the bytes must fit it', () => {
    expect(parse('<a/>', 'utf-7')).toMatchObject({ ok: false, error: { status: 415 } });
    expect(parseXml(latin('<a>\xe9</a>'))).toMatchObject({ ok: false, error: { status: 400 } });
  });
});

describe('parseXml: what is refused', () => {
  it.each([
    ['<a>', 'The XML is malformed at line 1, column 4: Missing end tag.'],
    ['<a>\n<b></a>', 'The XML is malformed at line 2, column 4: Missing end tag.'],
    ['<a b="1" b="2"/>', 'The XML is malformed at line 1, column 15: Duplicate attribute.'],
    ['<a>&secret;</a>', "The XML is malformed at line 1, column 4: Named entity isn't defined."],
    ['<a/><b/>', 'The XML is malformed at line 1, column 5: Extra content at the end of the document.'],
    ['', 'The XML is malformed at line 1, column 1: Root element is missing or invalid.'],
    ['hello', 'The XML is malformed at line 1, column 1: Root element is missing or invalid.'],
  ])('%j: what and where', (text, detail) => {
    expect(refusal(text)).toBe(detail);
  });

  it('shows nothing of the body', () => {
    for (const text of [
      '<secret>',
      '<a secret="1" secret="2"/>',
      '<a>&secret;</a>',
      '<secret>secret</b>',
      '<secret x',
    ]) {
      expect(refusal(text)).not.toContain('secret');
    }
  });

  it('a DTD that could define entities', () => {
    const bomb = '<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;&x;">]><a>&y;</a>';
    expect(refusal(bomb)).toBe('The XML has a DTD at line 1, column 1. Send it without one.');
    expect(refusal('<!DOCTYPE a SYSTEM "x" [<!ENTITY f SYSTEM "file:///etc/passwd">]><a>&f;</a>')).toContain(
      'DTD',
    );
  });

  it('more than 100 levels', () => {
    expect(parse(nested(100)).ok).toBe(true);
    expect(refusal(nested(101))).toBe(
      'The XML is nested too deeply: line 1, column 301 is more than 100 levels deep. Send flatter data.',
    );
  });

  it.each([10_000, 100_000])('%d levels, closed or not, without running out of stack', (levels) => {
    expect(refusal(nested(levels))).toContain('nested too deeply');
    expect(refusal('<a>'.repeat(levels))).toContain('nested too deeply');
  });
});

describe('parseXml: what costs time', () => {
  it('reads half a million line ends, which the XML parser alone would copy half a million times', () => {
    expect(parse(`<a>${'\r'.repeat(500_000)}</a>`)).toEqual(ok({ a: '\n'.repeat(500_000) }));
  });
});

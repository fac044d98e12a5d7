import { parseXml, XmlElement, XmlText } from '@rgrove/parse-xml';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_XML_NODES, readXml } from '../../../src/ingest/parse/xml-reader.ts';
import { ok } from '../../../src/lib/result.ts';

const nested = (levels: number, inside = ''): string => '<a>'.repeat(levels) + inside + '</a>'.repeat(levels);

/** What a refusal says; undefined: it is read. */
function refusal(text: string): string | undefined {
  const result = readXml(text);
  return result.ok ? undefined : result.error.detail;
}

describe('the bounds of an XML document', () => {
  it.each([
    ['empty elements do not nest', '<r>' + '<a/>'.repeat(500) + '</r>'],
    ['closed elements do not nest', '<r>' + '<a></a>'.repeat(500) + '</r>'],
    ['a comment holds no elements', nested(100, `<!-- ${'<a>'.repeat(500)} -->`)],
    ['a CDATA section holds no elements', nested(100, `<![CDATA[${'<a>'.repeat(500)}]]>`)],
    ['a processing instruction holds no elements', nested(100, `<?p ${'<a>'.repeat(500)}?>`)],
  ])('%s', (_, text) => {
    expect(refusal(text)).toBeUndefined();
  });

  it.each([
    ['end tags in comments', '<a><!-- </a> -->'],
    ['end tags in CDATA sections', '<a><![CDATA[</a>]]>'],
    ['end tags in processing instructions', '<a><?p </a>?>'],
    ['what looks empty but is not', '<a b="/>">'],
    ['`>` in an attribute', "<a b='>/'>"],
  ])('%s do not hide depth', (_, level) => {
    expect(refusal(level.repeat(100) + '</a>'.repeat(100))).toBeUndefined();
    expect(refusal(level.repeat(101))).toContain('nested too deeply');
  });

  it('are about elements and attributes together', () => {
    const half = MAX_XML_NODES / 2;
    expect(refusal(`<r>${'<a b="1"/>'.repeat(half - 1)}</r>`)).toBeUndefined();
    expect(refusal(`<r>${'<a b="1"/>'.repeat(half)}</r>`)).toBe(
      'The XML has more than 20000 elements and attributes.',
    );
    const attributes = Array.from({ length: MAX_XML_NODES }, (_, index) => `a${index}=""`).join(' ');
    expect(refusal(`<r ${attributes}/>`)).toContain('more than 20000');
  });
});

describe('readXml', () => {
  it.each([
    'x',
    '<',
    '<!--',
    '<!-- -- --><a/>',
    '<a b="',
    '<a b=1/>',
    '<a b="<"/>',
    '<a b="1"c="2"/>',
    '<a b/>',
    '<![CDATA[',
    '<?p',
    '<??><a/>',
    '<a/><?xml version="1.0"?>',
    ' <?xml version="1.0"?><a/>',
    '<?xml?><a/>',
    '</a></a>',
    '<!DOCTYPE',
    '<!DOCTYPE a><!DOCTYPE a><a/>',
    '<a><!DOCTYPE a></a>',
    '<a>]]></a>',
    '<a>&#0;</a>',
    '<a>&#x110000;</a>',
    `<a>&#${'9'.repeat(10_000)};</a>`,
    '<a>&lt</a>',
    '<a>&</a>',
    '<a b="&x;"/>',
    '<a>\u0007</a>',
    '<a>\ud800</a>',
    '<1/>',
    '<a><b></a></b>',
    '<a></a >x',
  ])('refuses %j, as another parser does', (text) => {
    expect(() => parseXml(text)).toThrow();
    expect(refusal(text)).toMatch(/^The XML is malformed at line 1, column \d+: /);
  });

  it('reads whatever is well-formed as another parser does', () => {
    const mark = fc.constantFrom(
      ...['<a>', '</a>', '<é:b/>', '<c d="1" e=\'"&gt;\'>', '</c>', '<c d = "x\ty&#9;z" >', '</c\n>'],
      ...['<!-- <a> -->', '<![CDATA[<a>]]>', '<![CDATA[]]>', '<?p </a>?>', '<?p?>', '<?xml-style x?>'],
      ...['&lt;', '&#65;', '&#x1F600;', '&#13;', '&amp;lt;', ' ', '\n', 'x', '>', ']', '😀'],
    );
    let read = 0;
    fc.assert(
      fc.property(fc.array(mark, { maxLength: 12 }), (marks) => {
        const text = `<?xml version="1.0"?><!DOCTYPE r><r>${marks.join('')}</r>\n`;
        const other = elsewhere(text);
        if (other === null) expect(refusal(text)).toContain('malformed');
        else expect(readXml(text)).toEqual(ok(other));
        read += other === null ? 0 : 1;
      }),
      { numRuns: 2_000 },
    );
    expect(read).toBeGreaterThan(200);
  });

  it.each([
    ['an attribute that never ends', `<a b="${'x'.repeat(1_000_000)}`],
    ['blanks that lead nowhere', `<a${' '.repeat(1_000_000)}`],
    ['references without an end', `<a>${'&#1'.repeat(300_000)}</a>`],
    ['comments without an end', '<!-- '.repeat(200_000)],
    ['CDATA without an end', `<a>${'<![CDATA['.repeat(100_000)}`],
  ])('refuses %s in linear time', (_, text) => {
    expect(refusal(text)).toContain('malformed');
  });
});

/** The same document by another parser, in the same shape; null: it refuses it. */
function elsewhere(text: string): unknown {
  try {
    const { root } = parseXml(text);
    return root === null ? null : { [root.name]: shaped(root) };
  } catch {
    return null;
  }
}

function shaped({ attributes, children }: XmlElement): unknown {
  const inner = children.filter((node) => node instanceof XmlElement);
  const text = children.map((node) => (node instanceof XmlText ? node.text : '')).join('');
  const names = Object.entries(attributes).map(([name, value]) => [`@${name}`, value]);
  if (names.length + inner.length === 0) return text;
  const lists = Map.groupBy(inner, ({ name }) => name);
  const elements = [...lists].map(([name, same]) => {
    const values = same.map(shaped);
    return [name, values.length === 1 ? values[0] : values];
  });
  return Object.fromEntries([...names, ...elements, ...(text.trim() === '' ? [] : [['#text', text]])]);
}

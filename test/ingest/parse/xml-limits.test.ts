import { parseXml, XmlElement, type XmlDocument } from '@rgrove/parse-xml';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkXmlLimits, MAX_XML_NODES } from '../../../src/ingest/parse/xml-limits.ts';

const nested = (levels: number, inside = ''): string => '<a>'.repeat(levels) + inside + '</a>'.repeat(levels);

describe('checkXmlLimits', () => {
  it.each([
    ['empty elements do not nest', '<r>' + '<a/>'.repeat(500) + '</r>'],
    ['closed elements do not nest', '<r>' + '<a></a>'.repeat(500) + '</r>'],
    ['a comment holds no elements', nested(100, `<!-- ${'<a>'.repeat(500)} -->`)],
    ['a CDATA section holds no elements', nested(100, `<![CDATA[${'<a>'.repeat(500)}]]>`)],
    ['a processing instruction holds no elements', nested(100, `<?p ${'<a>'.repeat(500)}?>`)],
  ])('%s', (_, text) => {
    expect(checkXmlLimits(text)).toBeNull();
  });

  it.each([
    ['end tags in comments', '<a><!-- </a> -->'],
    ['end tags in CDATA sections', '<a><![CDATA[</a>]]>'],
    ['end tags in processing instructions', '<a><?p </a>?>'],
    ['what looks empty but is not', '<a b="/>">'],
    ['`>` in an attribute', "<a b='>/'>"],
  ])('%s do not hide depth', (_, level) => {
    expect(checkXmlLimits(level.repeat(100))).toBeNull();
    expect(checkXmlLimits(level.repeat(101))?.detail).toContain('nested too deeply');
  });

  it('counts elements and attributes', () => {
    const half = MAX_XML_NODES / 2;
    expect(checkXmlLimits(`<r>${'<a b="1"/>'.repeat(half - 1)}</r>`)).toBeNull();
    expect(checkXmlLimits(`<r>${'<a b="1"/>'.repeat(half)}</r>`)).toEqual({
      status: 400,
      detail: 'The XML has more than 20000 elements and attributes.',
    });
    expect(
      checkXmlLimits(`<r ${Array.from({ length: MAX_XML_NODES }, (_, i) => `a${i}=""`).join(' ')}/>`),
    ).not.toBeNull();
  });

  it('leaves what is malformed to the parser', () => {
    for (const text of ['', 'x', '<', '<!--', '<a b="', '<![CDATA[', '<?p', '</a></a>', '<!DOCTYPE']) {
      expect(checkXmlLimits(text)).toBeNull();
    }
  });

  it('refuses exactly what the parser would nest deeper, whatever the levels are made of', () => {
    const level = fc.constantFrom(
      '<a>',
      '<a b=">">',
      "<a b='/'>",
      '<a b="/>" c=\'"\'>x',
      '<a><!-- </a> <a> -->',
      '<a><![CDATA[</a>]]>',
      '<a><?p </a>?>',
      '<a><b/><b></b>',
    );
    fc.assert(
      fc.property(fc.array(level, { minLength: 90, maxLength: 110, size: 'max' }), (levels) => {
        const text = levels.join('') + '</a>'.repeat(levels.length);
        expect(checkXmlLimits(text) === null).toBe(depthOf(parseXml(text)) <= 100);
      }),
    );
  });
});

/** The depth of the real parser's tree. */
function depthOf(node: XmlDocument | XmlElement): number {
  const levels = node.children.map((child) => (child instanceof XmlElement ? 1 + depthOf(child) : 0));
  return Math.max(0, ...levels);
}

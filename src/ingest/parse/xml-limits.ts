import { malformed, MAX_DEPTH, placeOf, tooDeep, type ParseRefusal } from './refusal.ts';

/** Elements and attributes together; a feed or SOAP call has some hundreds. */
export const MAX_XML_NODES = 20_000;

/**
 * Scans an XML text before the real parser, which recurses at each level. It refuses a text that is too deep, has too
 * many nodes, or defines entities. It agrees with the parser on well-formed text, and on other text up to the fault,
 * where the parser stops too.
 */
export function checkXmlLimits(text: string): ParseRefusal | null {
  let depth = 0;
  let nodes = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    const end = endOfMarkup(text, at);
    // The markup is not closed: the parser reads nothing after it either.
    if (end === null) return null;
    const { after, attributes, hasBracket } = end;
    if (text.startsWith('<!DOCTYPE', at)) {
      // A DTD can define entities, and with them a body that expands to any size.
      if (hasBracket) return malformed(`The XML has a DTD at ${placeOf(text, at)}. Send it without one.`);
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

interface MarkupEnd {
  readonly after: number;
  readonly attributes: number;
  readonly hasBracket: boolean;
}

/** Markup that has its own end mark and may hold anything. */
const OPAQUE: readonly (readonly [string, string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

function endOfMarkup(text: string, start: number): MarkupEnd | null {
  const opaque = OPAQUE.find(([mark]) => text.startsWith(mark, start));
  if (opaque === undefined) return endOfTag(text, start);
  const end = text.indexOf(opaque[1], start + opaque[0].length);
  return end < 0 ? null : { after: end + opaque[1].length, attributes: 0, hasBracket: false };
}

const TAG_MARK = /["'>[]/g;

/** Finds the end of a tag: the first `>` outside of quotes. Each quoted text is an attribute's value. */
function endOfTag(text: string, start: number): MarkupEnd | null {
  let attributes = 0;
  let at = start;
  for (;;) {
    TAG_MARK.lastIndex = at;
    const mark = TAG_MARK.exec(text);
    if (mark === null) return null;
    const [character] = mark;
    if (character === '>' || character === '[') {
      return { after: mark.index + 1, attributes, hasBracket: character === '[' };
    }
    const close = text.indexOf(character, mark.index + 1);
    if (close < 0) return null;
    attributes += 1;
    at = close + 1;
  }
}

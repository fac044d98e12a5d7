/**
 * Cutting of text. A grapheme is what a reader sees as one character: an emoji with its skin tone, a letter with its
 * accents, a flag. Lengths are UTF-16 units, the strictest count that a chat may apply.
 */

/** Made at the start, which no request pays for: it loads what every format of a language needs. */
const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Below this a surrogate pair would not fit. */
const LEAST_LENGTH = 2;

/** Text of at most `maxUtf16Units`; where something was cut off it ends with the ellipsis. */
export function truncateTo(text: string, maxUtf16Units: number, ellipsis = '…'): string {
  if (text.length <= maxUtf16Units) return text;
  const kept = maxUtf16Units - ellipsis.length;
  if (kept < 0) return text.slice(0, boundary(text, maxUtf16Units));
  return text.slice(0, boundary(text, kept)).trimEnd() + ellipsis;
}

/** Text of at most `count` graphemes, an ellipsis included. */
export function truncateGraphemes(text: string, count: number): string {
  if (text.length <= count) return text;
  let kept = 0;
  let seen = 0;
  for (const { index } of segmenter.segment(text)) {
    if (seen === count - 1) kept = index;
    if (seen++ === count) return `${text.slice(0, kept).trimEnd()}…`;
  }
  return text;
}

/**
 * Pieces of at most `maxUtf16Units` (at least 2), cut between paragraphs, else lines, else words, else graphemes. White
 * space at a cut is dropped, nothing else. Only a grapheme that is longer than a piece is cut, between code points.
 */
export function splitText(text: string, maxUtf16Units: number): string[] {
  const max = Math.max(maxUtf16Units, LEAST_LENGTH);
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > max) {
    const cut = cutAt(rest, max);
    const piece = rest.slice(0, cut).trimEnd();
    if (piece !== '') pieces.push(piece);
    rest = withoutBlanks(rest.slice(cut));
  }
  return rest === '' && pieces.length > 0 ? pieces : [...pieces, rest];
}

/** Where to cut so that the first piece has at most `max` units. */
function cutAt(text: string, max: number): number {
  const head = text.slice(0, max + 1);
  // A split paragraph is better than a piece that is less than half full.
  const half = Math.floor(max / 2);
  const candidates = [head.lastIndexOf('\n\n'), head.lastIndexOf('\n')].filter((place) => place >= half);
  const best = candidates.find((place) => boundary(text, place) === place) ?? lastWordEnd(text, head);
  if (best !== undefined) return best;
  const atGrapheme = boundary(text, max);
  return atGrapheme > 0 ? atGrapheme : max - (isLowSurrogate(text, max) ? 1 : 0);
}

function lastWordEnd(text: string, head: string): number | undefined {
  for (let place = head.length - 1; place > 0; place--) {
    if (/\s/.test(head[place] ?? '') && boundary(text, place) === place) return place;
  }
  return undefined;
}

/** Drops the blanks at the start, except one that carries an accent: such a pair is a grapheme. */
function withoutBlanks(text: string): string {
  return text.slice(boundary(text, /^\s*/.exec(text)?.[0].length ?? 0));
}

/** The last place up to `place` where one grapheme ends and the next begins. */
function boundary(text: string, place: number): number {
  if (place <= 0 || place >= text.length) return Math.max(0, Math.min(place, text.length));
  // The text before and one code point after are enough to decide.
  return segmenter.segment(text.slice(0, place + 2)).containing(place)?.index ?? place;
}

function isLowSurrogate(text: string, place: number): boolean {
  const unit = text.charCodeAt(place);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

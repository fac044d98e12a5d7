/**
 * Control characters but tabs and line feeds, and those that change the direction of the text after them: nobody types
 * them, and they could change how the text around them is shown. Joiners are none of them: scripts and emoji need them.
 */
const CONTROLS =
  // oxlint-disable-next-line no-control-regex -- these are what is removed
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f]/g;

/** Returns a text without control characters, each line ending in a line feed. */
export const withoutControls = (text: string): string =>
  text.replaceAll(/\r\n?/g, '\n').replaceAll(CONTROLS, '');

/** Returns a text with the three signs of HTML as entities: Telegram and Slack expect exactly these. */
export const withEntities = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** True if the language of a locale is German. Built-in texts exist in English and German. */
export const isGerman = (locale: string): boolean => /^de\b/i.test(locale);

/** The FNV-1a hash of UTF-16 units: the same on every machine, up to 2^32 - 1. It keeps nothing secret. */
export function fnv(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** At most four characters of a text for an error: enough to recognise it, too few to leak it. */
export function excerptOf(text: string): string {
  const [...characters] = text.slice(0, 8);
  return characters.length > 4 ? `"${characters.slice(0, 4).join('')}…"` : `"${characters.join('')}"`;
}

/** A grapheme is one character to a reader. Lengths are in UTF-16 units, the strictest count that a chat may apply. */

/** Created at startup, when no request waits for it: it loads the data that every language format needs. */
const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

export const graphemesIn = (text: string): number => [...segmenter.segment(text)].length;

export const firstGraphemes = (text: string, count: number): string =>
  [...segmenter.segment(text)]
    .slice(0, count)
    .map(({ segment }) => segment)
    .join('');

/** The shortest piece: a surrogate pair has to fit. */
const LEAST_LENGTH = 2;

/** Cuts a text to at most `maxUtf16Units`. A cut text ends in the ellipsis. */
export function truncateTo(text: string, maxUtf16Units: number, ellipsis = '…'): string {
  if (text.length <= maxUtf16Units) return text;
  const kept = maxUtf16Units - ellipsis.length;
  if (kept < 0) return text.slice(0, boundary(text, maxUtf16Units));
  return text.slice(0, boundary(text, kept)).trimEnd() + ellipsis;
}

/** Cuts a text to at most `count` graphemes, including the ellipsis. */
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
 * Splits a text into pieces of at most `maxUtf16Units` (at least 2). Cuts between paragraphs if possible, else between
 * lines, words or graphemes. Drops white space at a cut, and nothing else. Only a grapheme that is longer than a piece
 * is cut itself, between code points.
 */
export function splitText(text: string, maxUtf16Units: number): string[] {
  const max = Math.max(maxUtf16Units, LEAST_LENGTH);
  const pieces: string[] = [];
  let start = 0;
  while (text.length - start > max) {
    const cut = start + cutIn(text.slice(start, start + max + LOOKAHEAD), max);
    const piece = text.slice(start, cut).trimEnd();
    if (piece !== '') pieces.push(piece);
    start = afterBlanks(text, cut);
  }
  const rest = text.slice(start);
  return rest === '' && pieces.length > 0 ? pieces : [...pieces, rest];
}

/** The next code point decides whether a grapheme ends at a place. */
const LOOKAHEAD = 2;

/** Returns the place to cut a text that is longer than `max`. The first piece then has at most `max` units. */
function cutIn(text: string, max: number): number {
  // Segments the piece once. Asking at each place would read all the text before it each time.
  const ends = new Uint8Array(text.length + 1);
  for (const { index } of segmenter.segment(text)) ends[index] = 1;
  const mayCut = (place: number): boolean => ends[place] === 1;
  const head = text.slice(0, max + 1);
  // Splitting a paragraph is better than a piece that is less than half full.
  const half = Math.floor(max / 2);
  const breaks = [head.lastIndexOf('\n\n'), head.lastIndexOf('\n')].filter((place) => place >= half);
  const best =
    breaks.find(mayCut) ?? lastBefore(head.length, (place) => isBlank(head[place]) && mayCut(place));
  if (best !== undefined) return best;
  const atGrapheme = lastBefore(max + 1, mayCut);
  return atGrapheme ?? max - (/[\udc00-\udfff]/.test(text.charAt(max)) ? 1 : 0);
}

/** Returns the last place before `end`, and after the beginning, for which `is` holds. */
function lastBefore(end: number, is: (place: number) => boolean): number | undefined {
  for (let place = end - 1; place > 0; place -= 1) if (is(place)) return place;
  return undefined;
}

const isBlank = (unit: string | undefined): boolean => /\s/.test(unit ?? '');

/** Skips the blanks from `start` on, except one that carries an accent: the two are one grapheme. */
function afterBlanks(text: string, start: number): number {
  let end = start;
  while (end < text.length && isBlank(text[end])) end += 1;
  if (end === start || end === text.length) return end;
  const around = text.slice(end - 1, end + LOOKAHEAD);
  return segmenter.segment(around).containing(1)?.index === 0 ? end - 1 : end;
}

/** Returns the last place up to `place` where one grapheme ends and the next begins. */
function boundary(text: string, place: number): number {
  if (place <= 0 || place >= text.length) return Math.max(0, Math.min(place, text.length));
  // The text before it and one code point after it are enough to decide.
  return segmenter.segment(text.slice(0, place + 2)).containing(place)?.index ?? place;
}

/** A run of text with one look. Links are http(s) only. */
export type Span = Readonly<{ text: string; marks: readonly Mark[]; href?: string }>;

type Mark = 'bold' | 'italic' | 'strike' | 'mono';

const DELIMITERS: ReadonlyMap<string, Mark> = new Map([
  ['```', 'mono'],
  ['`', 'mono'],
  ['*', 'bold'],
  ['_', 'italic'],
  ['~', 'strike'],
]);
/** Beyond this a message is cut for display: looking for a delimiter's partner takes time. */
const MAX_SHOWN = 8192;
/** A link does not include a quote or bracket at its end, or the punctuation of the sentence around it. */
const LINK = /https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]}*_~]/g;

/**
 * Chat text as spans, as a phone shows it: `*bold*`, `_italic_`, `~strike~`, mono between single or triple backticks,
 * links. A delimiter counts only at the edge of a word, next to text, and within one line; triple backticks span lines.
 */
export function parseChatText(text: string): Span[] {
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  return parseMarks(shown, []);
}

/** The spans' text without marks, on one line. */
export const plainChatText = (spans: readonly Span[]): string =>
  spans
    .map(({ text }) => text)
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim();

function parseMarks(text: string, marks: readonly Mark[]): Span[] {
  const spans: Span[] = [];
  let plainFrom = 0;
  for (let at = 0; at < text.length; at += 1) {
    const link = linkAt(text, at);
    // A link is one span: the underscores in it are not marks.
    if (link !== null) {
      at += link.length - 1;
      continue;
    }
    const marked = markedAt(text, at, marks);
    if (!marked) continue;
    spans.push(...linkify(text.slice(plainFrom, at), marks), ...spansOf(marked, marks));
    plainFrom = marked.end;
    at = marked.end - 1;
  }
  return [...spans, ...linkify(text.slice(plainFrom), marks)];
}

type Marked = Readonly<{ mark: Mark; inner: string; end: number }>;

const spansOf = ({ mark, inner }: Marked, marks: readonly Mark[]): Span[] =>
  mark === 'mono' ? [{ text: inner, marks: [...marks, mark] }] : parseMarks(inner, [...marks, mark]);

function markedAt(text: string, start: number, open: readonly Mark[]): Marked | null {
  const delimiter = text.startsWith('```', start) ? '```' : text.charAt(start);
  const mark = DELIMITERS.get(delimiter);
  if (mark === undefined || open.includes(mark) || isWord(text.charAt(start - 1))) return null;
  const from = start + delimiter.length;
  const end = findClosing(text, from, delimiter);
  return end === null ? null : { mark, inner: text.slice(from, end), end: end + delimiter.length };
}

function findClosing(text: string, from: number, delimiter: string): number | null {
  const acrossLines = delimiter === '```';
  if (!acrossLines && isSpace(text.charAt(from))) return null;
  const newline = acrossLines ? -1 : text.indexOf('\n', from);
  const limit = newline < 0 ? text.length : newline;
  for (
    let at = text.indexOf(delimiter, from + 1);
    at >= 0 && at < limit;
    at = text.indexOf(delimiter, at + 1)
  ) {
    const outside = text.charAt(at + delimiter.length);
    if (acrossLines || (!isSpace(text.charAt(at - 1)) && !isWord(outside))) return at;
  }
  return null;
}

const isSpace = (character: string): boolean => character === '' || /\s/.test(character);
/** The word joiners of `plain` as well: the sign between two of them is meant literally. */
const isWord = (character: string): boolean => /[\p{L}\p{N}\u2060]/u.test(character);

function linkAt(text: string, at: number): string | null {
  if (!text.startsWith('http', at)) return null;
  const link = new RegExp(LINK.source, 'y');
  link.lastIndex = at;
  return link.exec(text)?.[0] ?? null;
}

function linkify(text: string, marks: readonly Mark[]): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const { 0: href, index } of text.matchAll(LINK)) {
    if (index > from) spans.push({ text: text.slice(from, index), marks });
    spans.push({ text: href, marks, href });
    from = index + href.length;
  }
  if (from < text.length) spans.push({ text: text.slice(from), marks });
  return spans;
}

import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';
import { shellWord } from '../shared/shell-word.ts';

/** Control characters that a terminal obeys, and marks of direction: a stranger's text may contain them. */
// oxlint-disable-next-line no-control-regex -- it searches for them
const DANGEROUS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Text from outside, safe on a terminal: line breaks and tabs stay, other control characters become `\u001b`. */
export const safe = (text: string): string =>
  text.replaceAll('\r\n', '\n').replaceAll(DANGEROUS, (control) => escaped(control));

/** A control character as JavaScript and JSON write it. */
export const escaped = (control: string): string =>
  `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The same on one line. */
export const oneLine = (text: string): string =>
  safe(text)
    .replaceAll(/\s*\n\s*/g, ' ⏎ ')
    .replaceAll('\t', ' ');

/** The width of a terminal that does not say its own. */
export const STANDARD_COLUMNS = 80;

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

export const widthOf = (text: string): number => stringWidth(text);

/** The text, cut to at most `columns`, with `…` at the cut. */
export function clip(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += widthOf(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** The text in lines of at most `columns`, broken at spaces; a longer word has a line for itself. */
export const wrap = (text: string, columns: number): readonly string[] => wrapAnsi(text, columns).split('\n');

/** The same for a sentence, whose short parts in backticks stay whole. */
export const wrapSentence = (text: string, columns: number): readonly string[] =>
  wrap(
    text.replaceAll(/`[^`]+`/g, (code) =>
      widthOf(code) > columns / 2 ? code : code.replaceAll(' ', UNBROKEN),
    ),
    columns,
  ).map((line) => line.replaceAll(UNBROKEN, ' '));

/** Stands for a space where no line is broken; no text has it. */
const UNBROKEN = '\ue000';

export const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : shellWord(text));

export const capital = (text: string): string => text.replace(/^./, (letter) => letter.toUpperCase());

/** `1 source`, `2 sources`. */
export const count = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`;

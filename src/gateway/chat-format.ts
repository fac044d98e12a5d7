import { withEntities } from '../lib/text.ts';

/** The format of texts for a gateway. `chat`: unchanged; `plain`: without the signs; `html`: with tags. */
export type Format = 'chat' | 'plain' | 'html';

/** The signs of chat formatting (see the `bold` filter), and their HTML tags. */
const TAGS: Readonly<Record<string, string>> = { '*': 'b', _: 'i', '~': 's', '`': 'code' };
const FENCE = '```';

/** Stands on both sides of a sign that is meant literally; see the `plain` filter. Only a chat needs it. */
const JOINER = '\u2060';

/** Matches a sign, or a whole link, whose signs are literal. */
const SIGN_OR_LINK = /(?<![a-z0-9])(?:https?:\/\/|www\.)[^\s<>"]+|[*_~`]/gi;

/** Converts a text with chat formatting for the gateway. The cost grows with the length of the text. */
export function formatted(text: string, format: Format): string {
  if (format === 'chat') return text;
  const write = format === 'html' ? HTML : PLAIN;
  const parts = text.split(FENCE);
  // A fence that nothing closes is literal.
  const open = parts.length % 2 === 0 ? parts.splice(-2).join(FENCE) : null;
  const lines = (part: string): string =>
    part
      .split('\n')
      .map((line) => inLine(line, write))
      .join('\n');
  const made = parts.map((part, at) => (at % 2 === 1 ? write.marked(write.text(part), 'pre') : lines(part)));
  return made.join('') + (open === null ? '' : lines(open));
}

const withoutJoiners = (text: string): string => text.replaceAll(JOINER, '');

const PLAIN = { text: withoutJoiners, marked: (inner: string, _tag: string): string => inner };

const HTML: typeof PLAIN = {
  text: (text) => withEntities(withoutJoiners(text)),
  marked: (inner, tag) => `<${tag}>${inner}</${tag}>`,
};

function inLine(line: string, write: typeof PLAIN): string {
  const signs = signsIn(line);
  let next = 0;
  /** The line between two places. `isLiteral`: inside fixed width, signs are. */
  function between(from: number, end: number, isLiteral: boolean): string {
    let made = '';
    let behind = from;
    for (let sign = signs[next]; sign !== undefined && sign.at < end; sign = signs[next]) {
      next += 1;
      const { at, tag, closesAt } = sign;
      // A sign that would close only after the formatting around it is literal as well.
      if (isLiteral || at < behind || closesAt === null || closesAt >= end) continue;
      made += write.text(line.slice(behind, at));
      made += write.marked(between(at + 1, closesAt, tag === 'code'), tag);
      behind = closesAt + 1;
    }
    return made + write.text(line.slice(behind, end));
  }
  return between(0, line.length, false);
}

/** The signs of a line, each with the next sign of the same kind that can close it. */
function signsIn(line: string) {
  const closing: Record<string, number> = {};
  const signs: { at: number; tag: string; closesAt: number | null }[] = [];
  for (const { 0: sign, index: at } of [...line.matchAll(SIGN_OR_LINK)].toReversed()) {
    if (sign.length > 1) continue;
    const [before, after] = [line.charAt(at - 1), line.charAt(at + 1)];
    if (before === JOINER && after === JOINER) continue;
    const opens = !isWord(before) && !isBlank(after);
    const next = closing[sign];
    const closesAt = opens && next !== undefined && next > at + 1 ? next : null;
    signs.push({ at, tag: TAGS[sign] ?? '', closesAt });
    if (!isBlank(before) && !isWord(after)) closing[sign] = at;
  }
  return signs.toReversed();
}

const isBlank = (character: string): boolean => character === '' || /\s/.test(character);
const isWord = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);

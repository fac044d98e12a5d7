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

interface Writer {
  readonly text: (text: string) => string;
  readonly marked: (inner: string, tag: string) => string;
}

const withoutJoiners = (text: string): string => text.replaceAll(JOINER, '');

const PLAIN: Writer = { text: withoutJoiners, marked: (inner) => inner };

const HTML: Writer = {
  text: (text) => withEntities(withoutJoiners(text)),
  marked: (inner, tag) => `<${tag}>${inner}</${tag}>`,
};

type Sign = Readonly<{ at: number; sign: string; closesAt: number | null }>;

function inLine(line: string, write: Writer): string {
  /** The text at each depth, with the place and tag of its closing sign. */
  const open = [{ made: '', tag: '', closesAt: Infinity }];
  const top = () => open.at(-1) ?? { made: '', tag: '', closesAt: Infinity };
  let from = 0;
  for (const { at, sign, closesAt } of signsIn(line)) {
    const within = top();
    const closes = within.closesAt === at;
    // Inside fixed width, signs are literal. So is a sign that would close only after the formatting around it.
    const opens = !closes && closesAt !== null && closesAt < within.closesAt && within.tag !== 'code';
    if (!closes && !opens) continue;
    within.made += write.text(line.slice(from, at));
    from = at + 1;
    if (opens) open.push({ made: '', tag: TAGS[sign] ?? '', closesAt });
    else {
      open.pop();
      top().made += write.marked(within.made, within.tag);
    }
  }
  return top().made + write.text(line.slice(from));
}

/** The signs of a line, each with the next sign of the same kind that can close it. */
function signsIn(line: string): readonly Sign[] {
  const closing: Record<string, number> = {};
  const signs: Sign[] = [];
  for (const { 0: sign, index: at } of [...line.matchAll(SIGN_OR_LINK)].toReversed()) {
    if (sign.length > 1) continue;
    const [before, after] = [line.charAt(at - 1), line.charAt(at + 1)];
    if (before === JOINER && after === JOINER) continue;
    const opens = !isWord(before) && !isBlank(after);
    const next = closing[sign];
    signs.push({ at, sign, closesAt: opens && next !== undefined && next > at + 1 ? next : null });
    if (!isBlank(before) && !isWord(after)) closing[sign] = at;
  }
  return signs.toReversed();
}

const isBlank = (character: string): boolean => character === '' || /\s/.test(character);
const isWord = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);

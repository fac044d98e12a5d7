import { err, ok, type Result } from '../../lib/result.ts';
import { graphemesIn } from '../../lib/text.ts';
import { memoized } from '../../lib/cache.ts';

export interface SyntaxProblem {
  readonly message: string;
  readonly at: number;
}

// Other white space is refused as unexpected.
const BLANK = /[ \t\r\n\u00a0\u2000-\u200a\u202f\u205f\u3000]+/y;

/** `\p{L}` takes a millisecond to compile, more than the rest of a template: in ASCII, plain classes match the same. */
export const inAscii = memoized(
  (pattern) =>
    new RegExp(
      pattern
        .replaceAll(String.raw`\p{L}`, 'A-Za-z')
        .replaceAll(String.raw`\p{M}`, '')
        .replaceAll(String.raw`\p{Nd}`, '0-9'),
      'y',
    ),
);

/** After the first problem it moves to the end, so that grammar rules need no exceptions: they find nothing more. */
export class Scanner {
  readonly text: string;
  readonly #isAscii: boolean;
  pos: number;
  depth = 0;
  problem: SyntaxProblem | undefined;

  constructor(text: string, begin = 0, end = text.length) {
    this.text = text.slice(0, end);
    // oxlint-disable-next-line no-control-regex -- all of ASCII
    this.#isAscii = /^[\x00-\x7f]*$/.test(this.text.slice(begin));
    this.pos = begin;
  }

  /** Consumes and returns the match of a sticky pattern here; undefined if there is none. */
  take(wanted: RegExp): string | undefined {
    const pattern = this.#isAscii && wanted.unicode ? inAscii(wanted.source) : wanted;
    pattern.lastIndex = this.pos;
    const match = pattern.exec(this.text)?.[0];
    if (match !== undefined) this.pos += match.length;
    return match;
  }

  skipBlank(): void {
    this.take(BLANK);
  }

  /** Like `take`, after blanks. */
  next(pattern: RegExp): string | undefined {
    this.skipBlank();
    return this.take(pattern);
  }

  fail(message: string, at = this.pos): void {
    this.problem ??= { message, at };
    this.pos = this.text.length;
  }

  /** Refuses the rest. `expected` says what is valid here. */
  expectEnd(expected: string): void {
    this.skipBlank();
    if (this.pos < this.text.length) this.fail(`unexpected ${this.snippet()}: expected ${expected}`);
  }

  snippet(): string {
    const rest = this.text.slice(this.pos).trim();
    const word = /^(?:[\p{L}\p{M}\p{Nd}_.-]{1,24}|.)/u.exec(rest)?.[0];
    return word === undefined ? 'end' : `\`${word}\``;
  }
}

/** Columns are in characters as a reader counts them. A source of one line needs no line number. */
export function describeProblem(source: string, { message, at }: SyntaxProblem): string {
  const before = source.slice(0, at).split('\n');
  const column = graphemesIn(before.at(-1) ?? '') + 1;
  const line = source.trimEnd().includes('\n') ? `line ${before.length}, ` : '';
  return `${line}column ${column}: ${message}`;
}

/** A part of a source: text, an output, or a tag with the name. */
export interface Token {
  readonly is: 'text' | 'output' | 'tag';
  readonly name: string;
  readonly source: string;
  readonly begin: number;
  readonly end: number;
  /** Where its content does: without braces, dashes and the name; that of a text, without the white space that tags remove. */
  readonly from: number;
  readonly to: number;
}

export const textOf = ({ source, begin, end }: Token): string => source.slice(begin, end);

export const contentOf = ({ source, from, to }: Token): string => source.slice(from, to);

const OPENING = /\{[{%]/g;
const END_OF_RAW = /\{%-?\s*endraw/g;
/** Braces in a text in quotes end no output. */
const OUTPUT = /\{\{(?:"[^"\\]*(?:\\[^][^"\\]*)*"|'[^'\\]*(?:\\[^][^'\\]*)*'|[^"'])*?\}\}/y;
const NAME = /#|[\p{L}\p{M}\p{Nd}_?-]+/uy;

export function tokensOf(source: string): Result<readonly Token[], SyntaxProblem> {
  const tokens: Token[] = [];
  for (let at = 0; at < source.length;) {
    const last = tokens.at(-1);
    const isRaw = last?.name === 'raw';
    const opening = isRaw ? END_OF_RAW : OPENING;
    opening.lastIndex = at;
    const begin = opening.exec(source)?.index ?? source.length;
    const trims = [last?.source[last.end - 3], source[begin + 2]].map((sign) => !isRaw && sign === '-');
    tokens.push(textToken(source, at, begin, trims));
    if (begin === source.length) break;
    const isOutput = source[begin + 1] === '{';
    OUTPUT.lastIndex = begin;
    const length = isOutput ? OUTPUT.exec(source)?.[0].length : source.indexOf('%}', begin + 2) + 2 - begin;
    const end = begin + (length ?? 0);
    if (end < begin + 4) {
      const rest = source.slice(begin);
      const shown = JSON.stringify(rest.length > 32 ? `${rest.slice(0, 29)}...` : rest);
      return err({ at: begin, message: `${isOutput ? 'output' : 'tag'} ${shown} not closed` });
    }
    const from = begin + (source[begin + 2] === '-' ? 3 : 2);
    const content = source.slice(from, Math.max(from, end - (source[end - 3] === '-' ? 3 : 2))).trimEnd();
    const to = from + content.length;
    const token = isOutput
      ? ok({ is: 'output', name: '', source, begin, end, from: to - content.trimStart().length, to } as const)
      : tagToken(source, [begin, end], from, to);
    if (!token.ok) return token;
    tokens.push(token.value);
    at = end;
  }
  return ok(tokens);
}

function textToken(source: string, begin: number, end: number, [left, right]: readonly boolean[]): Token {
  const text = source.slice(begin, end);
  const from = left ? end - text.trimStart().length : begin;
  const to = right ? Math.max(from, begin + text.trimEnd().length) : end;
  return { is: 'text', name: '', source, begin, end, from, to };
}

function tagToken(
  source: string,
  [begin, end]: readonly [number, number],
  from: number,
  to: number,
): Result<Token, SyntaxProblem> {
  const scanner = new Scanner(source, from, to);
  const name = scanner.next(NAME);
  if (name === undefined)
    return err({ at: begin, message: `expected the name of a tag, found ${scanner.snippet()}` });
  return ok({ is: 'tag', name, source, begin, end, from: scanner.pos, to });
}

/** The tags of a `liquid` tag, one in each line. */
export function linesOf({ source, from, to }: Token): Result<readonly Token[], SyntaxProblem> {
  const tokens: Token[] = [];
  for (const { 0: line, index } of source.slice(from, to).matchAll(/\S[^\n]*/g)) {
    const [begin, end] = [from + index, from + index + line.trimEnd().length];
    const token = tagToken(source, [begin, end], begin, end);
    if (!token.ok) return token;
    tokens.push(token.value);
  }
  return ok(tokens);
}

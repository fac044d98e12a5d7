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

import { memoized } from '../../lib/memoized.ts';

/** What is wrong in a source, and at which offset. */
export interface Problem {
  readonly message: string;
  readonly at: number;
}

/** What an expression refers to, for the check of names once the whole source is known. */
export interface Uses {
  readonly roots: { readonly name: string; readonly at: number }[];
  readonly filters: {
    readonly name: string;
    readonly at: number;
    readonly args: number;
    readonly named: boolean;
  }[];
}

// Blank as liquidjs has it; any other white space is then refused as unexpected, not read differently.
const BLANK = /[ \t\r\n\u00a0\u2000-\u200a\u202f\u205f\u3000]+/y;

/**
 * Letters of any script cost about a millisecond to compile, each pattern of them: more than all the rest of a template.
 * In ASCII, as most sources are, plain classes are the same.
 */
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

/**
 * A reader of a source. It keeps the first problem and then stands at the end, so that grammar rules need
 * no exceptions: they run out harmlessly.
 */
export class Scanner {
  readonly text: string;
  readonly #isAscii: boolean;
  pos: number;
  depth = 0;
  problem: Problem | undefined;

  constructor(text: string, begin = 0, end = text.length) {
    this.text = text.slice(0, end);
    // oxlint-disable-next-line no-control-regex -- all of ASCII
    this.#isAscii = /^[\x00-\x7f]*$/.test(this.text);
    this.pos = begin;
  }

  /** The match of a sticky pattern here, which is then behind us; undefined if there is none. */
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

  /** Refuses what is left. `expected` says what could have stood here. */
  expectEnd(expected: string): void {
    this.skipBlank();
    if (this.pos < this.text.length) this.fail(`unexpected ${this.snippet()}: expected ${expected}`);
  }

  /** The word or sign at hand, for an error. */
  snippet(): string {
    const rest = this.text.slice(this.pos).trim();
    const word = /^(?:[\p{L}\p{M}\p{Nd}_.-]{1,24}|.)/u.exec(rest)?.[0];
    return word === undefined ? 'end' : `\`${word}\``;
  }
}

/** A problem as a sentence with its place; a source of one line needs no line number. */
export function describeProblem(source: string, { message, at }: Problem): string {
  const before = source.slice(0, at).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  const line = source.trimEnd().includes('\n') ? `line ${before.length}, ` : '';
  return `${line}column ${column}: ${message}`;
}

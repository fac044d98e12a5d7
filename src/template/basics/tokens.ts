import { Scanner, type SyntaxProblem } from './scanner.ts';
import { err, ok, type Result } from '../../lib/result.ts';

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
    const trimsLeft = !isRaw && last?.source[last.end - 3] === '-';
    const trimsRight = !isRaw && source[begin + 2] === '-';
    tokens.push(textToken(source, at, begin, trimsLeft, trimsRight));
    if (begin === source.length) break;
    const isOutput = source[begin + 1] === '{';
    OUTPUT.lastIndex = begin;
    const length = isOutput
      ? (OUTPUT.exec(source)?.[0].length ?? 0)
      : source.indexOf('%}', begin + 2) + 2 - begin;
    if (length < 4) {
      const rest = source.slice(begin);
      const shown = JSON.stringify(rest.length > 32 ? `${rest.slice(0, 29)}...` : rest);
      return err({ at: begin, message: `${isOutput ? 'output' : 'tag'} ${shown} not closed` });
    }
    const token = delimited(source, begin, begin + length, isOutput ? 'output' : 'tag');
    if (!token.ok) return token;
    tokens.push(token.value);
    at = begin + length;
  }
  return ok(tokens);
}

function textToken(
  source: string,
  begin: number,
  end: number,
  trimsLeft: boolean,
  trimsRight: boolean,
): Token {
  const text = source.slice(begin, end);
  const from = trimsLeft ? end - text.trimStart().length : begin;
  const to = trimsRight ? Math.max(from, begin + text.trimEnd().length) : end;
  return { is: 'text', name: '', source, begin, end, from, to };
}

function delimited(
  source: string,
  begin: number,
  end: number,
  is: 'output' | 'tag',
): Result<Token, SyntaxProblem> {
  const first = begin + (source[begin + 2] === '-' ? 3 : 2);
  const last = Math.max(first, end - (source[end - 3] === '-' ? 3 : 2));
  const content = source.slice(first, last);
  const to = Math.max(first, first + content.trimEnd().length);
  if (is === 'tag') return tagToken(source, [begin, end], first, to);
  return ok({ is, name: '', source, begin, end, from: to - content.trim().length, to });
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

import { Value } from 'liquidjs';
import type { Template } from 'liquidjs';
import { graphemesIn } from '../lib/graphemes.ts';
import { err, ok } from '../lib/result.ts';
import type { Result } from '../lib/result.ts';
import { checkTokens } from './syntax/check.ts';
import { knownFilters, liquid } from './engine.ts';
import { describeFailure } from './basics/failure.ts';
import { guardTemplates, guardValue } from './syntax/guard.ts';
import { MAX_SOURCE_LENGTH } from './basics/limits.ts';
import { checkNames } from './syntax/names.ts';
import { TemplateTokenizer } from './syntax/tokenizer.ts';
import { createParser } from './parser.ts';
import { Scanner, describeProblem } from './basics/scanner.ts';
import type { SyntaxProblem, Uses } from './basics/scanner.ts';

const tooLong = err(`longer than ${MAX_SOURCE_LENGTH} characters`);

/** A template's nodes, and the inner texts of its outputs. */
interface ParsedTemplate {
  readonly nodes: Template[];
  readonly expressions: readonly string[];
}

/**
 * Checks and parses a template that may name `roots`. The error says what is unexpected, where, and what is valid
 * there.
 */
export function parseTemplate(source: string, roots?: readonly string[]): Result<ParsedTemplate, string> {
  if (source.length > MAX_SOURCE_LENGTH) return tooLong;
  return parseSafely(source, function parse() {
    const { options } = liquid;
    const tokenizer = new TemplateTokenizer(source, options.operators, undefined, undefined, true);
    const tokens = tokenizer.readTopLevelTokens(options);
    const findings = checkTokens(tokens, liquid);
    if ('message' in findings) return findings;
    const problem = checkNames(findings, findings.declared, knownFilters, roots);
    if (problem) return problem;
    const nodes = createParser(liquid).parseTokens(tokens);
    guardTemplates(nodes, liquid);
    return { nodes, expressions: findings.expressions };
  });
}

/** Checks one expression against a rule of the grammar, and parses it. */
export function parseExpression(
  source: string,
  rule: (scanner: Scanner, uses: Uses) => void,
  roots?: readonly string[],
): Result<Value, string> {
  if (source.length > MAX_SOURCE_LENGTH) return tooLong;
  return parseSafely(source, function parse() {
    const scanner = new Scanner(source);
    const uses: Uses = { roots: [], filters: [] };
    rule(scanner, uses);
    const problem = scanner.problem ?? checkNames(uses, new Set(), knownFilters, roots);
    if (problem) return problem;
    const value = new Value(source, liquid);
    guardValue(value);
    return value;
  });
}

function parseSafely<T extends object>(source: string, parse: () => T | SyntaxProblem): Result<T, string> {
  try {
    const parsed = parse();
    return isProblem(parsed) ? err(describeProblem(source, parsed)) : ok(parsed);
  } catch (error) {
    return err(describeParseError(source, error));
  }
}

function isProblem(parsed: object): parsed is SyntaxProblem {
  return 'message' in parsed && 'at' in parsed;
}

/** liquidjs finds only blocks that are not closed. Its text is then about the template, with the place at the end. */
function describeParseError(source: string, error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const [, what, line, column] = /^([^]*), line:(\d+), col:(\d+)$/.exec(message) ?? [];
  if (what === undefined) return describeFailure(error);
  const before = source.split('\n')[Number(line) - 1]?.slice(0, Number(column) - 1) ?? '';
  return `line ${line}, column ${graphemesIn(before) + 1}: ${what}`;
}

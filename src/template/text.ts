import { err, ok, type Result } from '../lib/result.ts';
import { describeFailure, MAX_SOURCE_LENGTH } from './basics/budget.ts';
import type { Locale } from './basics/locale.ts';
import type { Scope } from './basics/scope.ts';
import { tokensOf, describeProblem, Scanner } from './basics/tokens.ts';
import { checkNames, filteredCondition, filteredValue, noUses } from './grammar.ts';
import { parseTokens } from './parse.ts';
import {
  Context,
  renderNodes,
  type Node,
  MissingLog,
  type NamedValue,
  type Read,
  type Variable,
} from './render.ts';
import { truncateTo, withoutControls } from '../lib/text.ts';
import { isTruthy } from './basics/values.ts';

export interface CompiledText {
  readonly source: string;
  /** The inner texts of its `{{ }}` outputs, in order, to be named in the reason of a failure. */
  readonly expressions: readonly string[];
  /** Undefined if there is nothing to interpret. */
  readonly nodes: readonly Node[] | undefined;
}

/**
 * Checks and parses a template that may name `roots` (absent: the names that an event has). The error says what is
 * wrong, where, and how to fix it: unknown filters, tags and names, surplus words, blocks that are not closed.
 */
export function compileText(source: string, roots?: readonly string[]): Result<CompiledText, string> {
  if (source.length > MAX_SOURCE_LENGTH) return err(`longer than ${MAX_SOURCE_LENGTH} characters`);
  if (!/\{[{%]/.test(source)) return ok({ source, expressions: [], nodes: undefined });
  const tokens = tokensOf(source);
  const parsed = tokens.ok ? parseTokens(tokens.value) : tokens;
  if (!parsed.ok) return err(describeProblem(source, parsed.error));
  const { nodes, expressions, declared } = parsed.value;
  const problem = checkNames(parsed.value, declared, roots);
  return problem === undefined ? ok({ source, nodes, expressions }) : err(describeProblem(source, problem));
}

/**
 * Renders a template: the same scope gives the same text, on every machine. Missing variables are empty. The error
 * names the expression, the filter and the reason, with at most four characters of the payload.
 */
export function renderText(text: CompiledText, scope: Scope, locale: Locale): Result<string, string> {
  const { nodes } = text;
  if (nodes === undefined) return ok(deliverable(text.source));
  try {
    const context = new Context(scope, locale);
    return ok(deliverable(context.written(() => renderNodes(nodes, context))));
  } catch (error) {
    return err(describeFailure(error));
  }
}

/** Programs that read a message may take NUL for its end. Half a character is nothing that UTF-8 can hold. */
const deliverable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** The maximum length of a line in a list. UTF-16 units. */
const MAX_LINE = 120;

/** Enough for a line of that length behind a lot of white space; the rest is not examined. UTF-16 units. */
const MAX_RENDERED = 1_024;

/** Places for a line break inside a word, and against one: no reader sees them. */
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]/g;

/** Returns a text on one line, short, without control characters. Null if it is empty, or cannot be rendered. */
export function lineOf(text: CompiledText, scope: Scope, locale: Locale): string | null {
  const rendered = renderText(text, scope, locale);
  if (!rendered.ok) return null;
  const line = withoutControls(rendered.value.slice(0, MAX_RENDERED).toWellFormed())
    .replaceAll(INVISIBLE, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line === '' ? null : truncateTo(line, MAX_LINE);
}

export type { NamedValue } from './render.ts';

/** The variables that a text reads and the scope does not have, and its times that name no zone; each once. */
export function gapsIn({ nodes }: CompiledText, scope: Scope, locale: Locale) {
  const log = new MissingLog();
  try {
    if (nodes !== undefined) renderNodes(nodes, new Context(scope, locale, log));
  } catch {
    // The render itself reports why it fails.
  }
  return { missing: [...log.found.values()], clocks: [...log.clocks] };
}

/** Returns every variable that an expression names, in order, each once. */
export function valuesIn({ variables }: CompiledExpression, scope: Scope, locale: Locale): NamedValue[] {
  const values = variables.map((variable): [string, NamedValue] => {
    const log = new MissingLog();
    const value = log.read(variable, new Context(scope, locale, log));
    return [value.path, value];
  });
  return [...new Map(values).values()];
}

export interface CompiledExpression {
  readonly source: string;
  readonly read: Read;
  readonly variables: readonly Variable[];
}

function parseExpression(source: string, rule: typeof filteredValue, roots?: readonly string[]) {
  if (source.length > MAX_SOURCE_LENGTH) return err(`longer than ${MAX_SOURCE_LENGTH} characters`);
  const scanner = new Scanner(source);
  const uses = noUses();
  const read = rule(scanner, uses);
  const problem = scanner.problem ?? checkNames(uses, new Set(), roots);
  return problem ? err(describeProblem(source, problem)) : ok({ source, read, variables: uses.variables });
}

/** Returns the value of an expression, not its text; undefined if there is none. The error begins with its source. */
export function readPath(
  { source, read }: CompiledExpression,
  scope: Scope,
  locale: Locale,
): Result<unknown, string> {
  try {
    const value = read(new Context(scope, locale));
    // `empty` and `blank` are texts of nothing.
    return ok(typeof value === 'symbol' ? '' : value);
  } catch (error) {
    return err(`${source.trim().slice(0, 80)}: ${describeFailure(error)}`);
  }
}

/**
 * A route's `when`, for example. `a and b or c` is `a and (b or c)`, as in all Liquids; parentheses group. It may name
 * `roots`, by default those of an event.
 */
export const compileCondition = (expression: string, roots?: readonly string[]) =>
  parseExpression(expression, filteredCondition, roots);

export const compilePath = (expression: string) => parseExpression(expression, filteredValue);

/** By Liquid's rules: everything is true but `false` and null, so 0 and the empty text are. */
export function evaluateCondition(...condition: Parameters<typeof readPath>): Result<boolean, string> {
  const result = readPath(...condition);
  return result.ok ? ok(isTruthy(result.value)) : result;
}

export function readElements(path: CompiledExpression, scope: Scope, locale: Locale): readonly unknown[] {
  const list = readPath(path, scope, locale);
  return list.ok && Array.isArray(list.value) ? list.value : [];
}

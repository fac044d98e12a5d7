import { err, ok, type Result } from '../lib/result.ts';
import { describeFailure, MAX_SOURCE_LENGTH } from './basics/budget.ts';
import type { Locale } from './basics/locale.ts';
import { describeProblem, Scanner } from './basics/scanner.ts';
import type { Scope } from './basics/scope.ts';
import { isTruthy } from './basics/values.ts';
import { filteredCondition, filteredValue, noUses, type Uses } from './grammar.ts';
import { checkNames } from './names.ts';
import { Context, type Read, type Variable } from './render.ts';

export interface CompiledExpression {
  readonly source: string;
  readonly read: Read;
  readonly variables: readonly Variable[];
}

function parseExpression(
  source: string,
  rule: (scanner: Scanner, uses: Uses) => Read,
  roots?: readonly string[],
): Result<CompiledExpression, string> {
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
export const compileCondition = (
  expression: string,
  roots?: readonly string[],
): Result<CompiledExpression, string> => parseExpression(expression, filteredCondition, roots);

export const compilePath = (expression: string): Result<CompiledExpression, string> =>
  parseExpression(expression, filteredValue);

/** By Liquid's rules: everything is true but `false` and null, so 0 and the empty text are. */
export function evaluateCondition(
  condition: CompiledExpression,
  scope: Scope,
  locale: Locale,
): Result<boolean, string> {
  const result = readPath(condition, scope, locale);
  return result.ok ? ok(isTruthy(result.value)) : result;
}

export function readElements(path: CompiledExpression, scope: Scope, locale: Locale): readonly unknown[] {
  const list = readPath(path, scope, locale);
  return list.ok && Array.isArray(list.value) ? list.value : [];
}

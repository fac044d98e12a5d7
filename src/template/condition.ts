import { isTruthy } from 'liquidjs';
import type { Value } from 'liquidjs';
import { ok } from '../lib/result.ts';
import type { Result } from '../lib/result.ts';
import { parseExpression } from './compile.ts';
import { createContext } from './context.ts';
import { liquid } from './engine.ts';
import { evaluate } from './evaluate.ts';
import { filteredCondition } from './syntax/grammar.ts';
import type { Locale } from './basics/locale.ts';
import type { Scope } from './basics/scope.ts';

/** A condition that has been checked. */
export interface CompiledCondition {
  readonly source: string;
  readonly value: Value;
}

/**
 * Checks and parses a Liquid condition, such as a route's `when`. `a and b or c` is `a and (b or c)`, as in all
 * Liquids; parentheses group. It may name `roots` (absent: the names that an event has). The error says what is
 * unexpected, and where.
 */
export function compileCondition(
  expression: string,
  roots?: readonly string[],
): Result<CompiledCondition, string> {
  const parsed = parseExpression(expression, filteredCondition, roots);
  return parsed.ok ? ok({ source: expression, value: parsed.value }) : parsed;
}

/**
 * True if the condition holds, by Liquid's rules: everything is true but `false` and null, so 0 and the empty text are
 * true.
 */
export function evaluateCondition(
  condition: CompiledCondition,
  scope: Scope,
  locale: Locale,
): Result<boolean, string> {
  const context = createContext(liquid, scope, locale);
  const result = evaluate(condition, context);
  return result.ok ? ok(isTruthy(result.value, context)) : result;
}

import type { Value } from 'liquidjs';
import { ok } from '../lib/result.ts';
import type { Result } from '../lib/result.ts';
import { parseExpression } from './compile.ts';
import { createContext } from './context.ts';
import { liquid } from './engine.ts';
import { evaluate } from './evaluate.ts';
import { filteredValue } from './syntax/grammar.ts';
import type { Locale } from './basics/locale.ts';
import type { Scope } from './basics/scope.ts';

/** A value expression that has been checked. */
export interface CompiledPath {
  readonly source: string;
  readonly value: Value;
}

/** Checks and parses a value expression, such as `payload.alerts | where: "status", "firing"`. */
export function compilePath(expression: string): Result<CompiledPath, string> {
  const parsed = parseExpression(expression, filteredValue);
  return parsed.ok ? ok({ source: expression, value: parsed.value }) : parsed;
}

/** Returns the value itself, not its text; undefined if there is none. */
export function readPath(path: CompiledPath, scope: Scope, locale: Locale): Result<unknown, string> {
  return evaluate(path, createContext(liquid, scope, locale));
}

/** Returns the elements of the list at a path; none if there is no list. */
export function readElements(path: CompiledPath, scope: Scope, locale: Locale): readonly unknown[] {
  const list = readPath(path, scope, locale);
  return list.ok && Array.isArray(list.value) ? list.value : [];
}

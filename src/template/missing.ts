import { toValueSync } from 'liquidjs';
import type { Value } from 'liquidjs';
import { createContext } from './context.ts';
import { liquid } from './engine.ts';
import type { Locale } from './basics/locale.ts';
import { MissingLog, variablesIn, type Missing, type NamedValue } from './missing-log.ts';
import type { Scope } from './basics/scope.ts';
import type { CompiledText } from './text.ts';

export type { NamedValue } from './missing-log.ts';

/** Returns the variables that a text reads and the scope does not have, each once. */
export const missingIn = (text: CompiledText, scope: Scope, locale: Locale): readonly Missing[] => [
  ...logOf(text, scope, locale).found.values(),
];

/** Returns the expressions of times that name no zone, and that a text reads as UTC, each once. */
export const clocksIn = (text: CompiledText, scope: Scope, locale: Locale): readonly string[] => [
  ...logOf(text, scope, locale).clocks,
];

function logOf({ nodes }: CompiledText, scope: Scope, locale: Locale): MissingLog {
  const log = new MissingLog();
  if (nodes === undefined) return log;
  try {
    toValueSync(liquid.renderer.renderTemplates(nodes, createContext(liquid, scope, locale, log)));
  } catch {
    // The render itself reports why it fails.
  }
  return log;
}

/** Returns every variable that an expression names, in order, each once. */
export function valuesIn(expression: { readonly value: Value }, scope: Scope, locale: Locale): NamedValue[] {
  const values = variablesIn(expression.value).map((token): [string, NamedValue] => {
    const log = new MissingLog();
    const value = log.read(token, createContext(liquid, scope, locale, log));
    return [value.path, value];
  });
  return [...new Map(values).values()];
}

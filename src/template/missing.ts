import type { CompiledExpression } from './expression.ts';
import type { Locale } from './basics/locale.ts';
import { Context, MissingLog, renderNodes, type Missing, type NamedValue } from './render.ts';
import type { Scope } from './basics/scope.ts';
import type { CompiledText } from './text.ts';

export type { NamedValue } from './render.ts';

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
    renderNodes(nodes, new Context(scope, locale, log));
  } catch {
    // The render itself reports why it fails.
  }
  return log;
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

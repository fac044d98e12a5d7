import { evalToken, toValueSync, TypeGuards } from 'liquidjs';
import type { Token, Value } from 'liquidjs';
import { createContext } from './context.ts';
import { liquid } from './engine.ts';
import type { Locale } from './basics/locale.ts';
import { MAX_PATH, MissingLog, type Missing } from './missing-log.ts';
import type { Scope } from './basics/scope.ts';
import type { CompiledText } from './text.ts';

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

/** A variable of an expression and its value; `missing` says that there is none, perhaps with a hint. */
export interface NamedValue {
  readonly path: string;
  readonly value: unknown;
  readonly missing: Missing | null;
}

/** Returns every variable that an expression names, in order, each once. */
export function valuesIn(expression: { readonly value: Value }, scope: Scope, locale: Locale): NamedValue[] {
  const { initial, filters } = expression.value;
  const tokens = variablesOf([...initial.postfix, ...filters.flatMap(({ args }) => args.map(tokenOf))]);
  const values = tokens.map((token): [string, NamedValue] => {
    const log = new MissingLog();
    const path = token.getText().slice(0, MAX_PATH);
    const value = read(token, () => createContext(liquid, scope, locale, log), log);
    return [path, { path, value, missing: [...log.found.values()][0] ?? null }];
  });
  return [...new Map(values).values()];
}

function read(token: Token, context: () => Parameters<typeof evalToken>[1], log: MissingLog): unknown {
  try {
    return toValueSync(evalToken(token, context()));
  } catch (error) {
    log.take(error);
    return undefined;
  }
}

type Argument = Value['filters'][number]['args'][number];

const tokenOf = (argument: Argument): Token | undefined => (Array.isArray(argument) ? argument[1] : argument);

/** Returns the variables in tokens, and inside their parentheses. */
function variablesOf(tokens: readonly (Token | undefined)[]): Token[] {
  return tokens.flatMap((token): Token[] => {
    if (token === undefined) return [];
    if (TypeGuards.isPropertyAccessToken(token)) return [token];
    if (!TypeGuards.isFilteredValueToken(token)) return [];
    return variablesOf([...token.initial.postfix, ...token.filters.flatMap(({ args }) => args.map(tokenOf))]);
  });
}

import { UndefinedVariableError, evalToken, toValueSync, TypeGuards } from 'liquidjs';
import type { Template, Token, Value } from 'liquidjs';
import { createContext } from './context.ts';
import { liquid } from './engine.ts';
import type { Locale } from './locale.ts';
import { hint } from './print.ts';
import type { Scope } from './scope.ts';
import type { CompiledText } from './text.ts';

/** Longest path that is shown. */
const MAX_PATH = 120;
/** Among how many keys a misspelt one is looked for: a payload decides how many there are. */
const MAX_KEYS = 200;

/** A variable that stands for nothing here, and a word on the key that was perhaps meant, else an empty text. */
export interface Missing {
  readonly path: string;
  readonly hint: string;
}

/**
 * What a render reads and does not find. What a condition or a `default` reads may well be missing and is not noted,
 * nor what stands in a branch that is not taken.
 */
export class MissingLog {
  readonly found = new Map<string, Missing>();
  #last: { holder: unknown; key: unknown } = { holder: null, key: null };

  /** The look-up that has just found nothing. */
  note(holder: unknown, key: unknown): void {
    this.#last = { holder, key };
  }

  /** Takes an error that is about a missing variable; false for any other. */
  take(error: unknown, template?: Template): boolean {
    if (!(error instanceof UndefinedVariableError)) return false;
    if (template && /\|\s*default\b/.test(template.token.getText())) return true;
    const path = error.token.getText().slice(0, MAX_PATH);
    this.found.set(path, { path, hint: this.#hint() });
    return true;
  }

  #hint(): string {
    const { holder, key } = this.#last;
    if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) return '';
    // `item` is a name outside of `each` as well, and stands for nothing there.
    if (typeof key !== 'string' || Object.hasOwn(holder, key)) return '';
    return hint(key, Object.keys(holder).slice(0, MAX_KEYS));
  }
}

/** The variables that a text reads and the scope does not have, each once. */
export function missingIn({ nodes }: CompiledText, scope: Scope, locale: Locale): readonly Missing[] {
  if (nodes === undefined) return [];
  const log = new MissingLog();
  try {
    toValueSync(liquid.renderer.renderTemplates(nodes, createContext(liquid, scope, locale, log)));
  } catch {
    // Why it cannot be rendered is told where it is rendered.
  }
  return [...log.found.values()];
}

/** A variable of an expression and what it stands for; `missing` says that there is none, perhaps with a hint. */
export interface NamedValue {
  readonly path: string;
  readonly value: unknown;
  readonly missing: Missing | null;
}

/** Every variable that an expression names, in order, each once. */
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

/** The variables among tokens, and inside their parentheses. */
function variablesOf(tokens: readonly (Token | undefined)[]): Token[] {
  return tokens.flatMap((token): Token[] => {
    if (token === undefined) return [];
    if (TypeGuards.isPropertyAccessToken(token)) return [token];
    if (!TypeGuards.isFilteredValueToken(token)) return [];
    return variablesOf([...token.initial.postfix, ...token.filters.flatMap(({ args }) => args.map(tokenOf))]);
  });
}

import {
  AssignTag,
  EchoTag,
  ForTag,
  Output,
  TypeGuards,
  UndefinedVariableError,
  Value,
  evalToken,
  toValueSync,
} from 'liquidjs';
import type { CaptureTag, Context, Template, Token } from 'liquidjs';
import { hint } from './basics/print.ts';

/** The maximum length of a path that is shown. */
const MAX_PATH = 120;
/** The maximum number of keys that are compared with a misspelt one; a payload may have any number. */
const MAX_KEYS = 200;

/** A variable without a value here, and a hint at the key that was probably meant, or an empty text. */
export interface Missing {
  readonly path: string;
  readonly hint: string;
}

/** A variable of an expression and its value; `missing` says that there is none, perhaps with a hint. */
export interface NamedValue {
  readonly path: string;
  readonly value: unknown;
  readonly missing: Missing | null;
}

/**
 * Variables that a render shows or walks through and does not find. It does not note those that a condition or a
 * `default` reads, which may well be missing, nor those in a branch that is not taken, nor those of a name that is
 * assigned and not shown.
 */
export class MissingLog {
  found = new Map<string, Missing>();
  /** The expressions of times that name no zone, and that a filter has read as UTC. */
  readonly clocks = new Set<string>();
  /** What the texts lack that `assign` and `capture` gave a name. */
  readonly #behind = new Map<string, readonly Missing[]>();
  #last: { holder: unknown; key: unknown } = { holder: null, key: null };

  /** Notes the last look-up that found nothing. */
  note(holder: unknown, key: unknown): void {
    this.#last = { holder, key };
  }

  /** Notes what stands before such a filter, up to the start of its output or tag. */
  noteClock({ input, begin }: Token): void {
    const before = input.slice(0, begin).trimEnd().replace(/\|$/, '').trimEnd();
    const start =
      Math.max(before.lastIndexOf('{{'), before.lastIndexOf('{%'), before.lastIndexOf('\n') - 1) + 2;
    const expression = before.slice(start).replace(/^-?\s*(?:echo\s|assign\s[^=]*=)?\s*/, '');
    this.clocks.add(expression.slice(0, MAX_PATH));
  }

  /** Notes what a part of a template is about to read in vain. */
  look(template: Template, context: Context): void {
    const lacks = /\|\s*default\b/.test(template.token.getText())
      ? []
      : tokensOf(template).flatMap((token) => this.#lacks(token, context));
    if (template instanceof AssignTag)
      for (const { content } of template.localScope()) this.#behind.set(content, lacks);
    else for (const one of lacks) this.found.set(one.path, one);
  }

  /** Keeps what the content of a `capture` lacks for the name that it gets. The function is called after it. */
  capture({ variable }: Pick<CaptureTag, 'variable'>): () => void {
    const outer = this.found;
    this.found = new Map();
    return () => {
      this.#behind.set(variable, [...this.found.values()]);
      this.found = outer;
    };
  }

  #lacks(token: Token, context: Context): readonly Missing[] {
    const [name] = /^\w+/.exec(token.getText()) ?? [''];
    const { missing } = this.read(token, context);
    const behind = this.#behind.get(name) ?? [];
    return behind.length > 0 ? behind : missing === null ? [] : [missing];
  }

  /** Reads a variable, which liquidjs would take for empty if it is not there. */
  read(token: Token, context: Context): NamedValue {
    const path = token.getText().slice(0, MAX_PATH);
    context.strictVariables = true;
    try {
      return { path, value: toValueSync(evalToken(token, context)), missing: null };
    } catch (error) {
      // The render itself reports why it fails.
      if (!(error instanceof UndefinedVariableError)) return { path, value: undefined, missing: null };
      const missing = { path: error.token.getText().slice(0, MAX_PATH), hint: this.#hint() };
      return { path, value: undefined, missing };
    } finally {
      context.strictVariables = false;
    }
  }

  #hint(): string {
    const { holder, key } = this.#last;
    if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) return '';
    // `item` is a valid name outside of `each` as well, but has no value there.
    if (typeof key !== 'string' || Object.hasOwn(holder, key)) return '';
    return hint(key, Object.keys(holder).slice(0, MAX_KEYS));
  }
}

/** The parts that show what they read, walk through it, or give it a name. */
const READERS = [Output, EchoTag, ForTag, AssignTag];

const tokensOf = (template: Template): readonly Token[] =>
  READERS.some((part) => template instanceof part)
    ? [...(template.arguments?.() ?? [])].flatMap((one) =>
        one instanceof Value ? variablesIn(one) : variablesOf([one]),
      )
    : [];

/** Every variable that an expression names. */
export const variablesIn = ({ initial, filters }: Value): readonly Token[] =>
  variablesOf([...initial.postfix, ...filters.flatMap(({ args }) => args.map(tokenOf))]);

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

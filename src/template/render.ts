import { isObject } from '../lib/json.ts';
import { createBudget, type Budget, locateFailure, STEP, countIn, spendWeight } from './basics/budget.ts';
import type { Locale } from './basics/locale.ts';
import { hint, toText } from './basics/print.ts';
import type { Scope } from './basics/scope.ts';
import { textOf, type Token } from './basics/tokens.ts';
import { propertyOf } from './basics/values.ts';

/** Evaluates a part of an expression. */
export type Read = (context: Context) => unknown;

export interface Variable {
  readonly path: string;
  readonly read: Read;
}

/** A part of a template that has been parsed. */
export interface Node {
  readonly token: Token;
  /** The price of rendering it, without the nodes in it. */
  readonly steps: number;
  /** The variables whose values it shows, walks through or gives a name. */
  readonly shows: readonly Variable[];
  /** The name that it gives them. */
  readonly assigns?: string;
  readonly render: (context: Context) => void;
}

export function renderNodes(nodes: readonly Node[], context: Context): void {
  const { budget, missing } = context;
  budget.work(STEP);
  for (const node of nodes) {
    budget.work(STEP * node.steps);
    try {
      missing?.look(node, context);
      node.render(context);
    } catch (error) {
      throw locateFailure(error, node.token);
    }
    if (context.leaving !== null) break;
  }
}

type Names = Map<string, unknown>;

/** The state of one render, or of one evaluation, of a scope. */
export class Context {
  readonly locale: Locale;
  readonly scope: Scope;
  readonly budget: Budget;
  /** The log in which a preview notes missing variables. A render of messages has none: missing variables are empty. */
  readonly missing: MissingLog | undefined;
  /** The places where loops stopped, by loop, and those of alternations. */
  readonly places = new Map<string, number>();
  /** How the innermost loop is being left. */
  leaving: 'break' | 'continue' | null = null;
  readonly assigned: Names = new Map();
  /** The names of the loops around, the outermost first. */
  readonly loops: Names[] = [];
  #written = '';
  readonly #given: Names;

  constructor(scope: Scope, locale: Locale, missing?: MissingLog) {
    const { payload, event, headers, query, item, index, actions, notification } = scope;
    const names = { payload, event, headers, query, item, index, actions, ...notification?.names };
    this.#given = new Map(Object.entries(names));
    this.locale = locale;
    this.scope = scope;
    this.budget = createBudget(scope.budget);
    this.missing = missing;
  }

  /** Returns the value of a name: of the innermost loop, or one that is assigned, or of the scope. */
  valueOf(name: string): unknown {
    const loop = this.loops.findLast((names) => names.has(name));
    return (loop ?? (this.assigned.has(name) ? this.assigned : this.#given)).get(name);
  }

  /** Adds to a counter. Returns what it was. */
  count(name: string, step: number): number {
    const before = this.#given.get(name);
    const from = typeof before === 'number' ? before : 0;
    this.#given.set(name, from + step);
    return from;
  }

  /** Returns a property, and pays for what has to be counted. */
  propertyOf(holder: unknown, key: unknown): unknown {
    const value = typeof key === 'object' ? undefined : propertyOf(holder, key);
    return value === undefined && key === 'size' ? countIn(holder, this.budget.work) : value;
  }

  write(value: unknown): void {
    if (typeof value === 'object') spendWeight(value, this.budget.work);
    const text = toText(value);
    this.budget.write(text.length);
    this.budget.work(text.length);
    this.#written += text;
  }

  /** Returns what the work writes. */
  written(work: () => void): string {
    const outer = this.#written;
    this.#written = '';
    work();
    const written = this.#written;
    this.#written = outer;
    return written;
  }
}

/** The maximum length of a variable, or of an expression, that a log names. */
export const MAX_PATH = 120;
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
 * What a render shows or walks through and does not find; not what a condition or a `default` reads, nor what a branch
 * that is not taken or a name that is not shown has.
 */
export class MissingLog {
  found = new Map<string, Missing>();
  /** The expressions of times that name no zone, and that a filter has read as UTC. */
  readonly clocks = new Set<string>();
  /** What the texts lack that `assign` and `capture` gave a name. */
  readonly #behind = new Map<string, readonly Missing[]>();
  /** The first path that led to nothing since a variable is read. */
  #first: Missing | null = null;

  /** Notes a path that leads to nothing, since `holder` has no such key. */
  note(path: string, holder: unknown, key: unknown): void {
    if (this.#first !== null) return;
    // `forloop.parentloop` is a valid name outside of a loop in a loop as well, but has no value there.
    const isUnknown = isObject(holder) && typeof key === 'string' && !Object.hasOwn(holder, key);
    const near = isUnknown ? hint(key, Object.keys(holder).slice(0, MAX_KEYS)) : '';
    this.#first = { path: path.slice(0, MAX_PATH), hint: near };
  }

  /** Notes what a part of a template is about to read in vain. */
  look(node: Node, context: Context): void {
    const variables = /\|\s*default\b/.test(textOf(node.token)) ? [] : node.shows;
    const lacks = variables.flatMap((variable) => {
      const { missing } = this.read(variable, context);
      const behind = this.#behind.get(/^\w+/.exec(variable.path)?.[0] ?? '') ?? [];
      return behind.length > 0 ? behind : (missing ?? []);
    });
    if (node.assigns !== undefined) this.#behind.set(node.assigns, lacks);
    else for (const one of lacks) this.found.set(one.path, one);
  }

  /** Keeps what the content of a `capture` lacks for the name that it gets. The function is called after it. */
  capture(name: string): () => void {
    const outer = this.found;
    this.found = new Map();
    return () => {
      this.#behind.set(name, [...this.found.values()]);
      this.found = outer;
    };
  }

  /** Reads a variable, which a render takes for empty if it is not there. */
  read(variable: Variable, context: Context): NamedValue {
    const path = variable.path.slice(0, MAX_PATH);
    this.#first = null;
    try {
      const value = variable.read(context);
      return { path, value, missing: value === undefined ? this.#first : null };
    } catch {
      // The render itself reports why it fails.
      return { path, value: undefined, missing: null };
    }
  }
}

import { Output, TypeGuards } from 'liquidjs';
import type { Template, Token, Value } from 'liquidjs';
import { createBudget } from './basics/budget.ts';
import { locateFailure } from './basics/failure.ts';
import { toText } from './basics/print.ts';
import type { Scope } from './basics/scope.ts';
import type { Spend } from './basics/weight.ts';
import { payForComparison } from './prices.ts';
import { stepsOf } from './syntax/guard.ts';

/** A part of a text that needs no interpreter: constant, or the value at a path of names. */
export interface PlainPart {
  readonly node: Template;
  /** The number of steps. */
  readonly steps: number;
  readonly content: string | readonly string[];
}

/** Names that liquidjs also finds where there is no such property. */
const COMPUTED: ReadonlySet<unknown> = new Set(['size', 'first', 'last']);

/** The parts of a text, when all of them are constant or a path without a filter: most texts are. */
export function plainParts(nodes: readonly Template[]): readonly PlainPart[] | undefined {
  const parts: PlainPart[] = [];
  for (const node of nodes) {
    const content = node instanceof Output ? pathOf(node.value) : constantOf(node);
    if (content === null) return undefined;
    parts.push({ node, steps: stepsOf(node), content });
  }
  return parts;
}

/** The text between outputs and tags, trimmed where they ask for it. */
function constantOf(node: Template): string | null {
  const text: unknown = TypeGuards.isHTMLToken(node.token) ? Reflect.get(node, 'str') : null;
  return typeof text === 'string' ? text : null;
}

function pathOf({ initial: { postfix }, filters }: Value): readonly string[] | null {
  const [token] = postfix;
  return postfix.length === 1 && filters.length === 0 && token !== undefined ? pathOfToken(token) : null;
}

function pathOfToken(token: Token): readonly string[] | null {
  if (!TypeGuards.isPropertyAccessToken(token) || token.variable !== undefined) return null;
  const names = token.props.map((prop): unknown => Reflect.get(prop, 'content'));
  return names.every((name) => typeof name === 'string' && !COMPUTED.has(name)) ? names.map(String) : null;
}

/**
 * The text, exactly as the interpreter would make it and at the same price; undefined where a value is on the way that
 * is not looked up plainly, such as a list. Nothing is spent then.
 */
export function renderPlain(parts: readonly PlainPart[], scope: Scope): string | undefined {
  const values: unknown[] = [];
  for (const { content } of parts) {
    const value = typeof content === 'string' ? content : valueAt(content, scope);
    if (value === OTHER) return undefined;
    values.push(value);
  }
  const { step, write, work } = createBudget(scope.budget);
  let whole = '';
  step(1);
  for (const [at, { node, steps }] of parts.entries()) {
    step(steps);
    const value = values[at];
    try {
      if (value === null) work(1);
      const text = toText(value);
      write(text.length);
      work(text.length);
      whole += text;
    } catch (error) {
      throw locateFailure(error, node);
    }
  }
  return whole;
}

/** A step of a condition in postfix order: a comparison or connective of the two values before it, or a value. */
type ConditionStep =
  { readonly operator: string } | { readonly path: readonly string[] } | { readonly value: unknown };

/** The parts of a condition that need no interpreter. */
const OPERATORS: ReadonlySet<string> = new Set(['==', '!=', 'and', 'or']);

/** The steps of a condition that compares plain paths and constants for equality. */
export function plainSteps({ initial: { postfix }, filters }: Value): readonly ConditionStep[] | undefined {
  const steps: ConditionStep[] = [];
  for (const token of postfix) {
    const path = pathOfToken(token);
    if (path !== null) steps.push({ path });
    else if (TypeGuards.isOperatorToken(token) && OPERATORS.has(token.operator))
      steps.push({ operator: token.operator });
    else {
      const value: unknown = Reflect.get(token, 'content');
      if (value === undefined || !isScalar(value)) return undefined;
      steps.push({ value });
    }
  }
  return filters.length === 0 ? steps : undefined;
}

/** True if the condition holds; undefined where only the interpreter can say. */
export function evaluatePlain(steps: readonly ConditionStep[], scope: Scope): boolean | undefined {
  const values = steps.map((one) =>
    'path' in one ? valueAt(one.path, scope) : 'value' in one ? one.value : null,
  );
  if (values.includes(OTHER)) return undefined;
  const { work } = createBudget(scope.budget);
  const operands: unknown[] = [];
  for (const [at, one] of steps.entries()) {
    if ('operator' in one) {
      const right = operands.pop();
      const left = operands.pop();
      operands.push(operate(one.operator, left, right, work));
    } else operands.push(values[at]);
  }
  return isTrue(operands[0]);
}

function operate(operator: string, left: unknown, right: unknown, work: Spend): boolean {
  if (operator === 'and') return isTrue(left) && isTrue(right);
  if (operator === 'or') return isTrue(left) || isTrue(right);
  payForComparison(operator, left, right, work);
  return (left === right) === (operator === '==');
}

const isTrue = (value: unknown): boolean => value !== false && value !== undefined && value !== null;

/** Neither a text, a number, a boolean nor nothing. */
const OTHER = Symbol('other');

function valueAt(names: readonly string[], scope: Scope): unknown {
  const { notification } = scope;
  let value: unknown =
    notification !== undefined && Object.hasOwn(notification.names, names[0] ?? '')
      ? notification.names
      : scope;
  for (const name of names) {
    if (value === undefined || value === null) return value;
    if (typeof value !== 'object' || Array.isArray(value)) return OTHER;
    value = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
  }
  return isScalar(value) ? value : OTHER;
}

const isScalar = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value !== 'object' && typeof value !== 'function');

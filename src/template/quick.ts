import { TypeGuards, toValueSync } from 'liquidjs';
import type { Context, Token, Value } from 'liquidjs';

/** A step of an expression in postfix order: a value, or an operator on the two values before it. */
type Step = { readonly path: string[] } | { readonly constant: unknown } | { readonly operator: string };

const known = new WeakMap<Value, readonly Step[] | null>();

/**
 * Returns the steps of an expression of paths, constants and operators, without a filter; null if it contains anything
 * else. Most expressions are of this kind, and the interpreter takes several times as long.
 */
export function quickSteps(value: Value): readonly Step[] | null {
  const before = known.get(value);
  if (before !== undefined) return before;
  const steps = value.filters.length > 0 ? [] : value.initial.postfix.flatMap(stepOf);
  const found = steps.length > 0 && steps.length === value.initial.postfix.length ? steps : null;
  known.set(value, found);
  return found;
}

function stepOf(token: Token): readonly Step[] {
  if (TypeGuards.isOperatorToken(token))
    return token.operator === 'not' ? [] : [{ operator: token.operator }];
  if (!TypeGuards.isPropertyAccessToken(token))
    return TypeGuards.isQuotedToken(token) ||
      TypeGuards.isNumberToken(token) ||
      TypeGuards.isLiteralToken(token)
      ? [{ constant: token.content }]
      : [];
  const path = token.props.map((prop): unknown => Reflect.get(prop, 'content'));
  return token.variable === undefined && path.every((name) => typeof name === 'string') ? [{ path }] : [];
}

/** Returns the value of such an expression. */
export function evaluateSteps(steps: readonly Step[], context: Context): unknown {
  const operands: unknown[] = [];
  for (const step of steps) {
    if ('path' in step) operands.push(context.getSync(step.path));
    else if ('constant' in step) operands.push(step.constant);
    else {
      const [right, left] = [operands.pop(), operands.pop()];
      operands.push(toValueSync(context.opts.operators[step.operator]?.(left, right, context)));
    }
  }
  return operands[0];
}

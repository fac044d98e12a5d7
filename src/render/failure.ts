import type { FieldCode } from '../lib/api-codes.ts';
import type { Scope } from '../template/basics/scope.ts';

/** The reason why a message of a route could not be made; `reason` has all of it for a person. */
export interface RouteFailure extends FailurePlace {
  readonly element?: number;
  readonly parameter: string;
  readonly expression: string;
  readonly code: FieldCode;
  readonly reason: string;
  /** The reason without its place; absent: nothing is wrong with the route, which only left something out. */
  readonly message?: string;
}

/** The place of a failure: in a route, and at an element of its `each` (from 1). */
export interface FailurePlace {
  readonly route: string;
  readonly element?: number | undefined;
}

export const placeOf = ({ name }: { readonly name: string }, { index }: Scope): FailurePlace => ({
  route: name,
  element: index,
});

/** A failure whose reason names route, element, parameter and expression. */
export function failure(
  place: FailurePlace,
  parameter: string,
  expression: string,
  why: string,
  code: FieldCode = 'template',
): RouteFailure {
  const { route, element } = place;
  const of = { route, ...(element !== undefined && { element }), parameter, expression };
  return { ...of, code, message: why, reason: placed(of, why) };
}

export function placed(
  { route, element, parameter, expression }: FailurePlace & Pick<RouteFailure, 'parameter' | 'expression'>,
  why: string,
): string {
  const place = `route \`${route}\`${element === undefined ? '' : `, element ${element}`}`;
  const where = expression === '' ? '' : ` (${beginningOf(expression)})`;
  return `${place}, parameter \`${parameter}\`${where}: ${why}`;
}

/** What a reason has of an expression, which may be a whole template. */
export const beginningOf = (expression: string): string =>
  expression.length > 200 ? `${expression.slice(0, 200)}…` : expression;

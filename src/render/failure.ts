import type { FieldCode } from '../lib/problem.ts';
import type { Scope } from '../template/basics/scope.ts';

/** The reason why a message of a route could not be made; `reason` has all of it for a person. */
export interface RouteFailure {
  readonly route: string;
  readonly parameter: string;
  readonly expression: string;
  readonly code: FieldCode;
  readonly reason: string;
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
  const where =
    expression === '' ? '' : ` (${expression.length > 200 ? `${expression.slice(0, 200)}…` : expression})`;
  return {
    route,
    parameter,
    expression,
    code,
    reason: `route \`${route}\`${element === undefined ? '' : `, element ${element}`}, parameter \`${parameter}\`${where}: ${why}`,
  };
}

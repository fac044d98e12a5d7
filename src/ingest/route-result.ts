import type { MessageKind } from '../gateway/kinds.ts';

/** One gateway send call for one receiver, ready to be accepted. */
export interface RenderedMessage {
  readonly route: string;
  readonly kind: MessageKind;
  /** The gateway's digits; null for a status. */
  readonly phone: string | null;
  /** Form fields, without receiver and credentials. */
  readonly params: Readonly<Record<string, string>>;
}

/** Something that kept a route's message from being made; `reason` says it in full for a person. */
export interface RouteFailure {
  readonly route: string;
  readonly parameter: string;
  readonly expression: string;
  readonly reason: string;
}

/** What rendering a route once gives: what fails is told, what does not is sent. */
export interface Rendered {
  readonly messages: readonly RenderedMessage[];
  readonly failures: readonly RouteFailure[];
}

/** What became of one route. */
export interface RouteResult {
  readonly route: string;
  /** `not_reached`: an earlier route said `stop`. */
  readonly result: 'matched' | 'not_matched' | 'not_reached' | 'failed';
  readonly messages: readonly RenderedMessage[];
  readonly failures: readonly RouteFailure[];
}

/** A failure whose reason names route, parameter and expression. */
export function failure(route: string, parameter: string, expression: string, why: string): RouteFailure {
  const where =
    expression === '' ? '' : ` (${expression.length > 200 ? `${expression.slice(0, 200)}…` : expression})`;
  return {
    route,
    parameter,
    expression,
    reason: `route \`${route}\`, parameter \`${parameter}\`${where}: ${why}`,
  };
}

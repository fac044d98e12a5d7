import type { MessageKind } from '../../gateway/kinds.ts';
import type { RouteFailure } from '../../render/failure.ts';

/** One event may make this many messages; more is a mistake or an attack. */
export const MAX_MESSAGES_PER_EVENT = 1_000;

/** One gateway send call for one receiver, ready to be accepted. */
export interface RenderedMessage {
  readonly route: string;
  readonly kind: MessageKind;
  /** The gateway's digits; null for a status. */
  readonly phone: string | null;
  /** Form fields, without receiver and credentials. */
  readonly params: Readonly<Record<string, string>>;
  /** The id of the element of `each` that it is about, where its provider gives elements ids. */
  readonly itemKey?: string;
}

/** The result of rendering a route once: failures, and the messages that are sent in spite of them. */
export interface Rendered {
  readonly messages: readonly RenderedMessage[];
  readonly failures: readonly RouteFailure[];
}

/** The result of one route. */
export interface RouteResult {
  readonly route: string;
  /** `not_reached`: an earlier route said `stop`. */
  readonly result: 'matched' | 'not_matched' | 'not_reached' | 'failed';
  readonly messages: readonly RenderedMessage[];
  readonly failures: readonly RouteFailure[];
}

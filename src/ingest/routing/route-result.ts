import type { Reason } from '../../lib/reason.ts';
import type { MessageKind } from '../../gateway/kinds.ts';
import type { DraftItem } from '../../outbox/state/acceptance.ts';
import type { Further } from '../../render/fallback.ts';
import type { RouteFailure } from '../../render/failure.ts';
import type { DraftLinks } from '../../render/links.ts';

/** One gateway send call for one receiver, ready to be accepted. */
export interface RenderedMessage {
  readonly route: string;
  readonly kind: MessageKind;
  /** The gateway's digits; null for a status. */
  readonly phone: string | null;
  /** Form fields, without the receiver and credentials. */
  readonly params: Readonly<Record<string, string>>;
  /** The fallbacks, sent one after the other when it becomes a dead letter; absent: none. */
  readonly fallback?: readonly Further[];
  /** The links that its receiver can press; absent: none. */
  readonly links?: DraftLinks;
  /** The reason why it is a fallback; absent: it is the message of the template. */
  readonly reason?: Reason;
  /** The id of the element of `each` that it is about, where its provider gives elements ids. */
  readonly itemKey?: string;
  /** The key from its route's `once`; absent: it is always sent. */
  readonly once?: string;
}

/** The result of rendering a route once: failures, and the messages that are sent in spite of them. */
export interface RenderedRoute extends Pick<RouteResult, 'messages' | 'failures' | 'notes'> {
  /** What a bound on messages or their characters left out; absent: nothing. */
  readonly leftOut?: { readonly count: number; readonly by: 'messages' | 'characters' };
}

/** An element, by its place in the event (from 1), and the silence that applies to it. */
export type SilencedItem = Readonly<{ index: number; silence: string }>;

export interface RouteResult {
  readonly route: string;
  /** `not_reached`: an earlier route has `stop`. */
  readonly result: 'matched' | 'not_matched' | 'not_reached' | 'failed';
  readonly messages: readonly RenderedMessage[];
  readonly failures: readonly RouteFailure[];
  /** Errors in messages that are sent or kept nevertheless, and everything that was left out; absent: nothing. */
  readonly notes?: readonly RouteFailure[];
  /** Items that become notifications when they are due; absent: none. */
  readonly items?: readonly DraftItem[];
  /** Silenced items, which make no message; absent: none. */
  readonly silenced?: readonly SilencedItem[];
}

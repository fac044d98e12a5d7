import type { Route, Silence, Source } from '../../config/compiled/config.ts';
import type { DraftItem, DraftMessage } from '../../outbox/state/acceptance.ts';
import type { RouteFailure } from '../../render/failure.ts';
import type { Scope } from '../../template/basics/scope.ts';

/** A route that an event takes, and the first elements of its list. */
export interface TakenRoute {
  readonly source: Source;
  readonly route: Route;
  /** What the texts of each see, and the id that its provider gives it. */
  readonly elements: readonly Readonly<{ scope: Scope; itemKey?: string }>[];
  /** The length of the list. */
  readonly of: number;
  /** The number of further elements that the sender left out of the list. */
  readonly bySender: number;
  readonly quiet: Silencing;
}

/** The silences, and the time (ms), at which people are on call. An item that waits is checked when it is due. */
export type Silencing = Readonly<{ silences: readonly Silence[]; now: number }>;

/** One gateway send call for one receiver, ready to be accepted. */
export type RenderedMessage = Readonly<{ route: string }> &
  Pick<DraftMessage, 'kind' | 'phone' | 'params' | 'fallback' | 'links' | 'reason' | 'itemKey' | 'once'>;

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
  /** Elements that make no message because of a silence, by their places (from 1); absent: none. */
  readonly silenced?: readonly Readonly<{ index: number; silence: string }>[];
}

/** What is empty is left out. */
export const resultOf = (
  { name }: Route,
  { messages, failures, items = [], silenced = [], notes = [] }: Omit<RouteResult, 'route' | 'result'>,
): RouteResult => ({
  route: name,
  result: failures.length === 0 ? 'matched' : 'failed',
  messages,
  failures,
  ...(items.length > 0 && { items }),
  ...(silenced.length > 0 && { silenced }),
  ...(notes.length > 0 && { notes }),
});

/** Returns the number of messages, with an item counted once per receiver. */
export const messagesOf = ({ messages, items = [] }: Pick<RouteResult, 'messages' | 'items'>): number =>
  items.reduce((sum, { phones }) => sum + phones.length, messages.length);

import type { AccountMessage, DraftMessage, MessageOrigin } from './acceptance.ts';
import type { Attempt } from './message.ts';

/** A fallback that another account is to send. Plain data, since it crosses an RPC. */
export interface Handed {
  /** The message that it is sent for. The other account takes it only once, however often it comes. */
  readonly id: string;
  readonly draft: DraftMessage;
  readonly origin: MessageOrigin;
}

/** The answer of the other account: its message, or the reason why it does not take the fallback. */
export type HandOnAnswer = { readonly message: string } | { readonly refusal: string };

/** The end of a fallback that was sent for a message about incidents: its receiver knows the content, or not. */
export interface EndedElsewhere {
  /** The message about incidents, and its fallback. */
  readonly id: string;
  readonly by: AccountMessage;
  readonly state: 'sent' | 'uncertain' | 'dead' | 'expired' | 'cancelled' | 'suppressed';
  /** The outcome of its last call; null if there was none. */
  readonly outcome: Attempt['outcome'] | null;
}

import type { MessageKind, Parameter } from '../gateway/kinds.ts';
import type { CompiledText } from '../template/text.ts';

/** A template: a kind and its parameters as Liquid. */
export interface Send {
  readonly kind: MessageKind;
  readonly params: readonly SendParam[];
  /** The fallbacks, sent one after the other if the message cannot be delivered. */
  readonly fallback: readonly FallbackSend[];
}

/** A fallback. It has no fallbacks of its own. */
export interface FallbackSend extends Omit<Send, 'fallback'> {
  /** The account that sends it; null for the message's own account. */
  readonly account: string | null;
  /**
   * The time after which it is sent if the message is not sent by then (ms). Null if it is sent when the message is
   * dead.
   */
  readonly afterMs: number | null;
}

export interface SendParam extends Parameter {
  readonly name: string;
  /** One text. The elements of a list (a poll's options) are rendered one by one. */
  readonly texts: readonly CompiledText[];
}

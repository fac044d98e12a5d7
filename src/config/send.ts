import type { MessageKind, Parameter } from '../gateway/kinds.ts';
import type { CompiledText } from '../template/text.ts';

/** A template: a kind and its parameters as Liquid. */
export interface Send {
  readonly kind: MessageKind;
  readonly params: readonly SendParam[];
  /** The fallbacks, sent one after the other if the message cannot be delivered. */
  readonly fallback: readonly FallbackSend[];
}

/** A fallback has none of its own. */
export interface FallbackSend extends Omit<Send, 'fallback'> {
  /** The account that sends it; null: the one that sends the message. */
  readonly account: string | null;
  /** It is sent if the message is not sent within this time (ms); null: when the message is dead. */
  readonly afterMs: number | null;
}

export interface SendParam extends Parameter {
  readonly name: string;
  /** One text; a list's elements (a poll's options) are rendered one by one. */
  readonly texts: readonly CompiledText[];
}

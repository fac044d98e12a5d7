import type { MessageKind, Parameter } from '../../gateway/kinds.ts';
import type { CompiledText } from '../../template/text.ts';

export interface Send {
  readonly kind: MessageKind;
  readonly params: readonly SendParam[];
  readonly fallback: readonly FallbackSend[];
  /** The same in other languages, by BCP 47 tag, the more special ones first; absent: it is for all. */
  readonly languages?: readonly (readonly [tag: string, send: Send])[];
}

/** True if a tag is of a language, or a language in a region. */
const isOf = (tag: string, of: string): boolean => `${tag}-`.startsWith(`${of}-`);

/** Returns the template for a locale: the one for it, for its language, or for the language in another region. */
export function sendIn(send: Send, locale: string): Send {
  const { languages = [] } = send;
  const [language = ''] = locale.split('-');
  const found =
    languages.find(([tag]) => isOf(locale, tag)) ?? languages.find(([tag]) => isOf(tag, language));
  return found?.[1] ?? send;
}

/** Returns a template and its fallbacks, in all languages. */
export const stepsOf = (send: Send): readonly Pick<Send, 'kind' | 'params'>[] =>
  [send, ...(send.languages ?? []).map(([, one]) => one)].flatMap((one) => [one, ...one.fallback]);

export interface FallbackSend extends Omit<Send, 'fallback'> {
  /** The account that sends it; null for the message's own account. */
  readonly account: string | null;
  /** The time without success after which it is sent (ms). Null if it is sent when the message is dead. */
  readonly afterMs: number | null;
}

export interface SendParam extends Parameter {
  readonly name: string;
  /** One text. The elements of a list (a poll's options) are rendered one by one. */
  readonly texts: readonly CompiledText[];
}

import type { Message } from '../../api/types.ts';
import { seenText } from '../../lib/hidden.ts';

/** The page's language: of the relay's sentences, and of quotes. */
export interface PageLanguage {
  readonly said: (sentence: string) => string;
  readonly quote: (words: string) => string;
}

/** More than a sentence is read in the answer itself. UTF-16 units. */
const MAX_WORDS = 200;

/** Returns the error in a gateway's response: the `message` of its JSON, which may be cut off; empty: none. */
export function gatewayWords(response: string | undefined): string {
  const [, quoted] = /"message"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(response ?? '') ?? [];
  const text = quoted === undefined ? '' : unquoted(quoted).replaceAll(/\s+/g, ' ').trim();
  return text.length > MAX_WORDS ? `${text.slice(0, MAX_WORDS)}…` : text;
}

function unquoted(quoted: string): string {
  try {
    const text: unknown = JSON.parse(quoted);
    return typeof text === 'string' ? text : '';
  } catch {
    return '';
  }
}

/** Why an attempt failed, with what the gateway said; empty: it did not. */
export function attemptText(attempt: Message['attempts'][number], says: PageLanguage): string {
  const detail = seenText(attempt.detail);
  return detail === undefined ? '' : withWords(detail, gatewayWords(attempt.response), says);
}

/** Why a message is in its state, with what the gateway said to its last attempt; empty: there is nothing to say. */
export function reasonText(
  { attempts, state, ...given }: Pick<Message, 'reason' | 'attempts' | 'state'>,
  says: PageLanguage,
): string {
  const reason = seenText(given.reason);
  const last = attempts.at(-1);
  if (reason === undefined) return '';
  const isOfLast = last?.detail !== undefined && state !== 'sent' && reason.startsWith(last.detail);
  return isOfLast ? withWords(reason, gatewayWords(last.response), says) : says.said(reason);
}

/** The relay's sentence, with the gateway's own words as a quote. */
function withWords(sentence: string, words: string, { said, quote }: PageLanguage): string {
  const text = said(sentence);
  const quoted = quote(words);
  if (words === '' || text.includes(quoted)) return text;
  return text.includes(words) ? text.replace(words, () => quoted) : `${text} (${quoted})`;
}

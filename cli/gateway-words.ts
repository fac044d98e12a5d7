import type { Message } from './relay/shapes.ts';

/** More than a sentence is read in the message's details. UTF-16 units. */
const MAX_WORDS = 200;

/** Returns the error in a gateway's response: the `message` of its JSON, or the text of a web page; empty: none. */
export function gatewayWords(response: string | undefined): string {
  const text = response ?? '';
  const words = messageIn(text) ?? text.replaceAll(/<(script|style)\b.*?<\/\1>|<[^>]*>/gis, ' ');
  const line = words.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS)}…` : line;
}

/** Null: it is not valid JSON. The response may be cut off. */
function messageIn(text: string): string | null {
  try {
    const body: unknown = JSON.parse(text);
    const words: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'message') : null;
    return typeof words === 'string' ? words : '';
  } catch {
    return /^\s*[{[]/.test(text) ? (/"message"\s*:\s*"((?:[^"\\]|\\.)*)/.exec(text)?.[1] ?? '') : null;
  }
}

/** Why an attempt failed, with what the gateway said; undefined: it did not. */
export function attemptText({ detail, response }: Message['attempts'][number]): string | undefined {
  if (detail === undefined) return undefined;
  return withWords(detail, gatewayWords(response));
}

/** Why a message is in its state, with what the gateway said to its last attempt; undefined: there is nothing to say. */
export function reasonText({
  reason,
  attempts,
  state,
}: Pick<Message, 'reason' | 'attempts' | 'state'>): string | undefined {
  const last = attempts.at(-1);
  if (reason === undefined || last?.detail === undefined || state === 'sent') return reason;
  return reason.startsWith(last.detail) ? withWords(reason, gatewayWords(last.response)) : reason;
}

const withWords = (text: string, words: string): string =>
  words === '' || text.includes(words) ? text : `${text} (“${words}”)`;

/** A sentence of the relay, with its code and values. */
interface Said {
  readonly text: string;
  readonly code?: string | undefined;
  readonly params?: Readonly<Record<string, string>> | undefined;
}

/** Says the relay's sentences to a reader, and puts words in quotes. Returns an empty text for a sentence that the reader must not see. */
export interface PageLanguage {
  readonly sentence: (said: Said) => string;
  readonly quote: (words: string) => string;
}

interface Attempt extends Omit<Said, 'text'> {
  readonly detail?: string | undefined;
  readonly response?: string | undefined;
}

interface Reasoned {
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
  readonly reason_params?: Said['params'];
  readonly attempts: readonly Attempt[];
}

/** The maximum length of quoted words, in UTF-16 units. Readers find the rest in the response itself. */
const MAX_WORDS = 200;

/** Returns the error in a gateway's response: the `message` of its JSON, or the text of a web page; empty: none. */
export function gatewayWords(response = ''): string {
  const words = /^\s*[{[]/.test(response)
    ? messageIn(response)
    : response.replaceAll(/<(script|style)\b.*?<\/\1>|<[^>]*>/gis, ' ');
  return lineOf(words);
}

function lineOf(words: string): string {
  const line = words.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS)}…` : line;
}

/** Returns the `message` of JSON that may be cut off. */
function messageIn(json: string): string {
  const [, text = ''] = /"message"\s*:\s*"((?:[^"\\]|\\.)*)/.exec(json) ?? [];
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}

/** Returns the reason why an attempt failed, with the gateway's own words; empty: it did not fail. */
export const attemptText = ({ detail = '', code, params, response }: Attempt, language: PageLanguage) =>
  withWords({ text: detail, code, params }, gatewayWords(response), language);

/** Returns the reason for a message's state, with the gateway's words about its last attempt; empty: there is no reason. */
export function reasonText(message: Reasoned, language: PageLanguage): string {
  const { code, reason = '', reason_params: params, attempts } = message;
  const last = attempts.at(-1);
  const isOfLast = code !== undefined && code === last?.code;
  return withWords({ text: reason, code, params }, isOfLast ? gatewayWords(last.response) : '', language);
}

/** The relay's sentence, with the gateway's own words as a quote. */
function withWords(said: Said, answered: string, { sentence, quote }: PageLanguage): string {
  const text = sentence(said);
  const { words: whole = '' } = said.params ?? {};
  const words = answered || lineOf(whole);
  const quoted = quote(words);
  if (text === '' || words === '' || text.includes(quoted)) return text;
  const inText = [whole, words].find((one) => one !== '' && text.includes(one));
  return inText === undefined ? `${text} (${quoted})` : text.replace(inText, () => quoted);
}

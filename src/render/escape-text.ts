import { isGerman, truncateTo } from '../lib/text.ts';
import { parseOwnJson } from '../lib/json.ts';

/** The texts of a stored message. `params`: JSON of its parameters, all of them texts. */
interface HasParams {
  readonly params: string;
}

const MOST_OF_ONE = 120;

const textOf = ({ params }: HasParams): string =>
  Object.values(parseOwnJson<Readonly<Record<string, string>>>(params)).join('\n');

/**
 * Returns the text of `count` messages for the escape channel: one in full, or the beginnings of the first few.
 * `locale`: that of their source.
 */
export function escapeText(messages: readonly HasParams[], count: number, locale: string): string {
  const texts = messages.map(textOf);
  if (count === 1)
    return `${isGerman(locale) ? 'Diese Nachricht ist vielleicht nicht auf dem Telefon' : 'This message may not have arrived'}: ${texts.join('')}`;
  const head = isGerman(locale)
    ? `${count} weitere Nachrichten sind vielleicht nicht auf dem Telefon`
    : `${count} more messages may not have arrived`;
  return [`${head}:`, ...texts.map((text) => `• ${truncateTo(text, MOST_OF_ONE)}`), '…'].join('\n');
}

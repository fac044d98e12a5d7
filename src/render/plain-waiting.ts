import type { Locale } from '../template/basics/locale.ts';
import { listed, sinceLine, titleFrom, wordsFor } from './built-in-text.ts';

/** The number of messages that the digest of waiting ones names: the newest. */
export const NAMED_WAITING = 5;

const BULLET = '• ';

/** The parameters with the content of a message, best first. */
const SAYING = ['message', 'caption', 'text', 'title', 'question'];

/** The content of a digest of waiting messages. */
interface WaitingDigest {
  readonly count: number;
  /** The time when the first of them was accepted (ISO 8601). */
  readonly since: string;
  /** The parameters of the newest ones, newest last. */
  readonly texts: readonly Readonly<Record<string, string>>[];
  /** The text of the digest that it replaces, whose messages are older; null if there is none. */
  readonly before: string | null;
}

/**
 * Returns the text: the number of messages, since when they wait, and the first lines of the newest ones, without
 * anything that formats.
 */
export function plainWaiting({ count, since, texts, before }: WaitingDigest, locale: Locale): string {
  const words = wordsFor(locale);
  const lines = texts.map((params) => {
    const text = SAYING.map((name) => params[name]).find((one) => one !== undefined);
    return titleFrom((text ?? Object.values(params)[0] ?? '').trimStart().split('\n')[0] ?? '');
  });
  const older = (before ?? '').split('\n').filter((line) => line.startsWith(BULLET));
  const named = [...lines.toReversed(), ...older.map((line) => line.slice(BULLET.length))];
  return [
    ...sinceLine(since, words, locale),
    ...listed(count, words.messages, named.slice(0, NAMED_WAITING), words),
  ].join('\n');
}

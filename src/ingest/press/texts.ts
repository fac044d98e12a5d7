import { assetText } from '../../lib/asset-text.ts';
import { isGerman } from '../../lib/controls.ts';
import { parseOwnJson } from '../../lib/own-json.ts';

/**
 * The texts for somebody who follows a link in a message: an asset for each language. `{word}` is replaced when a page
 * is made.
 */
export type PressTexts = Readonly<
  Record<
    | 'language'
    | 'from'
    | 'notKept'
    | 'done'
    | 'answered'
    | 'you'
    | 'other'
    | 'somebody'
    | 'takeBack'
    | 'silenced'
    | 'more'
    | 'resolved'
    | 'resolvedAt'
    | 'lost'
    | 'lostWhy'
    | 'taken'
    | 'takenBy'
    | 'expired'
    | 'expiredAt'
    | 'stop'
    | 'stopped'
    | 'stoppedSince'
    | 'start'
    | 'withdrawn'
    | 'unknown'
    | 'unknownWhy'
    | 'incomplete'
    | 'incompleteWhy'
    | 'busy'
    | 'often'
    | 'oftenUntil'
    | 'failed'
    | 'full'
    | 'failedWhy'
    | 'notShown'
    | 'notShownWhy',
    string
  >
>;

const read = new Map<string, PressTexts>();

/**
 * Returns the texts for a locale, or for a browser's accepted languages; in English if there are none. Rejects if they
 * cannot be read.
 */
export async function pressTexts({ ASSETS }: Pick<Env, 'ASSETS'>, locale: string): Promise<PressTexts> {
  const language = isGerman(locale) ? 'de' : 'en';
  const known = read.get(language);
  if (known !== undefined) return known;
  const texts = parseOwnJson<PressTexts>(await assetText(ASSETS, `press/${language}.json`));
  read.set(language, texts);
  return texts;
}

/** Returns a text with its words filled in. */
export const filled = (text: string, words: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? '');

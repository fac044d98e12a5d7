import { err, ok, type Result } from '../../src/lib/result.ts';
import type { Earlier } from './earlier.ts';

/** A language as a person writes it: `de-de` is `de-DE`. */
export function readLocale(text: string): Result<string, string> {
  try {
    const [locale] = Intl.DateTimeFormat.supportedLocalesOf(text.trim());
    if (locale !== undefined) return ok(locale);
  } catch {
    // Not a language tag at all.
  }
  return err('is not a language such as de-DE');
}

/** The languages in which every starter has texts, for a browser, which has no files to look at. */
const TEXT_LANGUAGES: readonly string[] = ['en', 'de'];

/** True if a starter has texts in the language of a locale; where it has none, they are English. */
export const hasTexts = (locale: string, languages: readonly string[]): boolean =>
  languages.includes(new Intl.Locale(locale).language);

/**
 * The likely language: that of earlier sources, or of most people in the country, else the system's. English where
 * starters have no texts in it, with the formats of the country: a message in two languages reads like a mistake.
 */
export function likelyLocale(
  country: string,
  lang: string | undefined,
  earlier: Pick<Earlier, 'country' | 'locale'>,
  languages = TEXT_LANGUAGES,
): string {
  if (earlier.locale !== undefined && (country === '' || country === earlier.country)) return earlier.locale;
  const [ofSystem = 'en', ofSystemIn] = languageAndRegion(lang);
  const [language, region] = country === '' ? [ofSystem, ofSystemIn] : [languageOf(country), country];
  const known = languages.includes(language) ? language : 'en';
  if (region === undefined) return known;
  return known === 'en' ? englishIn(region) : `${known}-${region}`;
}

/**
 * English as it is written in a country. Where the platform does not know that, it writes the month first, as hardly
 * any country does: the 5th of January is read as the 1st of May. So it is British then.
 */
function englishIn(country: string): string {
  const english = `en-${country}`;
  return isMonthFirst(english) && !isMonthFirst(`${languageOf(country)}-${country}`) ? 'en-GB' : english;
}

function isMonthFirst(locale: string): boolean {
  if (Intl.DateTimeFormat.supportedLocalesOf(locale).length === 0) return false;
  return new Intl.DateTimeFormat(locale, { dateStyle: 'short' }).formatToParts(0)[0]?.type === 'month';
}

/** Of `de_DE.UTF-8`; neither of `C`. */
export function languageAndRegion(lang = ''): readonly [language?: string, region?: string] {
  const [, language, region] = /^([a-z]{2,3})(?:_([A-Z]{2}))?(?:[.@]|$)/.exec(lang) ?? [];
  if (language === undefined) return [];
  return region === undefined ? [language] : [language, region];
}

/** The language that most people of a country speak. */
export const languageOf = (country: string): string => new Intl.Locale(`und-${country}`).maximize().language;

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

/** The likely language: that of earlier sources, or of most people in the country, else the system's. */
export function likelyLocale(country: string, lang: string | undefined, earlier: Earlier): string {
  const [language, region] = languageAndRegion(lang);
  if (earlier.locale !== undefined && (country === '' || country === earlier.country)) return earlier.locale;
  if (country !== '') return `${languageOf(country)}-${country}`;
  if (language === undefined) return 'en';
  return region === undefined ? language : `${language}-${region}`;
}

/** Of `de_DE.UTF-8`; neither of `C`. */
export function languageAndRegion(lang = ''): readonly [language?: string, region?: string] {
  const [, language, region] = /^([a-z]{2,3})(?:_([A-Z]{2}))?(?:[.@]|$)/.exec(lang) ?? [];
  if (language === undefined) return [];
  return region === undefined ? [language] : [language, region];
}

/** The language that most people of a country speak. */
export const languageOf = (country: string): string => new Intl.Locale(`und-${country}`).maximize().language;

import { getCountries, isSupportedCountry } from 'libphonenumber-js/max';
import { err, ok, type Result } from '../../src/lib/result.ts';
import { languageOf } from '../../shared/new-source/likely.ts';

/**
 * The code of a country (ISO 3166-1 alpha-2) as a person writes it: `de`, `Germany`, `Deutschland`. Its name may be
 * English, in the country's own language, or in one of `languages`. An empty text stays empty.
 */
export function readCountry(text: string, languages: readonly string[] = []): Result<string, string> {
  const written = text.trim();
  const code = written.toUpperCase();
  if (written === '' || isSupportedCountry(code)) return ok(code);
  const name = plain(written);
  const found = getCountries().find((one) => namesOf(one, languages).some((other) => plain(other) === name));
  return found === undefined
    ? err('is not a country such as DE or Germany (two letters: GB for the United Kingdom)')
    : ok(found);
}

export const countryName = (code: string): string =>
  new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' }).of(code) ?? code;

const namesOf = (code: string, languages: readonly string[]): readonly string[] =>
  ['en', languageOf(code), ...languages].flatMap((language) =>
    (['long', 'short'] as const).map((style) => regionName(code, language, style)),
  );

function regionName(code: string, language: string, style: 'long' | 'short'): string {
  try {
    return new Intl.DisplayNames([language], { type: 'region', style, fallback: 'code' }).of(code) ?? code;
  } catch {
    // Not a language tag.
    return code;
  }
}

/** Without case, marks and punctuation: `Cote d’Ivoire` is `Côte d'Ivoire`. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[^\p{L}]/gu, '')
    .toLowerCase();

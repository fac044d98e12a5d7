import { COUNTRIES } from '../../shared/phone/countries.ts';

/** The countries that have numbers of their own (ISO 3166-1 alpha-2), to choose from, by their names in a language (ISO 639-1). */
export function countryOptions(language: string): readonly (readonly [code: string, name: string])[] {
  const names = new Intl.DisplayNames([language], { type: 'region' });
  const order = new Intl.Collator(language).compare;
  return [...COUNTRIES]
    .map((code) => [code, names.of(code) ?? code] as const)
    .toSorted(([, one], [, other]) => order(one, other));
}

/** The country of the browser's first language that names one; empty: none does. */
export const likelyCountry = (languages: readonly string[]): string =>
  languages.map((tag) => new Intl.Locale(tag).region ?? '').find((region) => COUNTRIES.has(region)) ?? '';

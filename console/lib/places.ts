import { isPlace, zonesOf } from '../../shared/new-source/likely.ts';
import { COUNTRIES } from '../../shared/phone/countries.ts';

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

/** The zones to choose from, those of the country first. Where a country is known and a zone chosen, UTC is not offered. */
export function zoneOptions(country: string, chosen: string): readonly (readonly [string, string])[] {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const places = Intl.supportedValuesOf('timeZone').filter(isPlace);
  const all = new Set([chosen, ...zonesOf(country, own), ...places]);
  all.delete('');
  const zones = [...all].map((zone) => [zone, zone.replaceAll('_', ' ')] as const);
  return country !== '' && chosen !== '' ? zones : [['', 'UTC'], ...zones];
}

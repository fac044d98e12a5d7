import { asObject, ownValue } from '../../src/lib/json.ts';
import { readDocumentNumber } from '../../src/phone/dialled.ts';
import type { Existing } from './plan.ts';
import { err, ok, type Result } from '../../src/lib/result.ts';

/** Settings of earlier sources in the folder: the likely answers for the next one. */
export interface Earlier {
  readonly country?: string;
  readonly locale?: string;
  readonly timezone?: string;
  readonly lists: Readonly<Record<string, unknown>>;
  /** The numbers of these lists, or else of the folder's first one, as the gateway's digits. */
  readonly numbersOf: (lists: readonly string[]) => readonly string[];
  /** The addresses of these lists at a gateway, or else of the first list that has some. */
  readonly addressesOf: (lists: readonly string[], gateway: string) => readonly string[];
}

export function earlierAnswers({ sources, recipients }: Existing): Earlier {
  const values = (key: string): readonly string[] =>
    Object.values(sources)
      .map((source) => ownValue(source, key))
      .filter((value) => typeof value === 'string');
  const country = mostOf(values('country'));
  const locale = mostOf(values('locale').filter((tag) => !tag.includes('{')));
  const timezone = mostOf(values('timezone').filter(isPlace));
  return {
    ...(country !== undefined && { country }),
    ...(locale !== undefined && { locale }),
    ...(timezone !== undefined && { timezone }),
    lists: recipients,
    numbersOf: (lists) => {
      const known = lists.filter((name) => Object.hasOwn(recipients, name));
      const names = known.length > 0 ? known : Object.keys(recipients).slice(0, 1);
      return [...new Set(names.flatMap((name) => numbersIn(recipients[name])))];
    },
    addressesOf: (lists, gateway) => {
      const of = (name: string): readonly string[] => addressesIn(recipients[name], gateway);
      const all = [[...new Set(lists.flatMap(of))], ...Object.keys(recipients).map(of)];
      return all.find(({ length }) => length > 0) ?? [];
    },
  };
}

export function addressesIn(list: unknown, gateway: string): readonly string[] {
  const people = ownValue(list, 'people');
  return Object.values(asObject(people))
    .map((person) => ownValue(ownValue(person, 'address'), gateway))
    .filter((address) => typeof address === 'string');
}

/** The numbers of a list and of its people, as the gateway's digits. */
export function numbersIn(list: unknown): readonly string[] {
  const [numbers, people] = [ownValue(list, 'numbers'), ownValue(list, 'people')];
  const ofPeople = Object.values(asObject(people))
    .map((person) => (typeof person === 'string' ? person : ownValue(person, 'phone')))
    .filter((phone) => typeof phone === 'string');
  return [...(Array.isArray(numbers) ? numbers.map(String) : []), ...ofPeople].map((written) => {
    const read = readDocumentNumber(written);
    return read.ok ? read.value : written;
  });
}

/** The value that most have; of several such values, the first. */
function mostOf(values: readonly string[]): string | undefined {
  const times = (value: string): number => values.filter((other) => other === value).length;
  return values.toSorted((a, b) => times(b) - times(a))[0];
}

/**
 * The zone of the largest city, for countries whose first zone by name is another one, and for countries without a zone
 * of their own. `Intl` knows the zones of a country, but not in which of them most people live.
 */
const LARGEST: Readonly<Record<string, string>> = {
  AC: 'Atlantic/St_Helena',
  AR: 'America/Buenos_Aires',
  AU: 'Australia/Sydney',
  BR: 'America/Sao_Paulo',
  CA: 'America/Toronto',
  CL: 'America/Santiago',
  CY: 'Asia/Nicosia',
  ES: 'Europe/Madrid',
  GL: 'America/Godthab',
  KI: 'Pacific/Tarawa',
  MH: 'Pacific/Majuro',
  MN: 'Asia/Ulaanbaatar',
  MX: 'America/Mexico_City',
  PF: 'Pacific/Tahiti',
  PG: 'Pacific/Port_Moresby',
  PT: 'Europe/Lisbon',
  RU: 'Europe/Moscow',
  TA: 'Atlantic/St_Helena',
  US: 'America/New_York',
  UZ: 'Asia/Tashkent',
  XK: 'Europe/Belgrade',
};

/** The zones of a country, the likeliest first. `own`: this machine's zone. Empty: none is known. */
export function zonesOf(country: string, own: string): readonly string[] {
  const all = country === '' ? [] : zonesIn(country);
  const first = all.includes(own) ? own : LARGEST[country];
  return first === undefined ? all : [first, ...all.filter((zone) => zone !== first)];
}

/** Of earlier sources of the country, else the country's, and without a country this machine's; empty: none. Never UTC. */
export function likelyZone(
  country: string,
  own: string,
  { country: before, timezone }: { readonly country?: string; readonly timezone?: string },
): string {
  const zones = zonesOf(country, own);
  if (timezone !== undefined && (country === '' || country === before || zones.includes(timezone)))
    return timezone;
  return zones[0] ?? (country === '' && isPlace(own) ? own : '');
}

/** In alphabetical order. Node 22 has them as a property, and later ones by a method, which TypeScript does not know yet. */
function zonesIn(country: string): readonly string[] {
  const locale = new Intl.Locale(`und-${country}`);
  const method: unknown = Reflect.get(locale, 'getTimeZones');
  const zones: unknown =
    typeof method === 'function' ? Reflect.apply(method, locale, []) : Reflect.get(locale, 'timeZones');
  return Array.isArray(zones) ? zones.map(String) : [];
}

/** True if a zone says where somebody is. A machine in a data centre is in none. */
export const isPlace = (zone: string): boolean =>
  !/^(UTC|GMT([+-]?0)?|UCT|Zulu|Universal|Greenwich|Etc\/.*)$/i.test(zone);

/** A time zone as a person writes it, in its own spelling; an empty text stays empty. */
export function readZone(text: string): Result<string, string> {
  const written = text.trim().replaceAll(' ', '_');
  if (written === '') return ok('');
  const lower = written.toLowerCase();
  const found = Intl.supportedValuesOf('timeZone').find((zone) => zone.toLowerCase() === lower);
  if (found !== undefined) return ok(found);
  try {
    // An older or newer name of a zone, such as Europe/Kyiv.
    Intl.DateTimeFormat('en', { timeZone: written });
    return ok(written);
  } catch {
    return err('is not a time zone such as Europe/Berlin');
  }
}

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

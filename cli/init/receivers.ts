import '../facts.ts';
import { parsePhoneNumberFromString, getCountries, isSupportedCountry } from 'libphonenumber-js/max';
import { type Earlier, languageOf } from '../../shared/new-source/likely.ts';
import { ownValue } from '../../src/lib/json.ts';
import type { QuietHours } from '../../shared/new-source/plan.ts';
import { NAME } from '../../src/config/documents/name.ts';
import { unknownName } from '../../src/config/documents/unknown-name.ts';
import { err, ok, type Result } from '../../src/lib/result.ts';
import { parsePhone } from '../../src/phone/read.ts';

export interface Receivers {
  /** Lists of the folder, `on-call`, or people in them, `on-call/ben`. */
  readonly lists: readonly string[];
  /** Numbers, or addresses of the gateway. */
  readonly others: readonly string[];
}

/** All of them, as a route or a step of an escalation names them. */
export const receiversIn = ({ lists, others }: Receivers): readonly string[] => [...lists, ...others];

/** Reads receivers between commas: what names a list of the folder is that list, and `read` reads the others. */
export const receiversReader =
  (folder: Earlier['lists'], read: (text: string) => Result<readonly string[], string>) =>
  (text: string): Result<Receivers, string> => {
    const known = Object.keys(folder);
    const all = text.split(',').map((one) => one.trim());
    const isNamed = (one: string): boolean => known.includes(listNameOf(one));
    const lists = [...new Set(all.filter(isNamed))];
    const rest = all.filter((one) => !isNamed(one));
    if (lists.length > 0 && rest.every((one) => one === '')) return ok({ lists, others: [] });
    const others = read(rest.join(','));
    if (others.ok) return ok({ lists, others: others.value });
    const name = rest.find((one) => NAME.test(one) && /[a-z]/i.test(one));
    return err(
      name === undefined || known.length === 0 ? others.error : unknownName('recipients list', name, known),
    );
  };

/** The end of a question for receivers: the lists to choose from. */
export const orLists = (folder: Earlier['lists']): string =>
  Object.keys(folder).length === 0 ? '' : `. Or a list that is there: ${Object.keys(folder).join(', ')}`;

/** The quiet hours of those lists: of the first one that has some. */
export function quietOfLists(lists: readonly string[], folder: Earlier['lists']): QuietHours | null {
  const quiet = lists
    .map((one) => ownValue(ownValue(folder, listNameOf(one)), 'quiet'))
    .find((one) => one !== undefined);
  return quiet === undefined
    ? null
    : { from: String(ownValue(quiet, 'from')), to: String(ownValue(quiet, 'to')) };
}

/** `on-call` of `on-call/ben`. */
const listNameOf = (named: string): string => named.replace(/\/.*/, '');

/** Numbers between commas, as the gateway's digits: international ones, or national ones of the country. */
export function readNumbers(text: string, country: string): Result<readonly string[], string> {
  if (text.trim() === '') return err('a number is needed, such as +49 151 12345678');
  const numbers: string[] = [];
  for (const one of text.split(/[,;]/)) {
    const phone = parsePhone(one.trim(), { country: country === '' ? undefined : country });
    if (!phone.ok)
      return err(
        country === '' && /^\s*0(?!0)/.test(one)
          ? `${phone.error.split(' ')[0]} has no country code, and no country was given (+49 …, or --country DE)`
          : phone.error,
      );
    numbers.push(phone.value);
  }
  return ok([...new Set(numbers)]);
}

export const countryOfNumber = (digits: string | undefined): string | undefined =>
  digits === undefined ? undefined : parsePhoneNumberFromString(`+${digits}`)?.country;

/** A number for people: `+49 1512 3456789`. */
export const shownNumber = (digits: string): string =>
  parsePhoneNumberFromString(`+${digits}`)?.formatInternational() ?? `+${digits}`;

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

import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { NAME } from '../../src/config/schema.ts';
import { err, ok, type Result } from '../../src/lib/result.ts';
import { parsePhone } from '../../src/template/filters/phone.ts';
import type { Ask } from '../ask.ts';
import { misused, type Outcome } from '../failure.ts';
import { listsOf, type Plan } from './documents.ts';
import { isAlerting, readQuiet, type QuietHours } from './quiet.ts';
import { findProvider, providerChoices, type Begin } from './starters.ts';

/** What the command line gives for a new source. */
export interface Given {
  readonly provider?: string;
  readonly source?: string;
  readonly to?: readonly string[];
  readonly country?: string;
  readonly locale?: string;
  readonly timezone?: string;
  /** `22:00-07:00`. */
  readonly quiet?: string;
}

/** Fills in what was not given: asks, or without a terminal uses likely values. */
export async function makePlan(
  given: Given,
  ask: Ask | null,
  lang: string | undefined,
): Promise<Outcome<Plan>> {
  const id = given.provider ?? (await askProvider(ask));
  if (typeof id !== 'string') return id;
  const begin = findProvider(id);
  if (!begin.ok) return begin;

  const source = await answer(given.source, ask, {
    message: 'A name for the source (it becomes its address: /hooks/…)',
    initial: id,
    check: sourceError,
  });
  if (!source.ok) return source;

  const numbers = await readNumbers(given, ask, listsOf(begin.value));
  if (!numbers.ok) return numbers;

  const country = await answer(given.country?.toUpperCase(), ask, {
    message: 'The country of phone numbers without a country code (two letters; may be empty)',
    initial: countryOf(numbers.value) ?? '',
    check: countryError,
  });
  if (!country.ok) return country;
  const locale = await answer(given.locale, ask, {
    message: 'The language of amounts and times, such as de-DE',
    initial: localeOf(country.value, lang),
    check: localeError,
  });
  if (!locale.ok) return locale;
  const quiet = await askQuiet(given.quiet, ask, begin.value);
  if (!quiet.ok) return quiet;
  return ok({
    ...begin.value,
    source: source.value,
    numbers: numbers.value,
    country: country.value || undefined,
    locale: locale.value,
    timezone: given.timezone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
    quiet: quiet.value,
  });
}

/** Asked only where the provider sends alerts: others send nothing at night that a person did not do. */
async function askQuiet(
  given: string | undefined,
  ask: Ask | null,
  begin: Begin,
): Promise<Outcome<QuietHours | null>> {
  const lists = listsOf(begin);
  if (given !== undefined && lists.length === 0)
    return misused(`--quiet: the routes of ${begin.provider.id} name no lists of recipients`);
  const text = await answer(given, isAlerting(begin.starter) && lists.length > 0 ? ask : null, {
    message: 'Quiet hours, such as 22:00-07:00, for all that is not urgent (may be empty)',
    initial: '',
    check: (written) => {
      const read = readQuiet(written);
      return read.ok ? undefined : read.error;
    },
  });
  if (!text.ok) return text;
  const quiet = readQuiet(text.value);
  return quiet.ok ? quiet : misused(`\`${text.value}\` ${quiet.error}`);
}

async function askProvider(ask: Ask | null): Promise<string | Extract<Outcome<string>, { ok: false }>> {
  if (ask === null)
    return misused('what is to be received? Give --provider stripe, say; `generic` accepts anything');
  const chosen = await ask.search('What is to be received? Type to search', providerChoices());
  return chosen.ok ? chosen.value : chosen;
}

interface Question {
  readonly message: string;
  readonly initial: string;
  readonly check: (text: string) => string | undefined;
}

/** The given value, else a person's answer, else the likely value. */
async function answer(
  given: string | undefined,
  ask: Ask | null,
  question: Question,
): Promise<Outcome<string>> {
  if (given === undefined && ask !== null) return ask.text(question);
  const text = given ?? question.initial;
  const wrong = question.check(text);
  return wrong === undefined ? ok(text) : misused(`\`${text}\` ${wrong}`);
}

const sourceError = (text: string): string | undefined =>
  NAME.test(text)
    ? undefined
    : 'is not a name for a source: 1 to 64 letters, digits, `-` and `_`, a letter or digit first';

const countryError = (text: string): string | undefined =>
  text === '' || isSupportedCountry(text)
    ? undefined
    : 'is not a country code such as DE (GB for the United Kingdom)';

function localeError(text: string): string | undefined {
  try {
    if (Intl.DateTimeFormat.supportedLocalesOf(text).length === 1) return undefined;
  } catch {
    // Not a language tag at all.
  }
  return 'is not a language such as de-DE';
}

async function readNumbers(
  { to, country }: Given,
  ask: Ask | null,
  lists: readonly string[],
): Promise<Outcome<readonly string[]>> {
  const read = (text: string): Result<readonly string[], string> => {
    const numbers: string[] = [];
    for (const one of text.split(/[,;]/)) {
      const phone = parsePhone(one.trim(), country?.toUpperCase());
      if (!phone.ok) return err(phone.error);
      numbers.push(phone.value);
    }
    return ok([...new Set(numbers)]);
  };
  if (to !== undefined) {
    const numbers = read(to.join(','));
    return numbers.ok ? numbers : misused(`--to: ${numbers.error}`);
  }
  if (lists.length === 0) return ok([]);
  if (ask === null)
    return misused(`who gets the messages (${lists.join(', ')})? Give --to "+49 151 12345678"`);
  const text = await ask.text({
    message: `Who gets the messages (${lists.join(', ')})? Numbers with country code, separated by commas`,
    hint: '+49 151 12345678',
    check: (text) => {
      const numbers = read(text);
      return numbers.ok ? undefined : numbers.error;
    },
  });
  if (!text.ok) return text;
  const numbers = read(text.value);
  return numbers.ok ? numbers : misused(numbers.error);
}

const countryOf = ([first]: readonly string[]): string | undefined =>
  first === undefined ? undefined : parsePhoneNumberFromString(`+${first}`)?.country;

/** The likely language: that of most people in the country, else the system's (`de_DE.UTF-8`). */
function localeOf(country: string, lang: string | undefined): string {
  if (country !== '') return `${new Intl.Locale(`und-${country}`).maximize().language}-${country}`;
  const [, language, region] = /^([a-z]{2,3})(?:_([A-Z]{2}))?(?:[.@]|$)/.exec(lang ?? '') ?? [];
  if (language === undefined) return 'en';
  return region === undefined ? language : `${language}-${region}`;
}

import { NAME } from '../../src/config/documents/name.ts';
import { secureRandomBytes } from '../../src/lib/id.ts';
import { httpUrl } from '../../src/lib/url.ts';
import { err, ok, type Result } from '../../src/lib/result.ts';
import type { Ask } from '../ask.ts';
import { misused, type CommandResult } from '../failure.ts';
import { answer, askAnswers } from './answers.ts';
import { askCustomers, askOutages, askQuiet } from './ask-routes.ts';
import { addressReader, askAddresses, partsOf, USUAL, type GivenGateway } from './gateway.ts';
import { countryName, readCountry } from './country.ts';
import {
  type Earlier,
  isPlace,
  likelyZone,
  readZone,
  zonesOf,
  languageAndRegion,
  likelyLocale,
  readLocale,
} from '../../shared/new-source/likely.ts';
import { listsOf, namesAddress } from '../../shared/new-source/plan.ts';
import { storyOf, toListsOnly, withOutagesAtOnce } from '../../shared/new-source/story.ts';
import {
  countryOfNumber,
  readNumbers,
  shownNumber,
  orLists,
  quietOfLists,
  receiversReader,
  type Receivers,
} from './receivers.ts';
import { isValue, languageOf, withAnswers } from '../../src/config/documents/starter-texts.ts';
import { askForm, type GivenForm } from './form.ts';
import { formStarter, takesUsual } from '../../shared/new-source/form-source.ts';
import { askSecondLine, type WithSecondLine } from './second-line.ts';
import {
  findProvider,
  languagesOf,
  readStarter,
  type OwnProviders,
  type ProviderStarter,
} from './starters.ts';
import { addressKind } from '../../src/config/compile/receivers.ts';

export interface GivenOptions extends GivenForm, GivenGateway {
  readonly provider?: string;
  readonly source?: string;
  readonly to?: readonly string[];
  readonly country?: string;
  readonly locale?: string;
  readonly timezone?: string;
  readonly customers?: true;
  /** `22:00-07:00`. */
  readonly quiet?: string;
  /** Outages wait for the end of quiet hours where nothing says how severe they are. */
  readonly outagesWait?: true;
  readonly escalate?: readonly string[];
  /** `name=value`, of what the provider's starter asks. */
  readonly answer?: readonly string[];
}

/** All that a new source is made of, with the samples of its provider. */
export interface NewSource extends WithSecondLine, ProviderStarter {
  readonly starter: ProviderStarter['starter'];
  readonly provider: ProviderStarter['provider'];
  /** The samples that become fixtures: the form of a page may refuse the starter's. */
  readonly samples: readonly ProviderStarter['starter']['samples'][number][];
  /** Questions of the starter without an answer. */
  readonly unanswered: readonly string[];
}

export interface MachineSettings {
  /** The relay's address, without a slash at its end. */
  readonly relay: string;
  /** The value of `LC_ALL` or `LANG`: `de_DE.UTF-8`. */
  readonly lang: string | undefined;
  readonly timezone: string;
}

/** Fills in what was not given: asks, or without a terminal uses likely values. */
export async function makePlan(
  given: GivenOptions & { readonly provider: string; readonly own?: OwnProviders },
  ask: Ask | null,
  { relay, lang, timezone: own }: MachineSettings,
  earlier: Earlier,
  destination = USUAL,
  randomBytes = secureRandomBytes,
): Promise<CommandResult<NewSource>> {
  const { provider: id, own: files = {} } = given;
  const begin = findProvider(id, files);
  if (!begin.ok) return begin;
  const what = addressKind(destination);
  const cannot = what === null ? null : withoutCustomers(begin.value, what, given);
  if (cannot !== null) return misused(cannot);
  const customers = what === null ? await askCustomers(given.customers, ask, begin.value) : ok(false);
  if (!customers.ok) return customers;
  const story = <Some extends ProviderStarter['starter']>(one: Some) =>
    what === null ? storyOf(one, customers.value) : toListsOnly(storyOf(one, false));
  const chosen = { ...begin.value, starter: story(begin.value.starter) };
  const lists = listsOf(chosen);

  const source = await answer(given.source, ask, {
    message: 'A name for the source, which is part of its address: /hooks/…',
    initial: id,
    read: readSource,
  });
  if (!source.ok) return source;
  const address = await askAddress(`${relay}/hooks/${source.value}`, ask, begin.value);
  if (!address.ok) return address;
  const country = await askCountry(given, ask, lang, earlier);
  if (!country.ok) return country;
  const receivers =
    what === null
      ? await askNumbers(given.to, ask, lists, country.value, earlier)
      : await askAddresses(given.to, ask, lists, destination, earlier, randomBytes);
  if (!receivers.ok) return receivers;
  const locale = await answer(given.locale, ask, {
    message: 'The language of messages, amounts and times, such as de-DE',
    initial: likelyLocale(country.value, lang, earlier, languagesOf(id, files)),
    read: readLocale,
  });
  if (!locale.ok) return locale;
  const timezone = await askZone(given.timezone, ask, country.value, own, earlier);
  if (!timezone.ok) return timezone;
  const answers = await askAnswers(given.answer ?? [], ask, begin.value);
  if (!answers.ok) return answers;
  const form = await askForm(given, ask, begin.value);
  if (!form.ok) return form;
  const asked = form.value;
  const { lists: named, others } = receivers.value;
  if (named.length > 0 && given.quiet !== undefined)
    return misused(
      `--quiet: a list that is there keeps its hours: write \`quiet\` into recipients/${named[0]?.split('/')[0]}.yaml`,
    );
  const quiet =
    named.length > 0 ? ok(quietOfLists(named, earlier.lists)) : await askQuiet(given.quiet, ask, chosen);
  if (!quiet.ok) return quiet;
  const atOnce = await askOutages(given.outagesWait, ask, chosen, quiet.value);
  if (!atOnce.ok) return atOnce;
  const asking = readStarter(id, languageOf(locale.value), files);
  const starter = withAnswers(asking, answers.value);
  const worded = story(asked === null ? starter : formStarter(starter, asked.page, asked.fields));
  const plan = {
    provider: begin.value.provider,
    starter: atOnce.value ? withOutagesAtOnce(worded) : worded,
    samples: asked === null || takesUsual(asked.fields) ? starter.samples : [],
    // Without the others, links are left out.
    unanswered: Object.keys(answers.value).filter(
      (name) => answers.value[name] === '' && !isValue(name, asking),
    ),
    source: source.value,
    address: address.value,
    ...partsOf(destination, others),
    ...(named.length > 0 && { lists: named }),
    country: country.value || undefined,
    locale: locale.value,
    timezone: timezone.value || undefined,
    quiet: quiet.value,
  };
  const read = receiversReader(
    earlier.lists,
    what === null ? (text) => readNumbers(text, country.value) : addressReader(destination),
  );
  const secondLine = await askSecondLine(given.escalate, ask, plan, what ?? 'number', earlier.lists, read);
  return secondLine.ok ? ok({ ...plan, secondLine: secondLine.value }) : secondLine;
}

/** The reason for which a source cannot send to addresses: they belong to people whom its owner knows. */
function withoutCustomers(
  { provider, starter }: ProviderStarter,
  what: string,
  { customers }: GivenOptions,
): string | null {
  const why = `customers have phone numbers, but this gateway sends to a ${what}`;
  if (customers === true) return `--customers: ${why}`;
  return listsOf({ starter: toListsOnly(storyOf(starter, false)) }).length === 0
    ? `the starter of ${provider.id} sends only to customers: ${why}. Choose another gateway`
    : null;
}

/** Asked only where it is a part of the proof: elsewhere the source has no address of its own. */
async function askAddress(
  likely: string,
  ask: Ask | null,
  begin: ProviderStarter,
): Promise<CommandResult<string>> {
  if (!namesAddress(begin)) return ok(likely);
  const { name } = begin.provider;
  return answer(undefined, ask, {
    message: `The address that you give to ${name}, which puts it into its tokens`,
    initial: likely,
    read: (text) => {
      const url = httpUrl(text);
      return url.ok
        ? ok(text.trim())
        : err(`is not an address that ${name} can post to: give the relay's address with --url https://…`);
    },
  });
}

/** Before the numbers, which may then be written as in that country. */
export async function askCountry(
  { country, to = [] }: GivenOptions,
  ask: Ask | null,
  lang: string | undefined,
  earlier: Earlier,
): Promise<CommandResult<string>> {
  const [language, region = ''] = languageAndRegion(lang);
  const numbers = readNumbers(to.join(','), earlier.country ?? '');
  const ofNumber = numbers.ok ? countryOfNumber(numbers.value[0]) : undefined;
  const ofMachine = ask !== null && readCountry(region).ok ? region : '';
  return answer(country, ask, {
    message: 'Country of numbers without a country code, such as DE (- for none)',
    initial: earlier.country ?? ofNumber ?? ofMachine,
    read: (text) => readCountry(text, language === undefined ? [] : [language]),
  });
}

export async function askNumbers(
  to: readonly string[] | undefined,
  ask: Ask | null,
  lists: readonly string[],
  country: string,
  earlier: Earlier,
): Promise<CommandResult<Receivers>> {
  const read = receiversReader(earlier.lists, (text) => readNumbers(text, country));
  if (to !== undefined) {
    const numbers = read(to.join(','));
    return numbers.ok ? numbers : misused(`--to: ${numbers.error}`);
  }
  if (lists.length === 0) return ok({ lists: [], others: [] });
  if (ask === null)
    return misused(`who gets the messages (${lists.join(', ')})? Give --to "+49 151 12345678"`);
  const how =
    country === ''
      ? 'With the country code: +49 151 12345678'
      : `A number in ${countryName(country)}, or one with +`;
  return answer(undefined, ask, {
    message: `Numbers for ${lists.join(', ')}, separated by commas. ${how}${orLists(earlier.lists)}`,
    initial: earlier.numbersOf(lists).map(shownNumber).join(', '),
    read,
  });
}

/** The country's zone; a list to choose from where it has several. Beside a country, no answer makes UTC of it. */
export async function askZone(
  given: string | undefined,
  ask: Ask | null,
  country: string,
  own: string,
  earlier: Earlier,
): Promise<CommandResult<string>> {
  const zones = zonesOf(country, own);
  const initial = likelyZone(country, own, earlier);
  const isInPlace = country !== '' && initial !== '';
  const isChoice = given === undefined && ask !== null && zones.length > 2;
  if (isChoice) {
    const all = new Set([initial, ...zones, ...Intl.supportedValuesOf('timeZone').filter(isPlace)]);
    return ask.search(
      `Which time zone (${countryName(country)})? Type to search`,
      [...all].map((zone) => ({ value: zone, label: zone })),
    );
  }
  return answer(given, ask, {
    message: `The time zone, such as Europe/Berlin${isInPlace ? '' : ' (- for UTC)'}`,
    initial,
    read: (text) => {
      const zone = readZone(text);
      if (!zone.ok || !isInPlace) return zone;
      if (zone.value === '') return ok(initial);
      return isPlace(zone.value)
        ? zone
        : err(
            `is not a time zone of ${countryName(country)}: leave it out for ${initial}. For times in UTC, write \`timezone: UTC\` into the source afterwards`,
          );
    },
  });
}

const readSource = (text: string): Result<string, string> =>
  NAME.test(text)
    ? ok(text)
    : err('is not a name for a source: 1 to 64 letters, digits, `-` and `_`, a letter or digit first');

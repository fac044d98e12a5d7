import { NAME } from '../../src/config/documents/name.ts';
import { addressKind } from '../../src/config/compile/receivers.ts';
import { quietSchema } from '../../src/config/documents/alerting-schema.ts';
import { isValue, languageOf, withAnswers } from '../../src/config/documents/starter-texts.ts';
import { secureRandomBytes } from '../../src/lib/id.ts';
import { httpUrl } from '../../src/lib/url.ts';
import { err, ok, type Result } from '../../src/lib/result.ts';
import type { Ask } from '../ask.ts';
import { misused, type CommandResult } from '../failure.ts';
import {
  formStarter,
  readFields,
  readPage,
  takesUsual,
  USUAL_FIELDS,
  type FieldRules,
} from '../../shared/new-source/form-source.ts';
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
import { listsOf, namesAddress, type QuietHours } from '../../shared/new-source/plan.ts';
import {
  storyOf,
  toListsOnly,
  unrankedOutages,
  waitingRoutes,
  withOutagesAtOnce,
} from '../../shared/new-source/story.ts';
import { answer, askAnswers } from './answers.ts';
import { countryName, readCountry, countryOfNumber, quietOfLists, readNumbers } from './receivers.ts';
import { askReceivers, partsOf, readerOf, USUAL, type GivenGateway } from './gateway.ts';
import { askSecondLine, type WithSecondLine } from './lists.ts';
import {
  findProvider,
  languagesOf,
  readStarter,
  type OwnProviders,
  type ProviderStarter,
} from './starters.ts';

export interface GivenOptions extends GivenGateway {
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
  /** The page with the form, and its fields: `name*, email`. */
  readonly page?: string;
  readonly fields?: string;
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
  const receivers = await askReceivers(
    given.to,
    ask,
    lists,
    destination,
    country.value,
    earlier,
    randomBytes,
  );
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
  const read = readerOf(destination, country.value, earlier.lists);
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

/** Asked only where a starter can; nobody's customers are notified unasked. */
async function askCustomers(
  given: true | undefined,
  ask: Ask | null,
  { provider, starter }: ProviderStarter,
): Promise<CommandResult<boolean>> {
  const { customers = {} } = starter;
  const isPossible = Object.keys(customers).length > 0;
  if (given === true && !isPossible)
    return misused(`--customers: the starter of ${provider.id} notifies no customers`);
  if (given === true || !isPossible || ask === null) return ok(given === true);
  const parts = Object.values(customers);
  const all = [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter((one) => one !== '');
  return ask.confirm(`Notify customers, too? It ${all.join(', and ')}`);
}

/** Asked only where the provider sends alerts: others send nothing at night that a person did not do. */
async function askQuiet(
  given: string | undefined,
  ask: Ask | null,
  begin: ProviderStarter,
): Promise<CommandResult<QuietHours | null>> {
  const { provider, starter } = begin;
  const hasLists = listsOf(begin).length > 0;
  if (given !== undefined && !hasLists)
    return misused(
      `--quiet: quiet hours belong to recipients lists, and the starter of ${provider.id} has none`,
    );
  const isAlerting = starter.routes.some((route) => route['incident'] !== undefined);
  const outages = unrankedOutages(starter);
  const waiting = waitingRoutes(starter).filter((name) => !outages.includes(name));
  const which = waiting.length === 0 ? '' : ` These routes wait: ${waiting.join(', ')}`;
  return answer(given, isAlerting && hasLists ? ask : null, {
    message: `Quiet hours, such as 22:00-07:00 (empty: none).${which}`,
    read: readQuiet,
  });
}

/** True if outages pass quiet hours although their sender does not rank them. Who cannot be asked is woken. */
async function askOutages(
  outagesWait: true | undefined,
  ask: Ask | null,
  { provider, starter }: ProviderStarter,
  quiet: QuietHours | null,
): Promise<CommandResult<boolean>> {
  const outages = unrankedOutages(starter);
  if (quiet === null || outages.length === 0 || outagesWait === true) return ok(false);
  if (ask === null) return ok(true);
  const wait = await ask.confirm(
    `${provider.name} does not say how severe an outage is. Let all of them (${outages.join(', ')}) wait until ${quiet.to}, too?`,
  );
  return wait.ok ? ok(!wait.value) : wait;
}

/** Reads `22:00-07:00`. Null if the text is empty. */
export function readQuiet(text: string): Result<QuietHours | null, string> {
  if (text.trim() === '') return ok(null);
  const [, from, to] = /^\s*(\d{1,2}:\d\d)\s*(?:-|–|to)\s*(\d{1,2}:\d\d)\s*$/.exec(text) ?? [];
  if (from === undefined || to === undefined) return err('must be quiet hours such as 22:00-07:00');
  const hours = { from: from.padStart(5, '0'), to: to.padStart(5, '0') };
  const issue = quietSchema.safeParse(hours).error?.issues[0];
  return issue === undefined
    ? ok(hours)
    : err(`cannot be quiet hours: \`${issue.path.join('.')}\` ${issue.message}`);
}

/** The form that a source is for; null if its provider is not a form. */
async function askForm(
  { page, fields }: GivenOptions,
  ask: Ask | null,
  { provider }: ProviderStarter,
): Promise<CommandResult<{ readonly page: string; readonly fields: FieldRules } | null>> {
  if (provider.form !== true)
    return page === undefined && fields === undefined
      ? ok(null)
      : misused('--page and --fields are for `--provider html-form`');
  if (page === undefined && ask === null)
    return misused('on which page is the form? Give --page https://shop.example');
  const origin = await answer(page, ask, {
    message: 'The address of the page with the form, such as https://shop.example',
    read: readPage,
  });
  if (!origin.ok) return origin;
  const rules = await answer(fields, ask, {
    message: 'Its fields, separated by commas; * marks required ones',
    initial: USUAL_FIELDS,
    read: readFields,
  });
  return rules.ok ? ok({ page: origin.value, fields: rules.value }) : rules;
}

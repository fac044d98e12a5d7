import { earlierAnswers, isPlace, likelyLocale, likelyZone } from '../../../shared/new-source/likely.ts';
import { addressOfGateway, gatewayOf } from '../../../shared/new-source/gateways.ts';
import {
  type SourcePlan,
  type PlannedDocument,
  listsOf,
  ownListNames,
  planned,
  valuesOf,
  withListNames,
} from '../../../shared/new-source/plan.ts';
import { formStarter, readFields, readPage, USUAL_FIELDS } from '../../../shared/new-source/form-source.ts';
import * as story from '../../../shared/new-source/story.ts';
import { isNeeded, withAnswers } from '../../../src/config/documents/starter-texts.ts';
import { routesOf } from '../templates/texts-of-set.ts';
import type { DocumentSet, ProviderAnswer, SessionInfo } from '../../api/types.ts';
import { NAME } from '../../../src/config/documents/name.ts';
import { secretNames } from './model.ts';
import { readStored, store } from '../../lib/stored.ts';
import type { Coded } from '../../texts/relay-texts.ts';

/** No answers for a new source. Null: the default answer. */
export const NO_ANSWERS = {
  source: null as string | null,
  account: '',
  /** The list that is notified; empty: a new one, of `numbers`. */
  list: '',
  numbers: '',
  /** The same where the account's gateway has addresses. */
  addresses: '',
  country: null as string | null,
  locale: null as string | null,
  timezone: null as string | null,
  quietFrom: '',
  quietTo: '',
  /** Outages wait for the end of quiet hours where their sender does not rank them. */
  outagesWait: false,
  asked: {} as Readonly<Record<string, string>>,
  /** Names of starter routes that are left out; null: those that a source begins without. */
  without: null as readonly string[] | null,
};

export type Answers = Readonly<typeof NO_ANSWERS>;

/** The browser's `language` is BCP 47 (`de-DE`), its `country` the one that a language of it names; empty if none does. */
export function filledIn(
  answers: Answers,
  id: string,
  browser: Readonly<Record<'country' | 'language' | 'timezone', string>>,
  set: DocumentSet,
) {
  const { language, country: own, timezone } = browser;
  const earlier = earlierAnswers(set);
  const country = answers.country ?? earlier.country ?? own;
  // Not every browser knows the zones of countries; of its user's own it knows one.
  const zone =
    likelyZone(country, timezone, earlier) || (country === own && isPlace(timezone) ? timezone : '');
  return {
    ...answers,
    source:
      answers.source ?? freeName([id, ...[2, 3, 4, 5, 6, 7, 8, 9].map((n) => `${id}-${n}`)], set.sources),
    country,
    locale: answers.locale ?? likelyLocale(country, language.replace('-', '_'), earlier),
    // Beside a country it is not UTC, even if that was chosen before the country.
    timezone: (country === '' ? answers.timezone : answers.timezone || null) ?? zone,
  };
}

type Filled = ReturnType<typeof filledIn>;

const freeName = (names: readonly string[], taken: Readonly<Record<string, unknown>>): string =>
  names.find((name) => !Object.hasOwn(taken, name)) ?? names[0] ?? '';

/** The starter's routes as they are chosen. */
export function chosenRoutes(provider: ProviderAnswer, { without: chosen }: Answers) {
  const customers = Object.keys(provider.customers ?? {});
  const without = chosen ?? [...Object.keys(provider.further ?? {}), ...customers];
  const others = without.filter((name) => !customers.includes(name));
  const routes = routesOf(provider).filter(({ name }) => !without.includes(String(name)));
  const outages = story.unrankedOutages({ routes });
  return {
    /** The names of those that are left out, and the same with or without those to customers. */
    without,
    withoutCustomers: (notifies: boolean) => (notifies ? others : [...others, ...customers]),
    notifiesCustomers: customers.some((name) => !without.includes(name)),
    routes,
    /** True if somebody has to say who is notified: the routes name lists. Others take the number from the webhook. */
    askReceivers: listsOf({ starter: { routes } }).length > 0,
    /** Those of outages that their sender does not rank, and those that wait in quiet hours anyway. */
    outages,
    waiting: story.waitingRoutes({ routes }).filter((name) => !outages.includes(name)),
  };
}

/** Who is asked for: numbers, or the addresses of the account's gateway, in its word for them; null: none. */
export function receiversAsked(routes: ReturnType<typeof chosenRoutes>, answers: Answers, set: DocumentSet) {
  const isAsked = routes.askReceivers && answers.list === '';
  const addressKind = isAsked ? addressesOf(set.accounts, answers.account) : null;
  return { addressKind, asksNumbers: isAsked && addressKind === null };
}

/** True if its routes are about problems that open and resolve, at any hour. */
export const isAlerting = (provider: ProviderAnswer): boolean =>
  routesOf(provider).some(({ incident }) => incident !== undefined);

/** The questions about somebody's account at the provider, each with its answer. */
export const questionsOf = ({ asks = {}, source = {} }: ProviderAnswer, { asked }: Answers) =>
  Object.entries(asks).map(([name, { question, example, pattern }]) => {
    const text = (asked[name] ?? '').trim();
    // It has the form of the example, or is empty.
    const isRight = text === '' || new RegExp(pattern).test(text);
    // The source itself needs it, and not only a link.
    const isRequired = isNeeded(name, { source });
    const isMissing = isRequired && text === '';
    return { name, question, example, answer: isRight ? text : '', isRight, isRequired, isMissing };
  });

/** True if an answer is wrong, or missing though the source needs it: nothing is published then. */
export const isUnanswered = (provider: ProviderAnswer, answers: Answers): boolean =>
  questionsOf(provider, answers).some(({ isRight, isMissing }) => !isRight || isMissing) ||
  (isForm(provider) && Object.values(askedForm(answers)).includes(null));

/** The plan of a new source; `numbers` are the gateway's digits, `origin` is where the relay is. */
export function planOf(
  provider: ProviderAnswer,
  answers: Filled,
  numbers: readonly string[],
  set: DocumentSet,
  origin: string,
): SourcePlan {
  const { source, account, list, country, locale, timezone, quietFrom: from, quietTo: to } = answers;
  const { routes } = chosenRoutes(provider, answers);
  const quiet = from === '' || to === '' ? null : { from, to };
  const areAtOnce = quiet !== null && list === '' && !answers.outagesWait;
  const answered = withAnswers(
    { ...provider, routes: areAtOnce ? story.withOutagesAtOnce({ routes }).routes : routes },
    Object.fromEntries(questionsOf(provider, answers).map(({ name, answer }) => [name, answer])),
  );
  const { page, fields } = askedForm(answers);
  const starter = isForm(provider) ? formStarter(answered, page, fields ?? {}) : answered;
  const plan: SourcePlan = {
    provider,
    starter: { ...starter, templates: story.templatesOf(starter.routes, starter.templates ?? {}) },
    source,
    address: `${origin}/hooks/${source}`,
    numbers,
    ...(addressesOf(set.accounts, account) !== null && {
      addresses: { gateway: gatewayIn(set.accounts, account), all: addressesIn(answers) },
    }),
    ...(account !== '' && { account }),
    country: country || undefined,
    locale: locale || undefined,
    timezone: timezone || undefined,
    quiet,
  };
  const names = listsOf(plan).map(
    (one) => [one, list || freeName([one, ...ownListNames(one, source)], set.recipients)] as const,
  );
  return withListNames(plan, new Map(names));
}

export const DEFAULT_ACCOUNT = 'default';

export const gatewayIn = (accounts: DocumentSet['accounts'], account: string): string =>
  gatewayOf(accounts[account || DEFAULT_ACCOUNT]);

/** The word of the account's gateway for its addresses; null: it sends to numbers. */
export const addressesOf = (accounts: DocumentSet['accounts'], account: string): string | null =>
  addressOfGateway(gatewayIn(accounts, account));

export const addressesIn = ({ addresses }: Answers): readonly string[] =>
  addresses
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

export const isForm = ({ id }: ProviderAnswer): boolean => id === 'html-form';

/** The page and the fields of a form, as they are typed; null: they are wrong, or not there yet. */
export function askedForm({ asked }: Answers) {
  const page = readPage(asked['page'] ?? '');
  const fields = readFields(asked['fields'] ?? USUAL_FIELDS);
  return { page: page.ok ? page.value : null, fields: fields.ok ? fields.value : null };
}

/** Returns the documents of a plan to publish. Existing ones stay: lists, and templates as they were edited. */
export const newDocuments = (plan: SourcePlan, set: DocumentSet): readonly PlannedDocument[] =>
  planned(plan, set).filter(({ kind, name }) => kind === 'sources' || !Object.hasOwn(set[kind], name));

export const sharedTemplates = (plan: SourcePlan, set: DocumentSet): readonly string[] =>
  Object.keys(plan.starter.templates ?? {}).filter((name) => Object.hasOwn(set.templates, name));

/** Documents by kind and name, as previews and sets have them. */
export const byKind = (documents: readonly PlannedDocument[], set: Partial<DocumentSet> = {}) => ({
  sources: { ...set.sources, ...valuesOf(documents, 'sources') },
  templates: { ...set.templates, ...valuesOf(documents, 'templates') },
  recipients: { ...set.recipients, ...valuesOf(documents, 'recipients') },
});

export const setWith = (set: DocumentSet, documents: readonly PlannedDocument[]): DocumentSet => ({
  ...set,
  ...byKind(documents, set),
});

/** The field that an error of the relay is about; null: it is about something else. */
export function fieldAt(path: string, source: string) {
  if (path === `sources.${source}`) return 'source';
  const [kind, name, key = ''] = path.split(/[.[]/);
  if (kind === 'recipients') return key === 'quiet' ? 'quiet' : 'numbers';
  if (kind !== 'sources' || name !== source) return null;
  if (key === 'account' || key === 'locale' || key === 'timezone') return key;
  return key === 'country' || key === 'countries' ? 'country' : null;
}

/** Returns the error of a single answer as a key of the texts; null: none. */
export function wrongName(source: string, set: DocumentSet): 'badName' | 'takenName' | null {
  if (!NAME.test(source)) return 'badName';
  return Object.hasOwn(set.sources, source) ? 'takenName' : null;
}

const isUnset = ({ code, params }: Coded, name: string): boolean =>
  code === 'not-set' && params?.['name'] === name;

/** Splits the relay's errors about a planned source into the secrets that are not set and all other errors. */
export function missingIn<Some extends Coded>(
  errors: readonly Some[],
  source: string,
  documents: readonly PlannedDocument[],
) {
  const own = documents.find(({ kind, name }) => kind === 'sources' && name === source);
  const names = secretNames(own?.value ?? {});
  const missing = names.filter((name) => errors.some((error) => isUnset(error, name)));
  return {
    missing: new Set(missing),
    others: errors.filter((error) => !missing.some((name) => isUnset(error, name))),
  };
}

interface KeptDraft {
  readonly provider: string;
  readonly source: string;
  readonly answers: Answers;
  readonly missing: readonly string[];
}

type Person = Pick<SessionInfo, 'actor' | 'role'>;

const PREFIX = 'hookbell:new-source:';

const prefixOf = ({ actor, role }: Person): string => `${PREFIX}${role}:${encodeURIComponent(actor)}:`;

/** Keeps a draft in this browser, of this relay's address; null: forgets it. */
export const keepDraft = (person: Person, provider: string, draft: KeptDraft | null): void =>
  store(localStorage, prefixOf(person) + provider, draft);

export const readDraft = (person: Person, provider: string): KeptDraft | null =>
  readStored(localStorage, prefixOf(person) + provider);

const keysOf = (prefix: string): readonly string[] =>
  Object.keys(localStorage).filter((key) => key.startsWith(prefix));

/** A person's drafts, by the names of their sources. */
export const draftsOf = (person: Person): readonly KeptDraft[] =>
  keysOf(prefixOf(person))
    .flatMap((key) => readStored<KeptDraft>(localStorage, key) ?? [])
    .toSorted((a, b) => (a.source < b.source ? -1 : 1));

/** They hold numbers, so whoever signs out leaves none behind. */
export const forgetDrafts = (): void => keysOf(PREFIX).forEach((key) => localStorage.removeItem(key));

import {
  earlierAnswers,
  numbersIn,
  isPlace,
  likelyZone,
  likelyLocale,
} from '../../../shared/new-source/likely.ts';
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
import {
  leftOut,
  templatesOf,
  unrankedOutages,
  waitingRoutes,
  withOutagesAtOnce,
} from '../../../shared/new-source/story.ts';
import { isNeeded, withAnswers } from '../../../src/config/documents/starter-texts.ts';
import { routesOf } from '../templates/texts-of-set.ts';
import type { DocumentSet, ProviderAnswer, SessionInfo, Written } from '../../api/types.ts';
import { NAME } from '../../../src/config/documents/name.ts';
import { secretNames } from './model.ts';
import { readStored, store } from '../../lib/stored.ts';

/** No answers for a new source. Null: the default answer. */
export const NO_ANSWERS = {
  source: null as string | null,
  account: '',
  /** The list that is notified; null: a new one, of `numbers`. */
  list: null as string | null,
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

export interface BrowserSettings {
  /** BCP 47: `de-DE`. */
  readonly language: string;
  /** The country that a language of the browser names. Empty if none does. */
  readonly country: string;
  readonly timezone: string;
}

export function filledIn(
  answers: Answers,
  id: string,
  { language, country: own, timezone }: BrowserSettings,
  set: DocumentSet,
) {
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

export type Filled = ReturnType<typeof filledIn>;

const freeName = (names: readonly string[], taken: Readonly<Record<string, unknown>>): string =>
  names.find((name) => !Object.hasOwn(taken, name)) ?? names[0] ?? '';

export const withoutOf = (provider: ProviderAnswer, { without }: Answers): readonly string[] =>
  without ?? leftOut(linesOf(provider), false);

const linesOf = (provider: ProviderAnswer) => ({
  routes: routesOf(provider),
  ...(provider.further && { further: provider.further }),
  ...(provider.customers && { customers: provider.customers }),
});

export const notifiesCustomers = (provider: ProviderAnswer, answers: Answers): boolean => {
  const without = withoutOf(provider, answers);
  return Object.keys(provider.customers ?? {}).some((name) => !without.includes(name));
};

export const withoutCustomers = (provider: ProviderAnswer, answers: Answers, notifies: boolean) => {
  const customers = Object.keys(provider.customers ?? {});
  const rest = withoutOf(provider, answers).filter((name) => !customers.includes(name));
  return notifies ? rest : [...rest, ...customers];
};

const chosenRoutes = (provider: ProviderAnswer, answers: Answers): readonly Written[] => {
  const without = withoutOf(provider, answers);
  return routesOf(provider).filter(({ name }) => !without.includes(String(name)));
};

/** True if somebody has to say who is notified: the routes name lists. Others take the number from the webhook. */
export const asksReceivers = (provider: ProviderAnswer, answers: Answers): boolean =>
  listsOf({ starter: { routes: chosenRoutes(provider, answers) } }).length > 0;

/** The routes of outages that their sender does not rank, and those that wait in quiet hours anyway. */
export function quietOf(provider: ProviderAnswer, answers: Answers) {
  const routes = chosenRoutes(provider, answers);
  const outages = unrankedOutages({ routes });
  return { outages, waiting: waitingRoutes({ routes }).filter((name) => !outages.includes(name)) };
}

/** True if its routes are about problems that open and resolve, at any hour. */
export const isAlerting = (provider: ProviderAnswer): boolean =>
  routesOf(provider).some(({ incident }) => incident !== undefined);

/** True if an answer is wrong, or missing though the source needs it: nothing is published then. */
export const isUnanswered = (provider: ProviderAnswer, answers: Answers): boolean =>
  Object.entries(provider.asks ?? {}).some(([name, question]) => {
    const text = (answers.asked[name] ?? '').trim();
    return (
      !isRightAnswer(question, text) || (text === '' && isNeeded(name, { source: provider.source ?? {} }))
    );
  }) ||
  (isForm(provider) && Object.values(askedForm(answers)).includes(null));

/** True if an answer has the form of the example, or is empty. */
export const isRightAnswer = ({ pattern }: { readonly pattern: string }, text: string): boolean =>
  text === '' || new RegExp(pattern).test(text);

const rightAnswers = ({ asks = {} }: ProviderAnswer, { asked }: Answers): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(asks).map(([name, question]) => {
      const text = (asked[name] ?? '').trim();
      return [name, isRightAnswer(question, text) ? text : ''] as const;
    }),
  );

/** The plan of a new source; `numbers` are the gateway's digits, `origin` is where the relay is. */
export function planOf(
  provider: ProviderAnswer,
  answers: Filled,
  numbers: readonly string[],
  set: DocumentSet,
  origin: string,
): SourcePlan {
  const { source, account, list, country, locale, timezone, quietFrom, quietTo } = answers;
  const { secret } = provider;
  const chosen = chosenRoutes(provider, answers);
  const hasQuiet = quietFrom !== '' && quietTo !== '' && list === null;
  const answered = withAnswers(
    {
      routes: hasQuiet && !answers.outagesWait ? withOutagesAtOnce({ routes: chosen }).routes : chosen,
      ...(provider.asks && { asks: provider.asks }),
      ...(provider.source && { source: provider.source }),
      ...(provider.templates && { templates: provider.templates }),
    },
    rightAnswers(provider, answers),
  );
  const { page, fields } = askedForm(answers);
  const starter = isForm(provider) ? formStarter(answered, page, fields ?? {}) : answered;
  const { routes, source: more, templates } = starter;
  const plan: SourcePlan = {
    provider: {
      id: provider.id,
      name: provider.name,
      verify: provider.verify,
      ...(provider.handshakes && { handshakes: provider.handshakes }),
    },
    starter: {
      ...(secret && { secret }),
      ...(more && { source: more }),
      routes,
      ...(templates && { templates: templatesOf(routes, templates) }),
    },
    source,
    address: `${origin}/hooks/${source}`,
    numbers,
    ...(addressesOf(set.accounts, account) !== null && {
      addresses: { gateway: gatewayOf(set.accounts[account || DEFAULT_ACCOUNT]), all: addressesIn(answers) },
    }),
    ...(account !== '' && { account }),
    country: country || undefined,
    locale: locale || undefined,
    timezone: timezone || undefined,
    quiet: quietFrom !== '' && quietTo !== '' ? { from: quietFrom, to: quietTo } : null,
  };
  const names = listsOf(plan).map(
    (one) => [one, list ?? freeName([one, ...ownListNames(one, source)], set.recipients)] as const,
  );
  return withListNames(plan, new Map(names));
}

export const DEFAULT_ACCOUNT = 'default';

/** The word of the account's gateway for its addresses; null: it sends to numbers. */
export const addressesOf = (accounts: DocumentSet['accounts'], account: string): string | null =>
  addressOfGateway(gatewayOf(accounts[account || DEFAULT_ACCOUNT]));

export const addressesIn = ({ addresses }: Pick<Answers, 'addresses'>): readonly string[] =>
  addresses
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

export const isForm = ({ id }: Pick<ProviderAnswer, 'id'>): boolean => id === 'html-form';

/** The page and the fields of a form, as they are typed; null: they are wrong, or not there yet. */
export function askedForm({ asked }: Pick<Answers, 'asked'>) {
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
export const byKind = (documents: readonly PlannedDocument[]) => ({
  sources: valuesOf(documents, 'sources'),
  templates: valuesOf(documents, 'templates'),
  recipients: valuesOf(documents, 'recipients'),
});

export function setWith(set: DocumentSet, documents: readonly PlannedDocument[]): DocumentSet {
  const { sources, templates, recipients } = byKind(documents);
  return {
    ...set,
    sources: { ...set.sources, ...sources },
    templates: { ...set.templates, ...templates },
    recipients: { ...set.recipients, ...recipients },
  };
}

export const sizeOf = (list: unknown): number => numbersIn(list).length;

interface ErrorAtPath {
  readonly code?: string | undefined;
  readonly params?: Readonly<Record<string, string>> | undefined;
}

export type DraftField = 'source' | 'account' | 'country' | 'locale' | 'timezone' | 'numbers' | 'quiet';

export function fieldAt(path: string, source: string): DraftField | null {
  if (path === `sources.${source}`) return 'source';
  const [first = '', , third = ''] = path.split('.');
  if (first === 'recipients') return third.startsWith('quiet') ? 'quiet' : 'numbers';
  const rest = path.startsWith(`sources.${source}.`) ? path.slice(`sources.${source}.`.length) : '';
  if (rest === 'account' || rest === 'locale' || rest === 'timezone') return rest;
  return rest === 'country' || rest.startsWith('countries') ? 'country' : null;
}

/** Returns the error of a single answer as a key of the texts; null: none. */
export function wrongName(source: string, set: DocumentSet): 'badName' | 'takenName' | null {
  if (!NAME.test(source)) return 'badName';
  return Object.hasOwn(set.sources, source) ? 'takenName' : null;
}

/** Splits the relay's errors about a planned source into the secrets that are not set and all other errors. */
export function missingIn<Some extends ErrorAtPath>(
  errors: readonly Some[],
  source: string,
  documents: readonly PlannedDocument[],
): { readonly missing: ReadonlySet<string>; readonly others: readonly Some[] } {
  const own = documents.find(({ kind, name }) => kind === 'sources' && name === source);
  const names = own === undefined ? [] : secretNames(own.value);
  const isAbout = (name: string, { code, params }: Some): boolean =>
    code === 'not-set' && params?.['name'] === name;
  const missing = names.filter((name) => errors.some((error) => isAbout(name, error)));
  return {
    missing: new Set(missing),
    others: errors.filter((error) => !missing.some((name) => isAbout(name, error))),
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

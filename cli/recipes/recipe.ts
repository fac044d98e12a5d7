import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { unknownName } from '../../src/config/documents/unknown-name.ts';
import type { Question } from '../../src/config/documents/provider-file.ts';
import { FIRST_LANGUAGE } from '../../src/config/documents/starter-texts.ts';
import { err, ok } from '../../src/lib/result.ts';
import type { CommandResult } from '../failure.ts';
import { readFolder, type LocalDocument } from '../folder/read.ts';
import { nameForSecretOf } from '../../src/config/secrets/credential-names.ts';
import type { ConfigSet } from '../../src/config/documents/schema.ts';
import { idText } from '../folder/kinds.ts';
import { textFor } from '../folder/write.ts';
import type { NewDocument } from '../init/changes.ts';
import { addressesIn, numbersIn } from '../../shared/new-source/likely.ts';
import { gatewayFacts } from '../../shared/new-source/gateways.ts';
import { isObject, ownValue } from '../../src/lib/json.ts';
import { templatesOf } from '../../shared/templates-of.ts';
import { receiversOf, type SourcePlan, type QuietHours } from '../../shared/new-source/plan.ts';
import { writeYaml } from '../../shared/yaml-patch/rewrite.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'examples', 'recipes');

/** A folder of documents to start from, `examples/recipes/{id}`. A file of this package, checked by its tests. */
export interface Recipe {
  readonly id: string;
  readonly folder: string;
  readonly title: string;
  readonly about: string;
  /** Alternative sources. One is needed, by default the first. */
  readonly choose?: { readonly name: string; readonly question: string; readonly sources: readonly string[] };
  /** Questions that only the owner can answer. An answer replaces its example in all documents. */
  readonly asks?: Readonly<Record<string, Question>>;
  /** The steps at the provider of a source, where those of its starter are for other routes. */
  readonly steps?: Readonly<Record<string, string>>;
}

export const recipes = (): readonly Recipe[] => readdirSync(FOLDER).sort().map(readRecipe);

export function findRecipe(id: string): CommandResult<Recipe> {
  const all = recipes();
  const found = all.find((one) => one.id === id);
  if (found !== undefined) return ok(found);
  const message = unknownName(
    'recipe',
    id,
    all.map((one) => one.id),
  );
  return err({ message, details: all.map(({ id: name, about }) => `${name}: ${about}`), exit: 2 });
}

function readRecipe(id: string): Recipe {
  const folder = join(FOLDER, id);
  const read: unknown = parse(readFileSync(join(folder, 'recipe.yaml'), 'utf8'));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a file of this package, which its tests check
  return { ...(read as Omit<Recipe, 'id' | 'folder'>), id, folder };
}

/** The documents of a recipe, with the texts of `{language}/templates`, or else in English. */
export function recipeDocuments(
  { folder }: Recipe,
  language: string,
): CommandResult<readonly LocalDocument[]> {
  const english = readFolder(folder);
  if (!english.ok) return english;
  const { documents } = english.value;
  if (!languagesOf(folder).includes(language)) return ok(documents);
  const translated = readFolder(join(folder, language));
  if (!translated.ok) return translated;
  const inLanguage = new Map(translated.value.documents.map((one) => [idText(one), one]));
  return ok(documents.map((one) => inLanguage.get(idText(one)) ?? one));
}

/** The languages other than English in which a recipe has texts. */
const languagesOf = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => existsSync(join(folder, name, 'templates')));

export const recipeLanguages = ({ folder }: Recipe): readonly string[] => [
  FIRST_LANGUAGE,
  ...languagesOf(folder),
];

/** The answers that a recipe needs from a person. Without `account` the account `default` sends. */
export interface RecipeAnswers extends Pick<SourcePlan, 'account' | 'numbers' | 'addresses' | 'newAccount'> {
  /** The source that was chosen of those that the recipe has for one thing. */
  readonly chosen: string | null;
  /** True if customers get messages, too: the receivers that a payload names. */
  readonly customers: boolean;
  readonly country: string;
  readonly locale: string;
  /** Empty: none is known. */
  readonly timezone: string;
  /** Answers by the names of what the recipe asks. */
  readonly answers: ReadonlyMap<string, string>;
  readonly quiet: QuietHours | null;
}

/** The locale of the recipes' sources. The person's replaces it wherever a document names it. */
const RECIPE_LOCALE = 'en-GB';

/** The names of the routes whose receiver a payload names: customers, guests, visitors. */
export const customerRoutes = (source: unknown): readonly string[] =>
  listIn(source, 'routes').flatMap((route) =>
    isForCustomers(route) ? [String(ownValue(route, 'name'))] : [],
  );

const isForCustomers = (route: unknown): boolean => String(ownValue(route, 'to')).includes('{{');

function listIn(source: unknown, key: 'routes' | 'secrets'): readonly unknown[] {
  const list = ownValue(source, key);
  return Array.isArray(list) ? list : [];
}

/** The documents that a person wants of a recipe. Comments and the order of keys stay. */
export function documentsOfRecipe(
  recipe: Recipe,
  documents: readonly LocalDocument[],
  answers: RecipeAnswers,
): readonly NewDocument[] {
  const others = recipe.choose?.sources.filter((source) => source !== answers.chosen) ?? [];
  const changed = documents.flatMap((document) =>
    document.kind === 'sources' && others.includes(document.name)
      ? []
      : [{ ...document, value: valueOf(withAnswers(document.value, recipe, answers), document, answers) }],
  );
  const templates = new Set(
    changed.flatMap(({ kind, value }) =>
      kind === 'sources'
        ? listIn(value, 'routes').flatMap((route) => [...templatesOf(route), ownValue(route, 'digest')])
        : [],
    ),
  );
  const made = changed
    .filter(({ kind, name }) => kind !== 'templates' || templates.has(name))
    .map(({ value, ...document }) => ({
      kind: document.kind,
      name: document.name,
      value,
      text: textFor(document, value),
    }));
  return withAccount(made, answers);
}

type Value = Readonly<Record<string, unknown>>;

/** A new account has what the recipe says of the account `default`; another one that is there keeps what it has. */
function withAccount(
  documents: readonly NewDocument[],
  { account, newAccount }: RecipeAnswers,
): readonly NewDocument[] {
  if (account === undefined) return documents;
  const others = documents.filter(({ kind }) => kind !== 'accounts');
  if (newAccount === undefined) return others;
  const { name, about } = newAccount;
  const usual = documents.find(({ kind }) => kind === 'accounts');
  const value = { ...newAccount.value, ...usual?.value };
  return [{ kind: 'accounts', name, value, text: `# ${about}\n${writeYaml(value)}` }, ...others];
}

function valueOf(value: Value, { kind }: LocalDocument, answers: RecipeAnswers): Value {
  if (kind === 'sources') return sourceOf(value, answers);
  return kind === 'recipients' ? listOf(value, answers) : value;
}

/** Sets only keys that the source has. Only customers need a language of their own. */
function sourceOf(source: Value, answers: RecipeAnswers): Value {
  const { account, customers, country, locale, timezone } = answers;
  const given: Value = {
    country,
    ...(!customers && { locale }),
    timezone,
    countries: country === '' ? '' : [country],
  };
  const made = Object.fromEntries(
    Object.entries(source)
      .map(([key, value]) => [key, Object.hasOwn(given, key) ? given[key] : value] as const)
      .filter(([, value]) => value !== ''),
  );
  const { provider, ...rest } = made;
  return {
    ...(provider !== undefined && { provider }),
    ...(account !== undefined && { account }),
    ...rest,
    routes: listIn(source, 'routes').filter((route) => customers || !isForCustomers(route)),
  };
}

/** The list with the person's receivers and quiet hours in place of the recipe's. */
function listOf({ quiet: example, ...list }: Value, answers: RecipeAnswers): Value {
  const { quiet, timezone } = answers;
  const receivers = Object.fromEntries(
    Object.entries(list).flatMap(([key, value]) =>
      key === 'numbers' ? Object.entries(receiversOf(answers)) : [[key, value]],
    ),
  );
  if (example === undefined || quiet === null) return receivers;
  const zone = timezone === '' ? 'UTC' : timezone;
  return { ...receivers, quiet: { ...(isObject(example) && example), ...quiet, timezone: zone } };
}

/** The example of each question, and the recipe's locale, are replaced by the answers, wherever they stand. */
function withAnswers(value: unknown, { asks = {} }: Recipe, { answers, locale }: RecipeAnswers): Value {
  const inside = (one: unknown): unknown => {
    if (typeof one === 'string') return answered(one, asks, answers).replaceAll(RECIPE_LOCALE, locale);
    if (Array.isArray(one)) return one.map(inside);
    return isObject(one)
      ? Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, inside(inner)]))
      : one;
  };
  const made = inside(value);
  return isObject(made) ? { ...made } : {};
}

export const answered = (
  text: string,
  asks: NonNullable<Recipe['asks']>,
  answers: ReadonlyMap<string, string>,
): string =>
  Object.entries(asks).reduce(
    (made, [name, { example }]) => made.replaceAll(example, () => answers.get(name) ?? example),
    text,
  );

/**
 * The documents beside those of a folder. A list that is there with other numbers is not widened: other sources may use
 * it, so the recipe's gets a name of its own. A secret that another source has is not shared, since each address at a
 * provider has its own. An account that is there keeps its settings.
 */
export function withFreeNames(
  documents: readonly NewDocument[],
  recipe: string,
  set: ConfigSet,
): readonly NewDocument[] {
  const fresh = documents.filter(
    ({ kind, name }) => kind !== 'accounts' || !Object.hasOwn(set.accounts, name),
  );
  const lists = new Map(
    fresh.flatMap(({ kind, name, value }) =>
      kind === 'recipients' &&
      Object.hasOwn(set.recipients, name) &&
      !hasReceiversOf(set.recipients[name], value)
        ? [[name, `${recipe}-${name}`]]
        : [],
    ),
  );
  const isTaken = (secret: unknown, source: string): boolean =>
    Object.entries(set.sources).some(
      ([id, other]) => id !== source && listIn(other, 'secrets').includes(secret),
    );
  return fresh.map((document) => {
    const { kind, name } = document;
    if (kind === 'recipients') return { ...document, name: lists.get(name) ?? name };
    if (kind !== 'sources') return document;
    const value: Value = {
      ...document.value,
      ...(listIn(document.value, 'secrets').some((secret) => isTaken(secret, name)) && {
        secrets: [nameForSecretOf(name)],
      }),
      routes: listIn(document.value, 'routes').map((route) => {
        const other = lists.get(String(ownValue(route, 'to')));
        return other === undefined || !isObject(route) ? route : { ...route, to: other };
      }),
    };
    return { ...document, value, text: textFor({ file: `${name}.yaml`, text: document.text }, value) };
  });
}

const hasReceiversOf = (list: unknown, other: unknown): boolean => {
  const [known, wanted] = [receiversIn(list), receiversIn(other)];
  return wanted.length === known.length && wanted.every((one) => known.includes(one));
};

const receiversIn = (list: unknown): readonly string[] => [
  ...numbersIn(list),
  ...gatewayFacts.flatMap(({ id }) => addressesIn(list, id)),
];

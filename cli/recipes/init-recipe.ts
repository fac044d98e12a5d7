import '../facts.ts';
import { join } from 'node:path';
import { compileConfig } from '../../src/config/compile/compile.ts';
import type { Config } from '../../src/config/compiled/config.ts';
import { languageOf, FIRST_LANGUAGE } from '../../src/config/documents/starter-texts.ts';
import { ok, err } from '../../src/lib/result.ts';
import type { Ask } from '../ask.ts';
import type { Cli } from '../command.ts';
import { failed, type CommandResult, misused } from '../failure.ts';
import { findFixtures } from '../fixtures/read.ts';
import { readFile, type LocalFolder, type LocalDocument } from '../folder/read.ts';
import { type GivenOptions, type MachineSettings, askCountry, askZone, readQuiet } from '../init/ask.ts';
import { withDocuments, writeNew, type NewDocument, withExpected, type NewFile } from '../init/changes.ts';
import {
  accountSecrets,
  addressWarning,
  shownReceivers,
  type Destination,
  askReceivers,
  partsOf,
} from '../init/gateway.ts';
import { earlierAnswers, likelyLocale, readLocale } from '../../shared/new-source/likely.ts';
import {
  answered,
  documentsOfRecipe,
  withFreeNames,
  type RecipeAnswers,
  customerRoutes,
  recipeDocuments,
  type Recipe,
  recipeLanguages,
} from './recipe.ts';
import { findProvider } from '../../src/provider/provider.ts';
import {
  nextSteps,
  showCommands,
  showFiles,
  showRoutes,
  showSetup,
  stepsToSet,
  type NextSteps,
} from '../init/next-steps.ts';
import { readStarter } from '../init/starters.ts';
import { isObject, ownValue } from '../../src/lib/json.ts';
import { secretsOf, valuesOf } from '../../shared/new-source/plan.ts';
import { publishCommand } from '../paste.ts';
import { unknownName } from '../../src/config/documents/unknown-name.ts';
import { answer, readGiven } from '../init/answers.ts';
import { secureRandomBytes } from '../../src/lib/id.ts';
import { addressKind } from '../../src/config/compile/receivers.ts';

interface Options extends GivenOptions {
  readonly yes?: true;
  readonly force?: true;
}

interface InitRecipeFacts {
  readonly recipe: Recipe;
  readonly ask: Ask | null;
  readonly surroundings: MachineSettings;
  readonly destination: Destination;
  /** The folder as it was given; null: the one that commands use. */
  readonly folder: string | null;
  readonly local: LocalFolder;
}

export async function initRecipe(cli: Cli, options: Options, facts: InitRecipeFacts) {
  const { recipe, local } = facts;
  const english = recipeDocuments(recipe, languageOf(''));
  if (!english.ok) return english;
  const answers = await askForRecipe(options, facts, english.value);
  if (!answers.ok) return answers;
  const texts = recipeDocuments(recipe, languageOf(answers.value.locale));
  if (!texts.ok) return texts;
  const documents = withFreeNames(
    documentsOfRecipe(recipe, texts.value, answers.value),
    recipe.id,
    local.set,
  );
  const config = compiled(documents, local);
  if (!config.ok) return config;
  const fixtures = await fixturesOf(recipe, local.folder, config.value, answers.value);
  const written = await writeNew(cli, documents, fixtures, local, options);
  if (!written.ok) return written;
  const sources = documents.filter(({ kind }) => kind === 'sources');
  const steps = sources.map((one) => stepsOf(cli, one, documents, facts, answers.value));
  const secrets = [
    ...accountSecrets(answers.value).map(({ name, hint }) => ({ name, hint: cli.pasteIn(hint) })),
    ...documents.flatMap(accountSecret),
  ].map((one) => ({ ...one, set: stepsToSet(one.name, cli) }));
  const where = facts.folder === null ? [] : [facts.folder];
  const next = [
    cli.paste('check', ...where),
    publishCommand(cli, ...where),
    ...sources
      .filter(({ value }) => value['provider'] !== 'generic')
      .slice(0, 1)
      .map(({ name }) => cli.paste('preview', name, '--samples')),
    cli.paste('tail'),
  ];
  const warning = addressWarning(answers.value);
  if (warning !== null) cli.out.note(warning);
  const json = {
    recipe: recipe.id,
    folder: local.folder,
    files: written.value,
    sources: steps.map(({ json: { source, provider, url, setup, secrets: own } }) => ({
      source,
      provider,
      url,
      setup,
      secrets: own,
    })),
    // Of accounts, such as the owner's channel.
    secrets,
    next,
  };
  return cli.out.show(json, () => {
    showFiles(cli.out, written.value);
    showRoutes(
      cli.out,
      steps.flatMap(({ json: { source }, routes }) =>
        routes.map(([route, to]) => [`${source}/${route}`, to] as const),
      ),
    );
    // The note about the address is the same for all.
    for (const [at, one] of steps.entries()) showSetup(cli.out, at === 0 ? one : { ...one, note: null });
    for (const { name, hint, set } of secrets) showCommands(cli.out, name, [hint, ...set]);
    showCommands(cli.out, 'Next', next);
  });
}

/** Compiles the recipe together with the folder's documents. Errors are about what the person gave, such as a time zone. */
function compiled(documents: readonly NewDocument[], { set }: LocalFolder): CommandResult<Config> {
  const { config, errors } = compileConfig(withDocuments(set, documents), 0);
  const isOwn = (path: string): boolean =>
    documents.some(({ kind, name }) => path.startsWith(`${kind}.${name}.`));
  const first = errors.find(({ path }) => isOwn(path));
  return first === undefined ? ok(config) : failed(`${first.path}: ${first.message}`);
}

/** The fixtures of the sources that are written, and their messages as these documents make them. */
async function fixturesOf(
  { folder: from, asks = {} }: Recipe,
  folder: string,
  config: Config,
  { answers }: RecipeAnswers,
): Promise<readonly NewFile[]> {
  const files: NewFile[] = [];
  for (const { source: id, file } of findFixtures(from)) {
    const source = config.sources.get(id);
    const read = readFile(file);
    if (source === undefined || !read.ok) continue;
    const text = answered(read.value, asks, answers);
    files.push(...(await withExpected(join(folder, file.slice(from.length)), id, text, source)).files);
  }
  return files;
}

function stepsOf(
  cli: Cli,
  { name, value }: NewDocument,
  documents: readonly NewDocument[],
  { recipe, surroundings, folder, local }: InitRecipeFacts,
  answers: RecipeAnswers,
): NextSteps {
  const url = surroundings.relay;
  const id = String(value['provider']);
  const provider = findProvider(id);
  if (provider === undefined) throw new Error(`the recipe ${recipe.id} names no provider: ${id}`);
  const starter = readStarter(id, FIRST_LANGUAGE);
  const { provider: _, routes, secrets: named, ...source } = value;
  const [secret] = Array.isArray(named) ? named.map(String) : [];
  const plan = {
    provider,
    starter: {
      ...starter,
      source,
      routes: Array.isArray(routes) ? routes.filter(isObject) : [],
      setup: recipe.steps?.[name] ?? starter.setup,
      ...(secret !== undefined &&
        starter.secret !== undefined && { secret: { ...starter.secret, name: secret } }),
    },
    unanswered: [],
    source: name,
    address: `${url}/hooks/${name}`,
    numbers: answers.numbers,
    country: answers.country || undefined,
    locale: answers.locale,
    timezone: answers.timezone || undefined,
    quiet: answers.quiet,
  };
  const steps = nextSteps(plan, {
    paste: cli.paste,
    pasteIn: cli.pasteIn,
    place: cli.place,
    folder,
    url,
    file: join(local.folder, 'sources', `${name}.yaml`),
    secrets: secretsOf(plan, local.set),
    receiversOf: shownReceivers(valuesOf(documents, 'recipients'), answers),
  });
  return id === 'generic' ? { ...steps, providerName: `your own sender, for ${name}` } : steps;
}

function accountSecret({ kind, name, value }: NewDocument) {
  const secret = ownValue(value, 'notify.secret');
  if (kind !== 'accounts' || typeof secret !== 'string') return [];
  const hint = `takes the place of \`{secret}\` in accounts/${name}.yaml. Without it nothing can be published.`;
  return [{ name: secret, hint }];
}

/** Fills in what was not given: asks, or without a terminal uses likely values. */
async function askForRecipe(
  given: GivenOptions,
  { recipe, ask, surroundings, destination, local }: InitRecipeFacts,
  documents: readonly LocalDocument[],
): Promise<CommandResult<RecipeAnswers>> {
  const { lang, timezone: ownZone } = surroundings;
  const earlier = earlierAnswers(local.set);
  const known = readGiven(given.answer ?? []);
  if (!known.ok) return misused(`--answer: ${known.error}`);
  const chosen = await askChosen(known.value, ask, recipe);
  if (!chosen.ok) return chosen;
  const lists = documents.filter(({ kind }) => kind === 'recipients');
  const names = lists.map(({ name }) => name);
  const what = addressKind(destination);
  if (what !== null && given.customers === true)
    return misused(`--customers: customers have phone numbers, but this gateway sends to a ${what}`);
  const country = await askCountry(given, ask, lang, earlier);
  if (!country.ok) return country;
  // A recipe writes its own lists.
  const receivers = await askReceivers(
    given.to,
    ask,
    names,
    destination,
    country.value,
    { ...earlier, lists: {} },
    secureRandomBytes,
  );
  if (!receivers.ok) return receivers;
  const customers = what === null ? await askCustomers(given, ask, documents) : ok(false);
  if (!customers.ok) return customers;
  const locale = await answer(given.locale, ask, {
    message: 'The language of messages, amounts and times, such as de-DE',
    initial: likelyLocale(country.value, lang, earlier, recipeLanguages(recipe)),
    read: readLocale,
  });
  if (!locale.ok) return locale;
  const timezone = await askZone(given.timezone, ask, country.value, ownZone, earlier);
  if (!timezone.ok) return timezone;
  const answers = await askOwn(known.value, ask, recipe);
  if (!answers.ok) return answers;
  const quiet = await answer(given.quiet, ask, {
    message: 'Quiet hours, in which only urgent messages are sent (- for none)',
    initial: hoursOf(lists),
    read: readQuiet,
  });
  if (!quiet.ok) return quiet;
  return ok({
    chosen: chosen.value,
    customers: customers.value,
    country: country.value,
    ...partsOf(destination, receivers.value.others),
    locale: locale.value,
    timezone: timezone.value,
    answers: answers.value,
    quiet: quiet.value,
  });
}

/** The hours of the recipe's first list that has some, `22:00-07:00`. */
function hoursOf(lists: readonly LocalDocument[]): string {
  const quiet = lists.map(({ value }) => ownValue(value, 'quiet')).find((one) => one !== undefined);
  return quiet === undefined ? '' : `${String(ownValue(quiet, 'from'))}-${String(ownValue(quiet, 'to'))}`;
}

async function askChosen(
  known: ReadonlyMap<string, string>,
  ask: Ask | null,
  { choose, asks = {} }: Recipe,
): Promise<CommandResult<string | null>> {
  const names = [...Object.keys(asks), ...(choose === undefined ? [] : [choose.name])];
  const unknown = [...known.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined)
    return misused(
      names.length === 0
        ? '--answer: this recipe has no questions'
        : `--answer: ${unknownName('question', unknown, names)}`,
    );
  if (choose === undefined) return ok(null);
  const { name, question, sources } = choose;
  const given = known.get(name);
  if (given === undefined)
    return ask === null
      ? ok(sources[0] ?? null)
      : ask.search(
          `${question}?`,
          sources.map((value) => ({ value, label: value })),
        );
  return sources.includes(given)
    ? ok(given)
    : misused(`--answer ${name}=${given}: must be one of ${sources.join(', ')}`);
}

/** Nobody messages strangers by accident: it asks, and without a terminal the answer is no. */
async function askCustomers(
  { customers }: GivenOptions,
  ask: Ask | null,
  documents: readonly LocalDocument[],
): Promise<CommandResult<boolean>> {
  const routes = documents.flatMap(({ kind, value }) => (kind === 'sources' ? customerRoutes(value) : []));
  if (customers === true && routes.length === 0)
    return misused('--customers: this recipe has no messages for customers');
  if (customers === true || ask === null || routes.length === 0) return ok(customers === true);
  return ask.confirm(`Notify customers, too (${routes.join(', ')})?`);
}

async function askOwn(
  known: ReadonlyMap<string, string>,
  ask: Ask | null,
  { asks = {} }: Recipe,
): Promise<CommandResult<ReadonlyMap<string, string>>> {
  const answers = new Map<string, string>();
  for (const [name, { question, example, pattern }] of Object.entries(asks)) {
    const given = known.get(name);
    if (given === undefined && ask === null)
      return misused(`--answer ${name}=… is needed, such as ${name}=${example}: ${question}`);
    const one = await answer(given, ask, {
      message: `${question}, such as ${example}`,
      read: (text) => {
        const written = text.trim().replace(/\/$/, '');
        return new RegExp(pattern).test(written) ? ok(written) : err(`does not look like ${example}`);
      },
    });
    if (!one.ok) return one;
    answers.set(name, one.value);
  }
  return ok(answers);
}

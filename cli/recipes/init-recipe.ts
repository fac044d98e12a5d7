import '../facts.ts';
import { join } from 'node:path';
import { compileConfig } from '../../src/config/compile/compile.ts';
import type { Config } from '../../src/config/compiled/config.ts';
import { languageOf, FIRST_LANGUAGE } from '../../src/config/documents/starter-texts.ts';
import { ok } from '../../src/lib/result.ts';
import type { Ask } from '../ask.ts';
import type { Cli } from '../command.ts';
import { failed, type CommandResult } from '../failure.ts';
import { findFixtures } from '../fixtures/read.ts';
import { readFile, type LocalFolder } from '../folder/read.ts';
import type { GivenOptions, MachineSettings } from '../init/ask.ts';
import { withDocuments, writeNew, type NewDocument } from '../init/changes.ts';
import { accountSecrets, addressWarning, shownReceivers, type Destination } from '../init/gateway.ts';
import { withExpected, type NewFile } from '../init/fixtures.ts';
import { earlierAnswers } from '../../shared/new-source/likely.ts';
import { askForRecipe } from './ask.ts';
import { answered, documentsOfRecipe, withFreeNames, type RecipeAnswers } from './documents.ts';
import { recipeDocuments, type Recipe } from './recipe.ts';
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
  const { recipe, ask, surroundings, local } = facts;
  const english = recipeDocuments(recipe, languageOf(''));
  if (!english.ok) return english;
  const answers = await askForRecipe(options, ask, surroundings, {
    earlier: earlierAnswers(local.set),
    recipe,
    documents: english.value,
    destination: facts.destination,
  });
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
    ...sources.slice(0, 1).map(({ name }) => cli.paste('preview', name, '--samples')),
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

import '../facts.ts';
import { join } from 'node:path';
import { compileConfig } from '../../src/config/compile/compile.ts';
import type { Config } from '../../src/config/compiled/config.ts';
import { EMPTY_SET, type ConfigSet } from '../../src/config/documents/schema.ts';
import { languageOf } from '../../src/config/documents/starter-texts.ts';
import { ok } from '../../src/lib/result.ts';
import type { Ask } from '../ask.ts';
import type { Cli } from '../command.ts';
import { failed, type CommandResult } from '../failure.ts';
import { findFixtures, readRequestText } from '../fixtures/read.ts';
import { renderFixture } from '../fixtures/render.ts';
import { expectedText } from '../fixtures/run.ts';
import { readFile, type LocalFolder } from '../folder/read.ts';
import type { MachineSettings } from '../init/ask.ts';
import { writeNew } from '../init/changes.ts';
import type { NewDocument } from '../init/documents.ts';
import { addressWarning, type Destination } from '../init/gateway.ts';
import type { NewFile } from '../init/fixtures.ts';
import { earlierAnswers } from '../../shared/new-source/earlier.ts';
import { askForRecipe, type GivenForRecipe } from './ask.ts';
import { answered, documentsOfRecipe, withFreeNames, type RecipeAnswers } from './documents.ts';
import { recipeSteps, showRecipeSteps } from './steps.ts';
import { recipeDocuments, type Recipe } from './recipe.ts';

interface Options extends GivenForRecipe {
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

/** `init --recipe`: the documents of a recipe, as a person wants them. */
export async function initRecipe(cli: Cli, options: Options, facts: InitRecipeFacts): Promise<CommandResult> {
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
  const steps = recipeSteps(recipe, documents, {
    paste: cli.paste,
    pasteIn: cli.pasteIn,
    place: cli.place,
    url: surroundings.relay,
    folder: facts.folder,
    local,
    answers: answers.value,
  });
  const warning = addressWarning(answers.value);
  if (warning !== null) cli.out.note(warning);
  cli.out.show({ recipe: recipe.id, folder: local.folder, files: written.value, ...steps.json }, () =>
    showRecipeSteps(cli.out, steps, written.value),
  );
  return ok(undefined);
}

/** Compiles the recipe together with the folder's documents. Errors are about what the person gave, such as a time zone. */
function compiled(documents: readonly NewDocument[], { set }: LocalFolder): CommandResult<Config> {
  const together = documents.reduce<ConfigSet>(
    (sum, { kind, name, value }) => ({ ...sum, [kind]: { ...sum[kind], [name]: value } }),
    { ...EMPTY_SET, ...set },
  );
  const { config, errors } = compileConfig(together, 0);
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
    const fixture = { source: id, file: join(folder, file.slice(from.length)) };
    const text = answered(read.value, asks, answers);
    const request = readRequestText(fixture, text);
    const rendered = request.ok ? await renderFixture(source, request.value) : null;
    files.push({ file: fixture.file, text });
    if (rendered?.ok === true)
      files.push({
        file: fixture.file.replace(/\.(json|http)$/, '.expected.json'),
        text: expectedText(rendered.value),
      });
  }
  return files;
}

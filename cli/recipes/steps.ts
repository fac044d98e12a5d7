import { join } from 'node:path';
import { FIRST_LANGUAGE } from '../../src/config/documents/starter-texts.ts';
import { isObject } from '../../shared/yaml-patch/same.ts';
import { findProvider } from '../../src/provider/known.ts';
import type { LocalFolder } from '../folder/read.ts';
import type { NewDocument } from '../init/documents.ts';
import { accountSecrets, addressesOfList } from '../init/gateway.ts';
import {
  nextSteps,
  showCommands,
  showFiles,
  showRoutes,
  showSetup,
  type NextSteps,
  type SecretToSet,
} from '../init/next-steps.ts';
import { shownNumber } from '../init/receivers.ts';
import { readStarter } from '../init/starters.ts';
import { ownValue } from '../../src/lib/json.ts';
import { numbersIn } from '../../shared/new-source/earlier.ts';
import { secretsOf } from '../../shared/new-source/plan.ts';
import type { Output } from '../output.ts';
import { publishCommand, type Pasting } from '../paste.ts';
import { secretSteps } from '../place.ts';
import type { RecipeAnswers } from './documents.ts';
import type { Recipe } from './recipe.ts';

interface RecipeStepFacts extends Pick<Pasting, 'paste' | 'pasteIn' | 'place'> {
  readonly url: string;
  readonly folder: string | null;
  readonly local: LocalFolder;
  readonly answers: RecipeAnswers;
}

/** The steps after `init --recipe`: those of each source, then the commands. */
interface RecipeSteps {
  readonly json: {
    readonly sources: readonly Pick<NextSteps['json'], 'source' | 'provider' | 'url' | 'setup' | 'secrets'>[];
    /** Secrets of accounts, such as the owner's channel. */
    readonly secrets: readonly SecretToSet[];
    readonly next: readonly string[];
  };
  readonly sources: readonly NextSteps[];
}

export function recipeSteps(
  recipe: Recipe,
  documents: readonly NewDocument[],
  facts: RecipeStepFacts,
): RecipeSteps {
  const sources = documents.filter(({ kind }) => kind === 'sources');
  const steps = sources.map((one) => stepsOf(one, recipe, documents, facts));
  const where = facts.folder === null ? [] : [facts.folder];
  return {
    json: {
      sources: steps.map(({ json: { source, provider, url, setup, secrets } }) => ({
        source,
        provider,
        url,
        setup,
        secrets,
      })),
      secrets: [
        ...accountSecrets(facts.answers).map(({ name, hint }) => ({
          name,
          hint: facts.pasteIn(hint),
          set: secretSteps(facts.place, name).map((step) => facts.pasteIn(step)),
        })),
        ...documents.flatMap((document) => accountSecret(document, facts)),
      ],
      next: [
        facts.paste('check', ...where),
        publishCommand(facts, ...where),
        ...sources.slice(0, 1).map(({ name }) => facts.paste('preview', name, '--samples')),
        facts.paste('tail'),
      ],
    },
    sources: steps,
  };
}

function stepsOf(
  { name, value }: NewDocument,
  recipe: Recipe,
  documents: readonly NewDocument[],
  facts: RecipeStepFacts,
): NextSteps {
  const { url, local, answers } = facts;
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
    ...facts,
    file: join(local.folder, 'sources', `${name}.yaml`),
    secrets: secretsOf(plan, local.set),
    receiversOf: (list) => {
      const found = documents.find((one) => one.kind === 'recipients' && one.name === list);
      return found === undefined
        ? undefined
        : [...numbersIn(found.value).map(shownNumber), ...addressesOfList(found.value, answers)];
    },
  });
  return id === 'generic' ? { ...steps, providerName: `your own sender, for ${name}` } : steps;
}

function accountSecret(
  { kind, name, value }: NewDocument,
  { place, pasteIn }: RecipeStepFacts,
): readonly SecretToSet[] {
  const secret = ownValue(ownValue(value, 'notify'), 'secret');
  if (kind !== 'accounts' || typeof secret !== 'string') return [];
  const hint = `takes the place of \`{secret}\` in accounts/${name}.yaml. Without it nothing can be published.`;
  return [{ name: secret, hint, set: secretSteps(place, secret).map((step) => pasteIn(step)) }];
}

export function showRecipeSteps(out: Output, { json, sources }: RecipeSteps, files: readonly string[]): void {
  showFiles(out, files);
  showRoutes(
    out,
    sources.flatMap(({ json: { source }, routes }) =>
      routes.map(([route, to]) => [`${source}/${route}`, to] as const),
    ),
  );
  // The note about the address is the same for all.
  for (const [at, one] of sources.entries()) showSetup(out, at === 0 ? one : { ...one, note: null });
  for (const { name, hint, set } of json.secrets) {
    showCommands(out, name, [hint, ...set]);
  }
  showCommands(out, 'Next', json.next);
}

import { unknownName } from '../../src/config/documents/unknown-name.ts';
import { err, ok } from '../../src/lib/result.ts';
import type { Ask } from '../ask.ts';
import { misused, type CommandResult } from '../failure.ts';
import type { LocalDocument } from '../folder/read.ts';
import { answer, readGiven } from '../init/answers.ts';
import { askReceivers, partsOf, type Destination } from '../init/gateway.ts';
import { secureRandomBytes } from '../../src/lib/id.ts';
import { askCountry, askZone, readQuiet, type GivenOptions, type MachineSettings } from '../init/ask.ts';
import { type Earlier, likelyLocale, readLocale } from '../../shared/new-source/likely.ts';
import { ownValue } from '../../src/lib/json.ts';
import { customerRoutes, type RecipeAnswers } from './documents.ts';
import { recipeLanguages, type Recipe } from './recipe.ts';
import { addressKind } from '../../src/config/compile/receivers.ts';

interface Known {
  readonly earlier: Earlier;
  readonly recipe: Recipe;
  readonly documents: readonly LocalDocument[];
  readonly destination: Destination;
}

/** Fills in what was not given: asks, or without a terminal uses likely values. */
export async function askForRecipe(
  given: GivenOptions,
  ask: Ask | null,
  { lang, timezone: ownZone }: MachineSettings,
  { earlier, recipe, documents, destination }: Known,
): Promise<CommandResult<RecipeAnswers>> {
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
      initial: '',
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

import '../facts.ts';
import { join } from 'node:path';
import { compileConfig } from '../../src/config/compile/compile.ts';
import { ok } from '../../src/lib/result.ts';
import { several, type AddCommand, type Cli, type Options } from '../command.ts';
import { failed, misused, type CommandResult } from '../failure.ts';
import { DEFAULT_FOLDER } from '../folder/kinds.ts';
import { readFolderOrNothing, type LocalFolder } from '../folder/read.ts';
import type { Ask } from '../ask.ts';
import { makePlan, type GivenOptions } from '../init/ask.ts';
import {
  writeNew,
  documentsOf,
  extendedList,
  withDocuments,
  type NewDocument,
  fixturesOf,
} from '../init/changes.ts';
import { accountSecrets, addressWarning, askGateway, shownReceivers } from '../init/gateway.ts';
import { GREETING, withGreeting } from '../init/answers.ts';
import { withOwnLists, withSecondLine } from '../init/lists.ts';
import { nextSteps, showNextSteps } from '../init/next-steps.ts';
import { earlierAnswers } from '../../shared/new-source/likely.ts';
import { secretsOf, type SourcePlan, valuesOf } from '../../shared/new-source/plan.ts';
import { readOwnProvider } from '../providers/own-file.ts';
import { initRecipe } from '../recipes/init-recipe.ts';
import { findRecipe, recipes, type Recipe } from '../recipes/recipe.ts';
import { providerChoices, type OwnProviders } from '../init/starters.ts';

type InitOptions = GivenOptions & Options<'recipe', 'yes' | 'force'>;

export const add: AddCommand = (program) => {
  program
    .command('init')
    .argument('[folder]', 'the folder for the documents', DEFAULT_FOLDER)
    .option(
      '--provider <id>',
      'the provider: stripe, typeform, alertmanager …, or the file of one: ./providers/ghost.yaml',
    )
    .option('--recipe <name>', 'a ready-made folder: order, home-server …; `list` shows all')
    .option('--source <name>', 'the name of the source; its address is /hooks/<name>')
    .option(
      '--to <receiver>',
      'a recipients list of the folder, a phone number, or an address of the gateway, such as a topic; repeatable',
      several,
    )
    .option(
      '--gateway <gateway>',
      'the gateway that sends: ntfy, telegram, twilio … (default: the existing account’s)',
    )
    .option(
      '--gateway-option <name=value>',
      'an option that a new account at the gateway needs, such as base_url=https://…; repeatable',
      several,
    )
    .option('--country <country>', 'the country of phone numbers without a country code: DE, Germany')
    .option('--locale <tag>', 'the language of messages, amounts and times, such as de-DE')
    .option('--timezone <zone>', 'the time zone, such as Europe/Berlin')
    .option('--customers', 'also notify customers, if the starter can; otherwise only you are notified')
    .option('--quiet <hours>', 'quiet hours, in which only urgent messages are sent, such as 22:00-07:00')
    .option('--outages-wait', 'with --quiet: let outages wait, too, if their sender has no severities')
    .option(
      '--escalate <receiver>',
      'who is notified if nobody acknowledges an alert within 15 minutes, as in --to; repeatable',
      several,
    )
    .option(
      '--answer <name=value>',
      'the answer to one of the starter’s questions, such as subdomain=acme; repeatable',
      several,
    )
    .option('--page <address>', 'with html-form: the page with the form, such as https://shop.example')
    .option('--fields <names>', 'with html-form: its fields, such as "name*, email, message*"; *: required')
    .option('-y, --yes', 'do not ask; use defaults for missing options')
    .option('--force', 'overwrite existing files')
    .summary('create a source: its documents, fixtures and setup steps')
    .description(
      'Writes a source with its templates, recipients and one fixture per sample of the provider. Its routes come from the provider’s starter, a ready-made set. With --recipe, writes a ready-made folder of documents, often for several senders. Then lists the steps at the providers and the secrets to set. On a terminal, asks for missing options.',
    )
    .examples(
      ['hookbell init', 'asks'],
      ['hookbell init --provider stripe --to "+49 151 12345678" --yes', 'asks nothing'],
      ['hookbell init --provider alertmanager --quiet 22:00-07:00', 'alerts, quiet at night'],
      [
        'hookbell init --provider zabbix --escalate "+49 171 3920002"',
        'alerts, escalated to a second person',
      ],
      ['hookbell init --provider grafana --to on-call --yes', 'sends to the list on-call that is there'],
      ['hookbell init --provider grafana --gateway ntfy --yes', 'sends to a new ntfy topic'],
      ['hookbell init --recipe list', 'lists the recipes'],
      ['hookbell init --recipe on-call --gateway ntfy --yes', 'a recipe for an ntfy topic'],
    )
    .run(init);
};

async function init(cli: Cli, folder: string, options: InitOptions): Promise<CommandResult | void> {
  if (options.recipe === 'list') return showRecipes(cli);
  const shown = isUsual(cli, folder) ? null : folder;
  const ask =
    options.yes === true || cli.ask === null ? null : withGreeting(cli.ask, () => cli.out.note(GREETING));
  const url = addressOf(cli);
  if (!url.ok) return url;
  const local = readFolderOrNothing(folder);
  if (!local.ok) return local;
  const { set } = local.value;
  const begin = await askBegin(options, ask, set.providers);
  if (!begin.ok) return begin;
  const surroundings = {
    relay: url.value,
    lang: cli.env['LC_ALL'] || cli.env['LANG'],
    timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
  const destination = await askGateway(options, ask, set);
  if (!destination.ok) return destination;
  if ('recipe' in begin.value) {
    const { recipe } = begin.value;
    if (options.escalate !== undefined)
      return misused(
        '--escalate works only with --provider; in a recipe, add `escalate` to the route of its alerts',
      );
    return initRecipe(cli, options, {
      recipe,
      ask,
      surroundings,
      destination: destination.value,
      folder: shown,
      local: local.value,
    });
  }
  const made = await makePlan(
    { ...options, ...begin.value },
    ask,
    surroundings,
    earlierAnswers(set),
    destination.value,
  );
  // First the second line: which routes are alerts, their starter's lists say.
  const whole = made.ok ? await withSecondLine(made.value, set, ask) : made;
  if (!whole.ok) return whole;
  const { list } = whole.value;
  const listed = await withOwnLists(whole.value.plan, set, ask);
  if (!listed.ok) return listed;
  const plan = listed.value;
  const documents = [
    ...documentsOf(plan, set),
    ...list,
    ...('file' in begin.value ? [begin.value.file] : []),
  ];
  const good = checkWith(documents, local.value, plan);
  if (!good.ok) return good;
  const fixtures = await fixturesOf(folder, plan.source, plan.samples, good.value.source);
  const written = await writeNew(cli, documents, fixtures, local.value, options);
  if (!written.ok) return written;
  const steps = nextSteps(plan, {
    paste: cli.paste,
    pasteIn: cli.pasteIn,
    place: cli.place,
    folder: shown,
    file: join(folder, 'sources', `${plan.source}.yaml`),
    url: url.value,
    secrets: [...secretsOf(plan, set), ...accountSecrets(plan)],
    receiversOf: shownReceivers(good.value.recipients, plan),
  });
  const names = written.value;
  const warning = addressWarning(plan);
  if (warning !== null) cli.out.note(warning);
  const { unanswered, provider } = plan;
  if (unanswered.length > 0)
    cli.out.note(
      `Messages will have no links to ${provider.name}: add ${unanswered.map((name) => `--answer ${name}=…`).join(' ')} to have them.`,
    );
  cli.out.show({ folder, files: names, ...steps.json }, () =>
    showNextSteps(cli.out, steps, names, cli.env['HOOKBELL_CREATING'] === '1'),
  );
}

function showRecipes({ out, paste }: Cli): void {
  const all = recipes();
  out.show(
    all.map(({ id, title, about }) => ({ id, title, about })),
    () => {
      out.list(all, [
        ['RECIPE', ({ id }) => id],
        ['WHAT YOU GET', ({ about }) => about, { wraps: true }],
      ]);
      out.note(`${paste('init', '--recipe', 'order')} writes one`);
    },
  );
}

/** A provider with those of the folder, and the file to add to it; or a recipe. */
type Begin =
  | { readonly provider: string; readonly own: OwnProviders; readonly file?: NewDocument }
  | { readonly recipe: Recipe };

const isPath = (provider: string): boolean => /[/\\]|\.(?:ya?ml|json)$/.test(provider);

async function askBegin(
  { recipe, provider }: InitOptions,
  ask: Ask | null,
  own: OwnProviders,
): Promise<CommandResult<Begin>> {
  if (recipe !== undefined && provider !== undefined) return misused('give either --recipe or --provider');
  if (provider !== undefined && !isPath(provider)) return ok({ provider, own });
  if (provider !== undefined) {
    const file = await readOwnProvider(provider);
    if (!file.ok) return file;
    const { name, value } = file.value;
    return ok({ provider: name, own: { ...own, [name]: value }, file: file.value });
  }
  if (recipe !== undefined) return asRecipe(findRecipe(recipe));
  if (ask === null)
    return misused(
      'which service posts the webhooks? Give --provider, such as stripe; `generic` accepts anything. For several senders: `hookbell init --recipe list`',
    );
  const chosen = await ask.search('Which service posts the webhooks? Or choose a recipe. Type to search', [
    ...recipes().map(({ id, title }) => ({ value: `recipe ${id}`, label: title, hint: `recipe ${id}` })),
    ...providerChoices(own),
  ]);
  if (!chosen.ok) return chosen;
  const [, id] = /^recipe (.+)$/.exec(chosen.value) ?? [];
  return id === undefined ? ok({ provider: chosen.value, own }) : asRecipe(findRecipe(id));
}

const asRecipe = (found: CommandResult<Recipe>): CommandResult<{ readonly recipe: Recipe }> =>
  found.ok ? ok({ recipe: found.value }) : found;

/** The relay's address. A tenant's is known before its first deploy only when it has a domain. */
function addressOf({ tenant, relayUrl }: Cli): CommandResult<string> {
  if (tenant === null || !tenant.ok || tenant.value.settings.url !== undefined) return relayUrl();
  const { settings, worker } = tenant.value;
  return ok(`https://${settings.domain ?? `${worker}.<you>.workers.dev`}`);
}

/** True if commands use this folder when none is given. */
const isUsual = ({ tenant }: Cli, folder: string): boolean =>
  folder === (tenant?.ok === true ? tenant.value.paths.documents : DEFAULT_FOLDER);

/** Compiles the new source with the folder. Errors are about what the person gave, such as a time zone. */
function checkWith(documents: readonly NewDocument[], { set }: LocalFolder, plan: SourcePlan) {
  // A list that is there already keeps its numbers.
  const lists = Object.fromEntries(
    Object.entries(valuesOf(documents, 'recipients')).map(([name, value]) => {
      const known = set.recipients[name];
      return [name, known === undefined ? value : (extendedList(known, value) ?? known)];
    }),
  );
  const recipients = { ...set.recipients, ...lists };
  const { config, errors } = compileConfig({ ...withDocuments(set, documents), recipients }, 0);
  const account = `accounts.${plan.newAccount?.name ?? ''}.`;
  const first = errors.find(
    ({ path }) => path.startsWith(`sources.${plan.source}.`) || path.startsWith(account),
  );
  return first === undefined
    ? ok({ source: config.sources.get(plan.source), recipients })
    : failed(`${ofFile(first.path.split('.').slice(2).join('.'), documents)} ${first.message}`);
}

/** The path of an error, in the provider's file if that is what its sources lack. */
const ofFile = (path: string, documents: readonly NewDocument[]): string => {
  const file = documents.find(({ kind }) => kind === 'providers');
  return file !== undefined && /^(?:handshake|verify)\b/.test(path)
    ? `providers/${file.name}.yaml: source.${path}`
    : path;
};

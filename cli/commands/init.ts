import { join } from 'node:path';
import { compileConfig } from '../../src/config/compile.ts';
import { ok } from '../../src/lib/result.ts';
import { addExamples, several, type AddCommand, type Cli } from '../command.ts';
import { sameDocument } from '../../patch/same.ts';
import { failed, type Outcome } from '../failure.ts';
import { DEFAULT_FOLDER } from '../folder/kinds.ts';
import { isFile, readFile, readFolderOrNothing, type LocalFolder } from '../folder/read.ts';
import { textFor, writeFiles } from '../folder/write.ts';
import { makePlan, type Given } from '../init/ask.ts';
import { documentsOf, extendedList, type NewDocument } from '../init/documents.ts';
import { fixturesOf, type NewFile } from '../init/fixtures.ts';
import { GREETING, withGreeting } from '../init/greeting.ts';
import { withOwnLists } from '../init/lists.ts';
import { nextSteps, showNextSteps } from '../init/next-steps.ts';
import { earlierAnswers, numbersIn } from '../new-source/earlier.ts';
import { secretsOf, type Plan } from '../new-source/plan.ts';
import { count } from '../text.ts';

interface Options extends Given {
  readonly yes?: true;
  readonly force?: true;
}

/** `init`: a new source, from the starter of its provider. */
export const addInit: AddCommand = (program, run) => {
  const command = program
    .command('init')
    .argument('[folder]', 'the folder for the documents', DEFAULT_FOLDER)
    .option('--provider <id>', 'the provider: stripe, typeform, alertmanager …')
    .option('--source <name>', 'the name of the source; its address is /hooks/<name>')
    .option('--to <number>', 'a receiver; repeatable', several)
    .option('--country <country>', 'the country of phone numbers without a country code: DE, Germany')
    .option('--locale <tag>', 'the format of amounts and times, such as de-DE')
    .option('--timezone <zone>', 'the time zone, such as Europe/Berlin')
    .option('--quiet <hours>', 'quiet hours, in which only urgent messages are sent, such as 22:00-07:00')
    .option(
      '--answer <name=value>',
      'an answer to a question of the starter, such as subdomain=acme',
      several,
    )
    .option('-y, --yes', 'do not ask; use defaults for missing options')
    .option('--force', 'overwrite existing files')
    .summary('create a source: its documents, fixtures and setup steps')
    .description(
      'Writes a source with its templates, recipients and one fixture per sample of the provider. Then lists the steps at the provider and the secrets to set. On a terminal, asks for missing options.',
    )
    .action(run(init));
  addExamples(
    command,
    ['hookbell init', 'asks'],
    ['hookbell init --provider stripe --to "+49 151 12345678" --yes', 'asks nothing'],
    ['hookbell init --provider alertmanager --quiet 22:00-07:00', 'alerts, quiet at night'],
  );
};

async function init(cli: Cli, folder: string, options: Options): Promise<Outcome> {
  const ask =
    options.yes === true || cli.ask === null ? null : withGreeting(cli.ask, () => cli.out.note(GREETING));
  const url = addressOf(cli);
  if (!url.ok) return url;
  const local = readFolderOrNothing(folder);
  if (!local.ok) return local;
  const { set } = local.value;
  const surroundings = {
    relay: url.value,
    lang: cli.env['LC_ALL'] || cli.env['LANG'],
    timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
  const made = await makePlan(options, ask, surroundings, earlierAnswers(set));
  const plan = made.ok ? await withOwnLists(made.value, set, ask) : made;
  if (!plan.ok) return plan;
  const documents = documentsOf(plan.value, set);
  const good = checkWith(documents, local.value, plan.value);
  if (!good.ok) return good;
  const fixtures = await fixturesOf(folder, plan.value.source, plan.value.starter.samples, good.value.source);
  const changes = changesOf(documents, fixtures, local.value);
  const may = await mayOverwrite(cli, changes, options);
  if (!may.ok) return may;
  const files = [...changes.fresh, ...changes.extended, ...changes.overwritten];
  const written = writeFiles({ write: files });
  if (!written.ok) return written;
  const steps = nextSteps(plan.value, {
    paste: cli.paste,
    pasteIn: cli.pasteIn,
    place: cli.place,
    folder: isUsual(cli, folder) ? null : folder,
    file: join(folder, 'sources', `${plan.value.source}.yaml`),
    url: url.value,
    secrets: secretsOf(plan.value, set),
    numbersOf: (list) =>
      Object.hasOwn(good.value.recipients, list) ? numbersIn(good.value.recipients[list]) : undefined,
  });
  const names = files.map(({ file }) => file);
  const { unanswered, provider } = plan.value;
  if (unanswered.length > 0)
    cli.out.note(
      `Messages have no links to ${provider.name}: give ${unanswered.map((name) => `--answer ${name}=…`).join(' ')} to have them.`,
    );
  cli.out.show({ folder, files: names, ...steps.json }, () => showNextSteps(cli.out, steps, names));
  return ok(undefined);
}

/** The relay's address. A tenant's is known before its first deploy only when it has a domain. */
function addressOf({ tenant, relayUrl }: Cli): Outcome<string> {
  if (tenant === null || !tenant.ok || tenant.value.settings.url !== undefined) return relayUrl();
  const { settings, worker } = tenant.value;
  return ok(`https://${settings.domain ?? `${worker}.<you>.workers.dev`}`);
}

/** True if commands use this folder when none is given. */
const isUsual = ({ tenant }: Cli, folder: string): boolean =>
  folder === (tenant?.ok === true ? tenant.value.paths.documents : DEFAULT_FOLDER);

/**
 * Compiles the new source together with the folder's documents. Errors are about what the person gave, such as a time
 * zone.
 */
function checkWith(documents: readonly NewDocument[], { set }: LocalFolder, plan: Plan) {
  const of = (kind: NewDocument['kind']) =>
    Object.fromEntries(documents.filter((one) => one.kind === kind).map(({ name, value }) => [name, value]));
  // A list that is there already keeps its numbers.
  const lists = Object.fromEntries(
    Object.entries(of('recipients')).map(([name, value]) => {
      const known = set.recipients[name];
      return [name, known === undefined ? value : (extendedList(known, value) ?? known)];
    }),
  );
  const recipients = { ...set.recipients, ...lists };
  const { config, errors } = compileConfig(
    {
      ...set,
      sources: { ...set.sources, ...of('sources') },
      templates: { ...set.templates, ...of('templates') },
      recipients,
    },
    0,
  );
  const first = errors.find(({ path }) => path.startsWith(`sources.${plan.source}.`));
  return first === undefined
    ? ok({ source: config.sources.get(plan.source), recipients })
    : failed(`${first.path.split('.').slice(2).join('.')} ${first.message}`);
}

/** Which files are written. Files that have the right content already are in none of these. */
interface Changes {
  readonly fresh: readonly NewFile[];
  /** Lists that get more numbers, or quiet hours. */
  readonly extended: readonly NewFile[];
  readonly overwritten: readonly NewFile[];
}

function changesOf(
  documents: readonly NewDocument[],
  fixtures: readonly NewFile[],
  { folder, documents: existing }: LocalFolder,
): Changes {
  const fresh: NewFile[] = [];
  const extended: NewFile[] = [];
  const overwritten: NewFile[] = [];
  for (const { kind, name, value, text } of documents) {
    const known = existing.find((one) => one.kind === kind && one.name === name);
    if (known === undefined) fresh.push({ file: join(folder, kind, `${name}.yaml`), text });
    else if (kind === 'recipients') {
      const more = extendedList(known.value, value);
      if (more !== null) extended.push({ file: known.file, text: textFor(known, more) });
    } else if (!sameDocument(known.value, value)) {
      overwritten.push({ file: known.file, text: textFor(known, value) });
    }
  }
  for (const { file, text } of fixtures) {
    if (!isFile(file)) fresh.push({ file, text });
    else {
      const known = readFile(file);
      if (!known.ok || known.value !== text) overwritten.push({ file, text });
    }
  }
  return { fresh, extended, overwritten };
}

async function mayOverwrite(
  { ask }: Cli,
  { overwritten }: Changes,
  { yes, force }: Options,
): Promise<Outcome> {
  if (overwritten.length === 0 || force === true) return ok(undefined);
  const files = overwritten.map(({ file }) => file);
  if (ask !== null && yes !== true) {
    const may = await ask.confirm(`Overwrite ${files.join(', ')}?`);
    if (!may.ok) return may;
    if (may.value) return ok(undefined);
    return failed('nothing was written');
  }
  return failed(
    `${count(files.length, 'file')} would be overwritten, so nothing was written; --force does it`,
    {
      details: files,
    },
  );
}

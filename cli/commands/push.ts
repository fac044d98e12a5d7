import { basename, join } from 'node:path';
import { formHtml } from '../../shared/new-source/form-html.ts';
import { sameDocument } from '../../shared/yaml-patch/same.ts';
import { KINDS } from '../../src/config/documents/name.ts';
import type { ConfigSet } from '../../src/config/documents/schema.ts';
import { err, ok } from '../../src/lib/result.ts';
import { MAX_FILES_BYTES } from '../../src/registry/versions.ts';
import { ROOT } from '../built.ts';
import type { Client } from '../client.ts';
import { agreed, type AddCommand, type Cli, type Options } from '../command.ts';
import { diffSets, noteOf, showChanges, summary, type DocumentChange } from '../diff/documents.ts';
import { showResolves } from '../diff/versions.ts';
import { stopped, type CommandResult } from '../failure.ts';
import { type CheckedFolder, checkFolder, refuseUnlessGood } from '../folder/check.ts';
import { DEFAULT_FOLDER, idText, type DocumentId } from '../folder/kinds.ts';
import { locate } from '../folder/locate.ts';
import { showProblem, showWarnings } from '../folder/problem.ts';
import { isFolder, readFolder } from '../folder/read.ts';
import { warningsOf, type SourceVariables } from '../folder/variables.ts';
import { publishedBy } from '../show.ts';
import { count } from '../text.ts';
import * as config from '../relay/config.ts';
import { unknownVariables } from '../fixtures/variables.ts';
import type { Source } from '../../src/config/compiled/config.ts';
import type { VerifiedRequest } from '../../src/ingest/request/event.ts';
import { asVerified } from '../../src/ingest/request/verify.ts';
import { part } from '../relay/list.ts';
import { event, eventList, type Event, type Version } from '../relay/shapes.ts';

type PushOptions = Options<'message', 'yes' | 'dryRun' | 'managed'> & { readonly fixtures: boolean };

export const add: AddCommand = (program) => {
  program
    .command('push')
    .argument('[folder]', 'the folder with the documents', DEFAULT_FOLDER)
    .option('-y, --yes', 'do not ask, as in CI')
    .option('--dry-run', 'let the relay check the folder without publishing it')
    .option(
      '-m, --message <note>',
      'a note for the list of versions, up to 200 characters (default: a summary of the changes)',
    )
    .option(
      '--managed',
      'mark the configuration as managed in git: from now on only pushes with --managed change it, until a takeover',
    )
    .option('--no-fixtures', 'do not run the fixtures first')
    .summary('publish a folder, all or nothing')
    .description(
      'Checks a folder, shows the changes, asks, and publishes everything at once as a new version. Documents that the folder does not contain are removed. If somebody else published in the meantime, nothing changes.',
    )
    .examples(
      ['hookbell push', 'check, show, ask, publish'],
      ['hookbell push --dry-run', 'would the relay accept it? Also checks secrets'],
      ['hookbell push -m "prices for the fair"', 'with a note for `versions`'],
      ['hookbell push hookbell --yes', 'in CI'],
      ['hookbell push hookbell --yes --managed', 'in CI, the only place that publishes'],
    )
    .run(push);
};

async function push(cli: Cli, folder: string, options: PushOptions): Promise<CommandResult | void> {
  const { out, client } = cli;
  const { yes, dryRun, managed, fixtures, message } = options;
  const checked = await checkFolder(folder, { fixtures });
  if (!checked.ok) return checked;
  const good = refuseUnlessGood(checked.value);
  if (!good.ok) return good;
  const base = await config.readWholeConfig(client, undefined, 'editor');
  if (!base.ok) return base;

  const keeping = await config.readKeeping(client);
  if (!keeping.ok) return keeping;
  const changes = diffSets(base.value.set, checked.value.set);
  const { version } = base.value;
  if (changes.length === 0 && dryRun !== true && managed !== true)
    return out.show({ version, warnings: [], unchanged: true }, () =>
      out.line(`nothing to publish: ${folder} is the same as the active version (${version})`),
    );
  const step = { changes, base: base.value, keeping: keeping.value, isManaged: managed === true };
  const shown = await showBefore(cli, checked.value, step);
  if (!shown.ok) return shown;
  if (dryRun === true) return tryOut(cli, checked.value, step, message);
  if (managed !== true) {
    const free = config.refuseManaged(cli, keeping.value, 'push', folder);
    if (!free.ok) return free;
  }
  // Of a set that is managed already, only the texts of its files are sent.
  const isYes = yes === true || (changes.length === 0 && keeping.value.managed !== null);
  const may = await agreed(cli, question(step, client.url), isYes, 'nothing was published');
  if (!may.ok) return may;
  const done = await config.publishSet(client, checked.value.set, version, cli, {
    note: message ?? (changes.length === 0 ? undefined : noteOf(changes)),
    files: managed === true ? textsOf(cli, checked.value) : undefined,
  });
  if (!done.ok) return placed(done, checked.value);
  showDone(cli, done.value, checked.value, step);
  return done.value.isInterrupted
    ? stopped(`stopped, after version ${done.value.version} was published`)
    : undefined;
}

interface PushInput {
  readonly changes: readonly DocumentChange[];
  readonly base: config.RemoteConfig;
  readonly keeping: config.SetKeeping;
  readonly isManaged: boolean;
}

const question = ({ changes, isManaged, keeping }: PushInput, url: string): string => {
  if (changes.length === 0)
    return `From now on, let only pushes with --managed change the configuration on ${url}? The documents stay as they are.`;
  const mark =
    isManaged && keeping.managed === null
      ? ', and from then on let only pushes with --managed change the configuration'
      : '';
  return `Publish ${summary(changes)} to ${url}${mark}?`;
};

/** The texts of a managed push by their paths in the folder; none if they are too large together. */
function textsOf({ out }: Cli, { documents }: CheckedFolder): Readonly<Record<string, string>> {
  const files = Object.fromEntries(
    documents.map(({ kind, file, text }) => [`${kind}/${basename(file)}`, text] as const),
  );
  if (new TextEncoder().encode(JSON.stringify(files)).byteLength <= MAX_FILES_BYTES) return files;
  out.note('the files are too large to upload, so the console cannot offer patches of them');
  return {};
}

/** Shows the changes, the removals and the unknown variables before the question. */
async function showBefore(
  cli: Cli,
  { folder, set, documents, sources, oddities }: CheckedFolder,
  { changes, base, keeping, isManaged }: PushInput,
): Promise<CommandResult> {
  const { out, client } = cli;
  const advisePull = (when: string, ...options: readonly string[]): void => {
    out.line(when);
    out.line(`  ${cli.paste('pull', folder, ...options)}`);
  };
  const warned = await withRecent(client, sources);
  if (!warned.ok) return warned;
  showWarnings(out, [...oddities, ...warningsOf(warned.value, documents)], documents);
  if (out.isJson) return ok(undefined);
  showChanges(out, changes);
  if (changes.length > 0) out.line();
  const resolves = await showResolves(out, client, { before: base.set, after: set });
  if (!resolves.ok) return resolves;
  const taken = isManaged ? await afterTakeover(client, keeping, changes, base.set) : ok(null);
  if (!taken.ok) return taken;
  if (taken.value !== null) {
    out.wrapped(taken.value.text);
    if (taken.value.isLossy) advisePull('To keep them, pull them first:');
    out.line();
  }
  const undone = taken.value === null ? await undoneBy(client, changes, { set, base }) : ok([]);
  if (!undone.ok) return undone;
  for (const text of undoneText(undone.value)) out.wrapped(text);
  if (undone.value.length > 0) {
    advisePull('Pull it first:');
    out.line();
  }
  const named = new Set(undone.value.flatMap(({ documents: taken }) => taken.map(idText)));
  const others = changes.filter((change) => change.change === 'removed' && !named.has(idText(change)));
  if (others.length === 0) return ok(undefined);
  const version = await config.readVersion(client, base.version);
  if (!version.ok) return version;
  out.wrapped(lossesOf(others, { folder, set: base.set, version: version.value }));
  advisePull('To keep them, pull them first:', '--missing');
  out.line();
  return ok(undefined);
}

async function tryOut(
  cli: Cli,
  folder: CheckedFolder,
  { base, keeping, isManaged }: PushInput,
  note: string | undefined,
) {
  const { out, client } = cli;
  const files = isManaged ? textsOf(cli, folder) : undefined;
  const tried = await config.publishSet(client, folder.set, base.version, cli, {
    isDryRun: true,
    note,
    files,
  });
  if (!tried.ok) return placed(tried, folder);
  out.show(tried.value.json, () => {
    showOfRelay(cli, tried.value, folder);
    out.done(`the relay would accept it; nothing was published`);
    if (keeping.managed !== null && !isManaged) out.wrapped(`but ${config.keepingText(keeping) ?? ''}`);
  });
  return tried.value.isInterrupted ? stopped('stopped; nothing was published') : undefined;
}

function showDone(cli: Cli, done: config.PublishResult, folder: CheckedFolder, step: PushInput): void {
  cli.out.show(done.json, () => {
    showOfRelay(cli, done, folder);
    const base = step.base.version;
    const was = base === 0 ? 'the first' : `was ${base}`;
    const what =
      done.version === base
        ? `nothing to publish: ${folder.folder} is the same as the active version (${base})`
        : `published version ${done.version} (${was}); active everywhere within 60 s`;
    cli.out.done(`${what}${step.isManaged ? '; managed in git' : ''}`);
    for (const { kind, name, change } of step.changes)
      if (kind === 'sources' && change !== 'removed' && formHtml(folder.set.sources[name], '') !== null)
        cli.out.line(`The HTML of ${name} with this relay’s address: ${cli.paste('form', name)}`);
  });
}

function showOfRelay({ out }: Cli, { warnings }: config.PublishResult, { documents }: CheckedFolder): void {
  const located = warnings.map((warning) => locate(warning, documents));
  showWarnings(out, located, documents);
}

function placed(
  refused: Extract<CommandResult<config.PublishResult>, { ok: false }>,
  { documents }: CheckedFolder,
): CommandResult {
  const { errors = [] } = refused.error;
  if (errors.length === 0) return refused;
  const message = `the relay refused it (${count(errors.length, 'error')}); nothing was published`;
  return err({
    ...refused.error,
    message,
    details: errors.map((error) => showProblem(locate(error, documents))),
  });
}

/** Each takes one call for a list, and one for each event. */
const MAX_SOURCES = 10;

/** Adds the last events to the known webhooks of sources that have none, or of which none has a variable. */
async function withRecent(
  client: Client,
  sources: readonly SourceVariables[],
): Promise<CommandResult<readonly SourceVariables[]>> {
  const found: SourceVariables[] = [];
  const open = sources.filter(({ known, unknown }) => known.requests.length === 0 || unknown.length > 0);
  const asked = new Set(open.slice(0, MAX_SOURCES));
  for (const one of sources) {
    const { source, known } = one;
    const recent = asked.has(one) ? await recentWebhooks(client, source) : ok([]);
    if (!recent.ok) return recent;
    const requests = [...known.requests, ...recent.value];
    const last = `none of the latest events of ${source.id} (${recent.value.length})`;
    const none = known.none === '' ? last : `${known.none} and ${last}`;
    found.push(
      recent.value.length === 0
        ? one
        : { source, known: { requests, none }, unknown: unknownVariables(source, requests) },
    );
  }
  return ok(found);
}

/** Enough to see every kind of a busy source, and few enough to be read before a person gets impatient. */
const MAX_EVENTS = 10;

/** The latest events of a source, as far as the relay has stored them. */
async function recentWebhooks(client: Client, source: Source) {
  const page = await client.get('/events', eventList, { source: source.id, limit: MAX_EVENTS });
  if (!page.ok) return page;
  const details = await Promise.all(
    page.value.data.items.map(({ id }) => client.get(`/events/${part(id)}`, event)),
  );
  return ok(
    details.flatMap((one) =>
      one.ok && one.value.data.stored ? [asReceivedOnce(source, one.value.data)] : [],
    ),
  );
}

function asReceivedOnce(source: Source, { payload, headers, query, received_at }: Event): VerifiedRequest {
  const url = new URL(`https://event.invalid/hooks/${part(source.id)}`);
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
  const arrival = {
    source,
    method: 'POST',
    url,
    headers: new Headers({ ...headers }),
    pathToken: undefined,
    registeredUrl: source.url,
    secrets: [],
    receivedAt: Date.parse(received_at),
  };
  return asVerified(arrival, payload);
}

/** The versions that are compared. A folder that is older than these has more to lose than one sentence says. */
const VERSIONS_BACK = 5;

/** A version whose change a push takes back, and the documents that become what they were before it. */
interface Undone {
  readonly version: Version;
  readonly documents: readonly DocumentId[];
}

/**
 * Returns the newest versions whose changes a publish of `set` takes back, newest first. A document is taken back if the
 * version changed it, and the folder has it as it was before that version. So nothing has to be kept in the folder.
 */
async function undoneBy(
  client: Client,
  changes: readonly DocumentId[],
  { set, base }: { readonly set: ConfigSet; readonly base: config.RemoteConfig },
): Promise<CommandResult<readonly Undone[]>> {
  const undone: Undone[] = [];
  let left = changes;
  let after = base.set;
  for (let number = base.version; number > 1 && base.version - number < VERSIONS_BACK; number -= 1) {
    if (left.length === 0) break;
    const before = await config.readConfig(client, number - 1);
    if (!before.ok) return before;
    const older = before.value.set;
    const documents = isMadeFrom(older, set)
      ? left.filter((id) => differs(id, older, after) && !differs(id, older, set))
      : [];
    if (documents.length > 0) {
      const version = await config.readVersion(client, number);
      if (!version.ok) return version;
      if (version.value !== null) undone.push({ version: version.value, documents });
      left = left.filter((id) => !documents.includes(id));
    }
    after = older;
  }
  return ok(undone);
}

/** False if the folder has no document of the version: then it lacks what a later one added for another reason. */
const isMadeFrom = (older: ConfigSet, set: ConfigSet): boolean =>
  KINDS.some((kind) =>
    Object.keys(set[kind]).some(
      (name) => Object.hasOwn(older[kind], name) && sameDocument(set[kind][name], older[kind][name]),
    ),
  );

const undoneText = (undone: readonly Undone[]): readonly string[] =>
  undone.map(
    ({ version, documents }) => `This undoes ${publishedBy(version)}: ${documents.map(idText).join(', ')}.`,
  );

/** True if the document is in one set only, or differs. */
const differs = ({ kind, name }: DocumentId, one: ConfigSet, other: ConfigSet): boolean =>
  Object.hasOwn(one[kind], name) !== Object.hasOwn(other[kind], name) ||
  !sameDocument(one[kind][name] ?? null, other[kind][name] ?? null);

/** The person who took a set over, and the changes since then that a managed push of a folder undoes; null: nobody did. */
async function afterTakeover(
  client: Client,
  { taken_over: taken }: config.SetKeeping,
  changes: readonly DocumentId[],
  inForce: ConfigSet,
): Promise<CommandResult<{ readonly text: string; readonly isLossy: boolean } | null>> {
  if (taken === null) return ok(null);
  const before = await config.readConfig(client, taken.version);
  if (!before.ok) return before;
  const changed = new Set(changes.map(idText));
  const lost = diffSets(before.value.set, inForce)
    .map(idText)
    .filter((id) => changed.has(id));
  const isLossy = lost.length > 0;
  const what = isLossy
    ? `The changes since then in ${count(lost.length, 'document')} would be lost: ${lost.join(', ')}.`
    : 'The folder has all changes since then.';
  const text = `${config.keepingText({ managed: null, taken_over: taken }) ?? ''}. ${what} With this push the configuration is managed in git again.`;
  return ok({ text, isLossy });
}

/** The demonstration of this package, where it has one. */
const DEMO = join(ROOT, 'examples', 'demo');

/** `npm start` puts the port of its page into the origins of the demonstration's form. */
const forAnyPage = (document: unknown): unknown =>
  typeof document === 'object' && document !== null ? { ...document, origins: null } : document;

/** Says which documents a publish removes, and who published them. */
function lossesOf(
  gone: readonly DocumentId[],
  { folder, set, version }: { folder: string; set: ConfigSet; version: Version | null },
): string {
  const demo = isFolder(DEMO) ? readFolder(DEMO) : null;
  const ofDemo = gone.filter(
    ({ kind, name }) =>
      demo?.ok === true &&
      sameDocument(forAnyPage(demo.value.set[kind][name] ?? null), forAnyPage(set[kind][name])),
  ).length;
  const share = ofDemo === gone.length ? 'the demo' : `${ofDemo} of them from the demo`;
  const names = gone.map(idText).join(', ');
  const since = version === null ? '' : ` Active: ${publishedBy(version)}.`;
  return `This removes ${count(gone.length, 'document')} that ${folder} does not have: ${names}${ofDemo === 0 ? '' : ` (${share})`}.${since}`;
}

import { ok } from '../../src/lib/result.ts';
import type { AddCommand, Cli, Options } from '../command.ts';
import { diffText } from '../diff/lines.ts';
import { failed, misused, type CommandResult } from '../failure.ts';
import { fixturesMarkdown } from '../fixtures/markdown.ts';
import { expectedText, type FixtureResult, inLocale, type RenderedFixture } from '../fixtures/run.ts';
import { byPlace, type CheckedFolder, checkFolder } from '../folder/check.ts';
import { countByKind, DEFAULT_FOLDER } from '../folder/kinds.ts';
import { showProblem, showWarnings } from '../folder/problem.ts';
import { warningsOf } from '../folder/variables.ts';
import { writeFiles } from '../folder/write.ts';
import { neededSecrets } from '../tenant/derive.ts';
import { count } from '../text.ts';

export const add: AddCommand = (program) => {
  program
    .command('check')
    .argument('[folder]', 'the folder with the documents', DEFAULT_FOLDER)
    .option('--update', 'accept the current messages of the fixtures')
    .option('--markdown', 'print the messages of the fixtures as Markdown, with masked numbers')
    .option('--before <folder>', 'with --markdown: print only what differs from this folder')
    .summary('check documents and run their fixtures, offline')
    .description(
      'Checks the documents of a folder as the relay does on publish. Runs the fixtures in fixtures/<source>/ and compares the messages of each <name>.json or <name>.http with <name>.expected.json. Needs no relay, so it does not check secrets, or who has opted out: `hookbell push` and `hookbell preview` warn of that.',
    )
    .examples(
      ['hookbell check', 'the folder ./hookbell'],
      ['hookbell check examples/demo', 'another folder'],
      ['hookbell check --update', 'accept the current messages of the fixtures'],
      ['hookbell check --markdown --before ../main/hookbell', 'the comment of a pull request'],
    )
    .run(check);
};

async function check(cli: Cli, folder: string, options: Options<'before', 'update' | 'markdown'>) {
  const { out } = cli;
  const { update } = options;
  if (options.before !== undefined && options.markdown === undefined)
    return misused('--before is for --markdown: give both');
  const read = await checkFolder(folder);
  if (!read.ok) return read;
  const { sources, documents, warnings } = read.value;
  const all = [...warnings, ...warningsOf(sources, documents)].toSorted(byPlace);
  const checked = { ...read.value, warnings: all };
  // A document with an error renders less than it should. That must not become the expected result.
  const mayWrite = update === true && checked.errors.length === 0;
  const written = mayWrite ? updateExpected(checked.fixtures) : ok([]);
  if (!written.ok) return written;
  const fixtures = checked.fixtures.map((one) =>
    written.value.includes(one.fixture.expectedFile) ? { ...one, result: 'written' as const } : one,
  );
  const wrong = fixtures.filter(
    ({ result }) => result === 'different' || result === 'broken' || result === 'new',
  );
  const isGood = checked.errors.length === 0 && wrong.length === 0;
  const before = options.before === undefined ? null : await checkFolder(options.before);
  if (before?.ok === false) return before;
  out.show(asJson(checked, fixtures, isGood), () => {
    for (const error of checked.errors) out.problem('error', showProblem(error));
    showWarnings(out, all, documents);
    if (options.markdown === true) {
      out.line(fixturesMarkdown(checked.fixtures, before?.value.fixtures ?? null));
      return;
    }
    for (const result of fixtures) showFixtureResult(cli, result);
    if (isGood) out.done(summary(checked, fixtures));
    if (update === true && !mayWrite) out.note('--update wrote nothing: fix the errors first');
    else if (checked.errors.length === 0 && wrong.some(isAccepted)) {
      out.note('If these messages are right, accept them:');
      out.note(`  ${cli.paste('check', folder, '--update')}`);
    }
  });
  if (isGood) return undefined;
  const parts = [
    ...(checked.errors.length > 0 ? [count(checked.errors.length, 'error')] : []),
    ...(wrong.length > 0 ? [`${count(wrong.length, 'fixture')} not as expected`] : []),
  ];
  return failed(`${parts.join(', ')} in ${folder}`);
}

type ShownResult = FixtureResult | (Omit<FixtureResult, 'result'> & { readonly result: 'written' });

function summary(checked: CheckedFolder, fixtures: readonly ShownResult[]): string {
  const locales = new Set(fixtures.flatMap((one) => ('got' in one ? (one.got?.locale ?? []) : [])));
  return [
    `${checked.folder}: ${countByKind(checked.documents)}`,
    ...(fixtures.length > 0 ? [count(fixtures.length, 'fixture')] : []),
    ...(locales.size > 0 ? [`events in ${[...locales].toSorted().join(', ')}`] : []),
  ].join(', ');
}

function showFixtureResult({ out }: Cli, result: ShownResult): void {
  const { file, expectedFile } = result.fixture;
  const bad = out.styleNote('red', 'fixture');
  if (result.result === 'written') out.done(`wrote ${expectedFile}`);
  if (result.result === 'broken') out.note(`${bad}  ${result.why}`);
  if (result.result === 'new') out.note(`${bad}  ${file}: has no expected messages yet`);
  if (result.result !== 'different') return;
  out.note(`${bad}  ${file}: expected (-) and got (+)${inLocale(result.got)}`);
  for (const line of diffText(result.diff, out.styleNote, '    ')) out.note(line);
}

/** True if `--update` writes what the fixture renders now. */
const isAccepted = <Shown extends ShownResult>(
  one: Shown,
): one is Extract<Shown, { readonly got: RenderedFixture }> =>
  'got' in one && (one.result === 'new' || one.result === 'different' || one.result === 'broken');

/** Writes the expected messages that are missing, different or unreadable, and returns the files. */
function updateExpected(results: readonly FixtureResult[]): CommandResult<readonly string[]> {
  const changed = results.flatMap((one) =>
    isAccepted(one) ? [{ file: one.fixture.expectedFile, text: expectedText(one.got) }] : [],
  );
  const done = writeFiles({ write: changed });
  return done.ok ? ok(changed.map(({ file }) => file)) : done;
}

function asJson(
  { folder, set, documents, errors, warnings }: CheckedFolder,
  fixtures: readonly ShownResult[],
  isGood: boolean,
) {
  return {
    ok: isGood,
    folder,
    documents: documents.map(({ kind, name, file }) => ({ kind, name, file })),
    errors,
    warnings,
    secrets: [...neededSecrets(set).keys()],
    fixtures: fixtures.map(({ fixture: { source, file }, ...one }) => ({
      source,
      file,
      result: one.result,
      ...('got' in one && { got: one.got }),
      ...('why' in one && { why: one.why }),
    })),
  };
}

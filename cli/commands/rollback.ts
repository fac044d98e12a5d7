import '../facts.ts';
import { compileConfig } from '../../src/config/compile/compile.ts';
import { type PlacedError, showProblem, inNoFile, together } from '../folder/problem.ts';
import { agreed, showAnswer, wholeNumber, type AddCommand, type Cli, type Options } from '../command.ts';
import { showResolves, compareVersions, showComparison, type VersionComparison } from '../diff/versions.ts';
import { failed } from '../failure.ts';
import type { Output } from '../output.ts';
import { readKeeping, refuseManaged, readConfig } from '../relay/config.ts';
import { published } from '../relay/shapes.ts';

export const add: AddCommand = (program) => {
  program
    .command('rollback')
    .argument(
      '[version]',
      'the version to go back to (default: the one before the active version)',
      wholeNumber(1, Number.MAX_SAFE_INTEGER),
    )
    .option('--managed', 'keep the configuration managed in git')
    .option('-y, --yes', 'do not ask')
    .summary('go back to an earlier version')
    .description(
      'Shows what an earlier version changes, asks, and activates it in one step. Checks it again, since its secrets may be gone. If you name the active version, writes it to Cloudflare KV again.',
    )
    .examples(
      ['hookbell rollback', 'to the version before'],
      ['hookbell rollback 3 --yes', 'to version 3, without asking'],
    )
    .run(rollBack);
};

async function rollBack(
  cli: Cli,
  wanted: number | undefined,
  { managed, yes }: Options<never, 'managed' | 'yes'>,
) {
  const { out, client } = cli;
  const keeping = await readKeeping(client);
  if (!keeping.ok) return keeping;
  if (managed !== true) {
    const version = wanted === undefined ? [] : [String(wanted)];
    const free = refuseManaged(cli, keeping.value, 'rollback', ...version);
    if (!free.ok) return free;
  }
  const inForce = await readConfig(client);
  if (!inForce.ok) return inForce;
  const { version: from } = inForce.value;
  if (from === 0) return failed('nothing has been published yet, so there is nothing to go back to');
  if (wanted === undefined && from === 1)
    return failed(`version ${from} is active, and there is no earlier one`);
  const to = wanted ?? from - 1;
  const compared = await compareVersions(client, from, to);
  if (!compared.ok) return compared;
  if (!out.isJson) {
    showComparison(out, compared.value);
    out.line();
    const resolves = await showResolves(out, client, compared.value);
    if (!resolves.ok) return resolves;
  }
  const question =
    from === to
      ? `Version ${to} is already active. Write its copy to Cloudflare KV again, on ${client.url}?`
      : `Go back from version ${from} to version ${to} on ${client.url}?`;
  const may = await agreed(cli, question, yes === true, 'nothing was changed');
  if (!may.ok) return may;
  // The person agreed to replace this version; another one may be in force by now.
  const asked = client.request('POST', `/config/versions/${to}/activate`, published, {
    query: { managed: managed === true ? 'true' : undefined },
    headers: { 'if-match': `"${from}"` },
  });
  return showAnswer(cli, asked, ({ warnings }) => {
    showNewWarnings(out, warnings, compared.value);
    out.done(`version ${to} is active (was ${from})`);
  });
}

/** Shows the warnings about a version that the version in force does not have. */
function showNewWarnings(
  out: Output,
  warnings: readonly PlacedError[],
  { before, after }: Pick<VersionComparison, 'before' | 'after'>,
): void {
  const known = new Set(compileConfig(before, 0, Date.now()).warnings.map(keyOf));
  const fresh = warnings.filter((one) => !known.has(keyOf(one))).map(inNoFile);
  const sourceOf = (file: string) => {
    const name = file.replace('sources/', '');
    return Object.hasOwn(after.sources, name) ? { name, value: after.sources[name] } : undefined;
  };
  for (const warning of together(fresh, sourceOf)) out.problem('warning', showProblem(warning));
}

const keyOf = ({ path, message }: PlacedError): string => JSON.stringify([path, message]);

import { ok } from '../../src/lib/result.ts';
import type { Client } from '../client.ts';
import { addExamples, allowed, wholeNumber, type AddCommand, type Cli } from '../command.ts';
import type { Comparison } from '../diff/versions.ts';
import { failed, type Outcome } from '../failure.ts';
import { readConfig, readKnownVersion } from '../relay/config.ts';
import { type ListOptions, withPaging } from '../relay/list.ts';
import { published, versionList } from '../relay/shapes.ts';
import { shortTime, showMore } from '../show.ts';

/** `versions` and `rollback`. */
export const addVersions: AddCommand = (program, run) => {
  const versions = withPaging(program.command('versions'))
    .summary('list the versions that were published')
    .description(
      'Lists the versions that were published, newest first: when, by whom, and their note (`push -m`). * is the one in force. `diff --from 3 --to 5` shows what changed.',
    )
    .action(run(listVersions));
  addExamples(versions, ['hookbell versions', 'the last 20']);

  const rollback = program
    .command('rollback')
    .argument(
      '[version]',
      'the version to go back to; by default the one before the version in force',
      wholeNumber(1, Number.MAX_SAFE_INTEGER),
    )
    .option('-y, --yes', 'do not ask')
    .summary('put an earlier version in force')
    .description(
      'Shows what going back to an earlier version changes, asks, and puts it in force in one step. It is checked again: its secrets may be gone. The version in force is written to KV again, where the copy is behind.',
    )
    .action(run(rollBack));
  addExamples(
    rollback,
    ['hookbell rollback', 'to the version before'],
    ['hookbell rollback 3 --yes', 'to version 3, without asking'],
  );
};

async function listVersions(cli: Cli, { limit, cursor }: ListOptions): Promise<Outcome> {
  const { out } = cli;
  const client = cli.relay();
  if (!client.ok) return client;
  const answer = await client.value.get('/config/versions', versionList, { limit, cursor });
  if (!answer.ok) return answer;
  const { items, next_cursor } = answer.value.data;
  out.show(answer.value.json, () => {
    if (items.length === 0) return out.line('nothing was published yet');
    out.table(
      [
        { title: '', style: (cell) => out.style('green', cell) },
        { title: 'VERSION', align: 'right' },
        { title: 'PUBLISHED' },
        { title: 'BY', gives: true },
        { title: 'NOTE', wraps: true },
      ],
      items.map(({ version, published_at, by, note, active }) => [
        active ? '*' : '',
        String(version),
        shortTime(published_at),
        by,
        note,
      ]),
    );
    showMore(out, next_cursor);
  });
  return ok(undefined);
}

interface RollbackOptions {
  readonly yes?: true;
}

async function rollBack(cli: Cli, wanted: number | undefined, { yes }: RollbackOptions): Promise<Outcome> {
  const { out } = cli;
  const client = cli.relay();
  if (!client.ok) return client;
  const found = await findTarget(client.value, wanted);
  if (!found.ok) return found;
  const [from, to] = [found.value.from.version, found.value.to.version];
  // Documents are only compared here: a list needs no YAML.
  const { compareVersions, showComparison } = await import('../diff/versions.ts');
  const compared = await compareVersions(client.value, found.value);
  if (!compared.ok) return compared;
  if (!out.isJson) {
    showComparison(out, compared.value);
    out.line();
  }
  const may = await allowed(
    cli,
    from === to
      ? `Version ${to} is in force already. Write its copy in KV again, on ${client.value.profile.url}?`
      : `Go back from version ${from} to version ${to} on ${client.value.profile.url}?`,
    yes === true,
  );
  if (!may.ok) return may;
  if (!may.value) return failed('nothing was changed');
  // The person agreed to replace this version; another one may be in force by now.
  const headers = { 'if-match': `"${from}"` };
  const answer = await client.value.request('POST', `/config/versions/${to}/activate`, published, {
    headers,
  });
  if (!answer.ok) return answer;
  out.show(answer.value.json, () => {
    for (const { path, message } of answer.value.data.warnings)
      out.note(`${out.styleNote('yellow', 'warning')}  ${path}: ${message}`);
    out.line(`${out.style('green', '✓')} version ${to} is in force (it was ${from})`);
  });
  return ok(undefined);
}

type Rollback = Pick<Comparison, 'from' | 'to'>;

/** The version in force, and the one to go back to. */
async function findTarget(client: Client, wanted: number | undefined): Promise<Outcome<Rollback>> {
  const inForce = await readConfig(client);
  if (!inForce.ok) return inForce;
  const { version } = inForce.value;
  if (version === 0) return failed('nothing was published yet, so there is nothing to go back to');
  const from = await readKnownVersion(client, version);
  if (!from.ok) return from;
  if (wanted === undefined && version === 1)
    return failed(`version ${version} is in force, and there is none before it`);
  const to = await readKnownVersion(client, wanted ?? version - 1);
  return to.ok ? ok({ from: from.value, to: to.value }) : to;
}

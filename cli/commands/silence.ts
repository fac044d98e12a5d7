import { formatDuration, parseDuration } from '../../src/lib/duration.ts';
import { err, ok } from '../../src/lib/result.ts';
import { addExamples, type AddCommand, type Cli } from '../command.ts';
import { failed, misused, type Outcome } from '../failure.ts';
import { part } from '../relay/list.ts';
import { silence, silenceList, type SilenceSummary } from '../relay/shapes.ts';
import { fullTime, shortTime } from '../show.ts';

/** `silence add`, `silence list` and `silence end`. */
export const addSilence: AddCommand = (program, run) => {
  const group = program
    .command('silence')
    .summary('silence notifications for a while')
    .description(
      'Adds and ends silences, and lists all. A silence holds back openings and repeats, never resolutions. When it ends, receivers are notified of incidents that are still open. Write silences that recur every week as documents.',
    );

  const add = group
    .command('add')
    .requiredOption('--when <condition>', 'a condition for items, as in `when` of a route')
    .option('--for <duration>', 'the duration, such as 2h')
    .option('--until <time>', 'the end, such as 2026-01-31T22:00:00+01:00')
    .option('--from <time>', 'the start (default: now)')
    .requiredOption('--reason <text>', 'the reason, for people who see the silence')
    .summary('add a silence, active at once')
    .description(
      'Adds a silence. Give either --for or --until. Push and rollback do not change it, since it is not a document.',
    )
    .action(run(addOne));
  addExamples(
    add,
    [
      `hookbell silence add --when 'item.labels.env == "staging"' --for 2h --reason "moving the database"`,
      'from now on',
    ],
    [
      `hookbell silence add --when 'event.source == "alerts"' --from 2027-01-31T22:00:00Z --until 2027-02-01T04:00:00Z --reason maintenance`,
      'a future night',
    ],
  );

  const list = group
    .command('list')
    .summary('list all silences, from documents and added by hand')
    .description('Lists all silences. Silences added by hand are listed for a week after their end.')
    .action(run(listAll));
  addExamples(list, ['hookbell silence list', 'all']);

  const end = group
    .command('end')
    .argument('<id>', 'the id: sil_…')
    .summary('end a silence that was added by hand')
    .description(
      'Ends a silence now. Receivers are notified of incidents that it held back and that are still open.',
    )
    .action(run(endOne));
  addExamples(end, ['hookbell silence end sil_0hk7nd0gz3a9', 'now']);
};

interface AddOptions {
  readonly when: string;
  readonly for?: string;
  readonly until?: string;
  readonly from?: string;
  readonly reason: string;
}

async function addOne({ out, relay, paste }: Cli, options: AddOptions): Promise<Outcome> {
  const until = untilOf(options, Date.now());
  if (!until.ok) return until;
  const { when, from, reason } = options;
  const client = relay();
  if (!client.ok) return client;
  const body = { when, until: until.value, reason, ...(from !== undefined && { from }) };
  const answer = await client.value.post('/silences', silence, body);
  if (!answer.ok) return answer;
  const { id, state } = answer.value.data;
  out.show(answer.value.json, () => {
    out.line(`${id} is ${state}, until ${fullTime(until.value)}`);
    out.note(`to end it earlier: ${paste('silence', 'end', id)}`);
  });
  return ok(undefined);
}

/** When it ends: a time, or so long after its begin. */
function untilOf({ for: length, until, from }: AddOptions, now: number): Outcome<string> {
  if ((length === undefined) === (until === undefined)) return misused('give one of --for and --until');
  if (until !== undefined) return ok(until);
  const ms = parseDuration(length ?? '');
  if (!ms.ok) return misused(`--for: ${ms.error}`);
  const begin = from === undefined ? now : Date.parse(from);
  const end = new Date(begin + ms.value);
  return Number.isNaN(end.getTime())
    ? misused(`--from and --for ${formatDuration(ms.value)} make no time`)
    : ok(end.toISOString());
}

async function listAll({ out, relay }: Cli): Promise<Outcome> {
  const client = relay();
  if (!client.ok) return client;
  const answer = await client.value.get('/silences', silenceList);
  if (!answer.ok) return answer;
  const { items } = answer.value.data;
  out.show(answer.value.json, () => {
    if (items.length === 0) return out.line('there are no silences');
    out.table(
      [
        { title: 'SILENCE' },
        { title: 'STATE', style: (cell, state) => out.style(state === 'active' ? 'green' : 'dim', cell) },
        { title: 'UNTIL' },
        { title: 'BY', gives: true, optional: 1 },
        { title: 'REASON', wraps: true },
        { title: 'WHEN', wraps: true },
      ],
      items.map((one) => [one.id, one.state, end(one), one.by ?? one.origin, one.reason ?? '', one.when]),
    );
  });
  return ok(undefined);
}

const end = ({ ended_at: endedAt, until }: SilenceSummary): string => {
  const time = endedAt ?? until;
  return time === undefined ? '' : shortTime(time);
};

async function endOne({ out, relay }: Cli, id: string): Promise<Outcome> {
  if (!id.startsWith('sil_'))
    return failed(
      `${id} was not added by hand: delete silences/${id}.yaml and push, or change its end in that file`,
    );
  const client = relay();
  if (!client.ok) return client;
  const answer = await client.value.request('DELETE', `/silences/${part(id)}`, silence);
  if (!answer.ok) return err(answer.error);
  out.show(answer.value.json, () => out.line(`${out.style('green', '✓')} ${id} has ended`));
  return ok(undefined);
}

import { ok } from '../../src/lib/result.ts';
import { addExamples, type AddCommand, type Cli } from '../command.ts';
import type { Outcome } from '../failure.ts';
import { part } from '../relay/list.ts';
import { onCall, published, recipientsPage } from '../relay/shapes.ts';
import { shortTime } from '../show.ts';

/** `on-call`: who of a list is on call, and who takes over. */
export const addOnCall: AddCommand = (program, run) => {
  const group = program
    .command('on-call')
    .summary('see who is on call, and let somebody else take over')
    .description(
      'The people of a recipients list with a `rotation` take turns. Without a command, shows who is on call.',
    );

  const shown = group
    .command('show', { isDefault: true })
    .argument('[list]', 'a recipients list (default: all with a rotation)')
    .option('--at <time>', 'at this time, such as 2027-01-31T22:00:00Z (default: now)')
    .option('--calendar', 'show the secret link of the calendar, too')
    .summary('show who is on call')
    .description('Shows who is on call until when, and who is next.')
    .action(run(show));
  addExamples(
    shown,
    ['hookbell on-call show', 'in all lists'],
    ['hookbell on-call show team --at 2027-01-01T12:00:00Z', 'on New Year’s Day'],
    ['hookbell on-call show team --calendar', 'the link for a calendar program'],
  );

  const swap = group
    .command('swap')
    .argument('<list>', 'the recipients list')
    .argument('<person>', 'the person who takes over, as the list names them')
    .requiredOption('--to <time>', "the end, in the rotation's time zone: 2027-01-31T09:00")
    .option('--from <time>', 'the start (default: now)')
    .summary('let somebody else be on call for a while')
    .description(
      'Publishes the list with one more override. At its start, the person is notified of what is open; at its end, whoever has the turn then.',
    )
    .action(run(swapOne));
  addExamples(swap, [
    'hookbell on-call swap team ben --from 2027-01-30T18:00 --to 2027-01-31T09:00',
    'Ben has the night',
  ]);
};

interface ShowOptions {
  readonly at?: string;
  readonly calendar?: true;
}

async function show({ out, relay }: Cli, list: string | undefined, options: ShowOptions): Promise<Outcome> {
  const client = relay();
  if (!client.ok) return client;
  const { value } = client;
  const names = list === undefined ? await value.get('/recipients', recipientsPage) : null;
  if (names !== null && !names.ok) return names;
  const lists =
    list === undefined
      ? (names?.value.data.items ?? []).flatMap(({ name, rotation }) =>
          rotation === undefined ? [] : [name],
        )
      : [list];
  const query = options.at === undefined ? '' : `?at=${encodeURIComponent(options.at)}`;
  const rows: (readonly string[])[] = [];
  const all: unknown[] = [];
  const links: string[] = [];
  for (const name of lists) {
    const answer = await value.get(`/recipients/${part(name)}/on-call${query}`, onCall);
    if (!answer.ok) return answer;
    const { now, next, calendar } = answer.value.data;
    all.push(answer.value.json);
    links.push(calendar);
    rows.push([name, now.person, now.until === null ? '' : shortTime(now.until), next?.person ?? '']);
  }
  out.show(list === undefined ? { items: all } : all[0], () => {
    if (rows.length === 0) return out.line('no list has a rotation');
    out.table([{ title: 'LIST' }, { title: 'ON CALL' }, { title: 'UNTIL' }, { title: 'NEXT' }], rows);
    if (options.calendar === true) for (const link of links) out.line(link);
  });
  return ok(undefined);
}

interface SwapOptions {
  readonly from?: string;
  readonly to: string;
}

async function swapOne(
  { out, relay }: Cli,
  list: string,
  person: string,
  { from, to }: SwapOptions,
): Promise<Outcome> {
  const client = relay();
  if (!client.ok) return client;
  const body = { person, to, ...(from !== undefined && { from }) };
  const answer = await client.value.post(`/recipients/${part(list)}/overrides`, published, body);
  if (!answer.ok) return answer;
  out.show(answer.value.json, () =>
    out.line(`${out.style('green', '✓')} ${person} is on call from ${from ?? 'now'} to ${to}`),
  );
  return ok(undefined);
}

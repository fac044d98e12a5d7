import type * as z from 'zod/mini';
import type { ApiAnswer } from '../client.ts';
import { showAnswer, type AddCommand, type Cli, type Options } from '../command.ts';
import { part } from '../relay/list.ts';
import { calendarLink, endedOverride, onCall, overrideByHand, recipientsPage } from '../relay/shapes.ts';
import { fullTime, shortTime } from '../show.ts';

export const add: AddCommand = (program) => {
  const group = program
    .command('on-call')
    .summary('see who is on call, and let somebody else take over')
    .description(
      'The people of a recipients list with a `rotation` take turns. Without a command, shows who is on call.',
    );

  group
    .command('show', { isDefault: true })
    .argument('[list]', 'a recipients list (default: all with a rotation)')
    .option('--at <time>', 'at this time, such as 2027-01-31T22:00:00Z (default: now)')
    .option('--calendar', 'show the secret link of the calendar, too')
    .summary('show who is on call')
    .description('Shows who is on call until when, and who is next.')
    .examples(
      ['hookbell on-call show', 'in all lists'],
      ['hookbell on-call show team --at 2027-01-01T12:00:00Z', 'on New Year’s Day'],
      ['hookbell on-call show team --calendar', 'the link for a calendar app'],
    )
    .run(show);

  group
    .command('calendar')
    .argument('<list>', 'the recipients list')
    .option('--revoke', 'make a new link: the earlier ones stop working')
    .summary('show the secret link of the calendar')
    .description('Shows the link for calendar apps. Whoever has it sees who is on call.')
    .examples(['hookbell on-call calendar team --revoke', 'somebody who has the link has left'])
    .run(showCalendar);

  group
    .command('swap')
    .argument('<list>', 'the recipients list')
    .argument('<person>', 'the person who takes over, as the list names them')
    .requiredOption('--to <time>', "the end, in the rotation's time zone: 2027-01-31T09:00")
    .option('--from <time>', 'the start (default: now)')
    .summary('put somebody else on call for a while')
    .description(
      'Puts a person on call for a time. When it begins, that person is notified of open incidents; when it ends, so is the person whose turn it is then. Publishes nothing, so it works where the configuration is managed in git, and no publish undoes it. Of two for the same time, the one made later counts.',
    )
    .examples([
      'hookbell on-call swap team ben --from 2027-01-30T18:00 --to 2027-01-31T09:00',
      'Ben is on call that night',
    ])
    .run(swapOne);

  group
    .command('remove')
    .argument('<list>', 'the recipients list')
    .argument('<override>', 'its start, as `show` prints it, or its id: 2027-01-30T18:00')
    .summary('end an override')
    .description(
      'Ends an override. If it has begun, the person whose turn it is takes over at once. One from the file of the list is removed there, which publishes the list.',
    )
    .examples(['hookbell on-call remove team 2027-01-30T18:00', 'Ben is not on call that night'])
    .run(remove);
};

async function show({ out, client }: Cli, list: string | undefined, options: Options<'at', 'calendar'>) {
  const names = list === undefined ? await client.get('/recipients', recipientsPage) : null;
  if (names !== null && !names.ok) return names;
  const rotating = (names?.value.data.items ?? []).filter(({ rotation }) => rotation !== undefined);
  const lists = list === undefined ? rotating.map(({ name }) => name) : [list];
  const shown: ({ readonly name: string } & ApiAnswer<z.output<typeof onCall>>)[] = [];
  for (const name of lists) {
    const answer = await client.get(`/recipients/${part(name)}/on-call`, onCall, { at: options.at });
    if (!answer.ok) return answer;
    shown.push({ name, ...answer.value });
  }
  const all = shown.map(({ json }) => json);
  return out.show(list === undefined ? { items: all } : all[0], () => {
    if (shown.length === 0) return out.line('no list has a rotation');
    const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    out.list(shown, [
      ['LIST', ({ name }) => name],
      ['ON CALL', ({ data }) => data.now.person],
      [`UNTIL (${here})`, ({ data: { now } }) => (now.until === null ? '' : shortTime(now.until))],
      ['NEXT', ({ data }) => data.next?.person ?? ''],
    ]);
    for (const { name, data } of shown)
      for (const one of data.overrides)
        overrideLines(name, one, data.timezone).forEach((line) => out.line(line));
    if (options.calendar === true) for (const { data } of shown) out.line(data.calendar);
  });
}

type Override = z.output<typeof onCall>['overrides'][number];

/** The zone is the rotation's, in which `swap` reads times; the table above has the one of this machine. */
function overrideLines(list: string, one: Override, zone: string): readonly string[] {
  const { person, from, to, id, by = '', created_at = '', ended_at } = one;
  const line =
    ended_at === undefined
      ? `${list}: ${person} takes over from ${from} to ${to} (${zone})`
      : `${list}: ${person} was to take over from ${from} to ${to} (${zone}), but is not in the list any more`;
  return id === undefined ? [line] : [line, `  ${id}, made by ${by} at ${fullTime(created_at)}`];
}

async function showCalendar({ out, client }: Cli, list: string, { revoke }: Options<never, 'revoke'>) {
  const path = `/recipients/${part(list)}`;
  const answer = revoke
    ? await client.request('DELETE', `${path}/calendar`, calendarLink)
    : await client.get(`${path}/on-call`, onCall);
  if (!answer.ok) return answer;
  const { calendar } = answer.value.data;
  return out.show({ calendar }, () => out.line(calendar));
}

function swapOne(
  cli: Cli,
  list: string,
  person: string,
  { from, to }: Options<'from'> & { readonly to: string },
) {
  const body = { person, to, ...(from !== undefined && { from }) };
  const made = cli.client.post(`/recipients/${part(list)}/overrides`, overrideByHand, body);
  return showAnswer(cli, made, ({ id }, out) => {
    out.done(`${person} is on call from ${from ?? 'now'} to ${to}`);
    out.note(`to end it earlier: ${cli.paste('on-call', 'remove', list, id)}`);
  });
}

async function remove({ out, client }: Cli, list: string, override: string) {
  const path = `/recipients/${part(list)}`;
  const before = await client.get(`${path}/on-call`, onCall);
  if (!before.ok) return before;
  const answer = await client.request('DELETE', `${path}/overrides/${part(override)}`, endedOverride);
  if (!answer.ok) return answer;
  const { at, overrides } = before.value.data;
  const since = overrides.find((one) => one.from === override || one.id === override)?.since ?? at;
  const after = await client.get(`${path}/on-call`, onCall, since > at ? { at: since } : {});
  if (!after.ok) return after;
  const { person } = after.value.data.now;
  return out.show(answer.value.json, () =>
    out.done(`The override is removed: ${person} is on call ${since > at ? 'instead' : 'now'}`),
  );
}

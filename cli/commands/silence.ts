import { formatDuration, parseDuration } from '../../src/lib/time.ts';
import { ok } from '../../src/lib/result.ts';
import { showAnswer, type AddCommand, type Cli, type Options } from '../command.ts';
import { failed, misused, type CommandResult } from '../failure.ts';
import type * as z from 'zod/mini';
import type { SilenceDocument } from '../../src/config/documents/alerting-schema.ts';
import { namedBy, type IncidentParts } from '../../src/outbox/incidents/entries.ts';
import { silencedText } from '../../src/config/compiled/silenced-text.ts';
import { readIncident } from '../waits.ts';
import { count } from '../text.ts';
import { part } from '../relay/list.ts';
import * as answers from '../relay/shapes.ts';
import type { Output } from '../output.ts';
import { fullTime, shortTime } from '../show.ts';

export const add: AddCommand = (program) => {
  const group = program
    .command('silence')
    .summary('silence notifications for a while')
    .description(
      'Adds and ends silences, and lists all. A silence holds back openings and repeats, never resolutions. When it ends, receivers are notified of incidents that are still open. Write silences that recur every week as documents.',
    );

  group
    .command('add')
    .option('--when <condition>', 'a condition for items, as in `when` of a route')
    .option('--incident <incident>', 'one incident: its id, or source/route/key')
    .option('--source <source>', 'everything from a source')
    .option('--for <duration>', 'the duration, such as 2h')
    .option('--until <time>', 'the end, such as 2026-01-31T22:00:00+01:00')
    .option('--from <time>', 'the start (default: now)')
    .option('--dry-run', 'only count the incidents that it would match')
    .requiredOption('--reason <text>', 'the reason, for people who see the silence')
    .summary('add a silence, active at once')
    .description(
      'Adds a silence. Give one of --when, --incident and --source, either --for or --until, and --reason. Shows how many open incidents it matches, and warns about fields that no recent event has. Push and rollback do not change it, since it is not a document.',
    )
    .examples(
      [
        `hookbell silence add --when 'item.labels.env == "staging"' --for 2h --reason "moving the database"`,
        'from now on',
      ],
      [
        `hookbell silence add --when 'event.source == "alerts"' --from 2027-01-31T22:00:00Z --until 2027-02-01T04:00:00Z --reason maintenance`,
        'a future night',
      ],
      ['hookbell silence add --incident alerts/on-call/disk --for 1h --reason "known"', 'one incident'],
    )
    .run(addOne);

  group
    .command('list')
    .summary('list all silences, from documents and added by hand')
    .description('Lists all silences. Silences added by hand are listed for a week after their end.')
    .examples(['hookbell silence list', 'all'])
    .run(listAll);

  group
    .command('end')
    .argument('<id>', 'the id: sil_…')
    .summary('end a silence that was added by hand')
    .description(
      'Ends a silence now. Receivers are notified of incidents that it held back and that are still open.',
    )
    .examples(['hookbell silence end sil_0hk7nd0gz3a9', 'now'])
    .run(endOne);
};

type AddOptions = Options<'when' | 'incident' | 'source' | 'for' | 'until' | 'from', 'dryRun'> & {
  readonly reason: string;
};

async function addOne(cli: Cli, options: AddOptions) {
  const { client, paste } = cli;
  const what = await whatOf(cli, options);
  if (!what.ok) return what;
  const until = untilOf(options, Date.now());
  if (!until.ok) return until;
  const { from, reason } = options;
  if (options.dryRun === true)
    return showAnswer(cli, client.post('/silences/preview', answers.silenceLook, what.value), showLook);
  const body = { ...what.value, until: until.value, reason, ...(from !== undefined && { from }) };
  return showAnswer(cli, client.post('/silences', answers.addedSilence, body), (added, out) => {
    out.line(`${added.id} is ${added.state}, until ${fullTime(until.value)}`);
    showLook(added, out);
    out.note(`to end it earlier: ${paste('silence', 'end', added.id)}`);
  });
}

/** Shows the number of open incidents that it matches, in the console's words, and warnings. */
function showLook({ open, matches, warnings }: z.output<typeof answers.silenceLook>, out: Output): void {
  const of = count(open, 'open incident');
  const none = open === 0 ? 'nothing is open now' : `matches none of ${of}: check the names`;
  out.line(matches === 0 ? none : `matches ${matches} of ${of}`);
  for (const warning of warnings) out.note(out.styleNote('yellow', `! ${warning}`));
}

/** What is silenced, in the keys of a document. */
async function whatOf(
  { client }: Cli,
  { when, incident: given, source }: AddOptions,
): Promise<CommandResult<Pick<SilenceDocument, 'of' | 'when'>>> {
  if ([when, given, source].filter((one) => one !== undefined).length !== 1)
    return misused('give one of --when, --incident and --source');
  if (when !== undefined) return ok({ when });
  if (source !== undefined) return ok({ of: { source } });
  const id = readIncident(given ?? '');
  if (!id.ok) return id;
  const name = namedBy(id.value);
  if (name !== null) return ok(ofIncident(name));
  const found = await client.get(`/incidents/${id.value}`, answers.incident);
  return found.ok ? ok(ofIncident(found.value.data)) : found;
}

const ofIncident = ({ source, route, key }: IncidentParts) => ({ of: { source, route, keys: [key] } });

function untilOf({ for: length, until, from }: AddOptions, now: number): CommandResult<string> {
  if ((length === undefined) === (until === undefined)) return misused('give one of --for and --until');
  if (until !== undefined) return ok(until);
  const ms = parseDuration(length ?? '');
  if (!ms.ok) return misused(`--for: ${ms.error}`);
  const begin = from === undefined ? now : Date.parse(from);
  const end = new Date(begin + ms.value);
  return Number.isNaN(end.getTime())
    ? misused(
        `--from, or --from plus --for ${formatDuration(ms.value)}, is not a valid time: write --from as 2026-01-31T22:00:00Z`,
      )
    : ok(end.toISOString());
}

const listAll = (cli: Cli) =>
  showAnswer(cli, cli.client.get('/silences', answers.silenceList), ({ items }, out) => {
    if (items.length === 0) return out.line('there are no silences');
    out.list(items, [
      ['SILENCE', ({ id }) => id],
      [
        'STATE',
        ({ state }) => state,
        { style: (cell, text) => out.style(text === 'active' ? 'green' : 'dim', cell) },
      ],
      ['UNTIL', end],
      ['BY', (one) => ('by' in one ? one.by : one.origin), { gives: true, optional: 1 }],
      ['REASON', ({ reason }) => reason ?? '', { wraps: true }],
      ['WHAT', (one) => silencedText(one, (more) => `and ${more} more`), { wraps: true }],
    ]);
  });

const end = (one: answers.SilenceSummary): string => {
  const time = ('ended_at' in one ? one.ended_at : undefined) ?? one.until;
  return time === undefined ? '' : shortTime(time);
};

async function endOne(cli: Cli, id: string) {
  if (!id.startsWith('sil_'))
    return failed(
      `${id} was not added by hand: delete silences/${id}.yaml and push, or change its end in that file`,
    );
  return showAnswer(cli, cli.client.request('DELETE', `/silences/${part(id)}`, answers.silence), (_, out) =>
    out.done(`${id} has ended`),
  );
}

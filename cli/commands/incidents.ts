import { nameOf } from '../../src/outbox/incidents/entries.ts';
import { goesOn, INCIDENT_STATES } from '../../src/schema/states.ts';
import { HIDDEN } from '../../src/registry/view.ts';
import { showAnswer, type AddCommand, type Cli, type CliCommand, type Options } from '../command.ts';
import { misused, failed } from '../failure.ts';
import type { Output } from '../output.ts';
import { part, type ListOptions, withPaging } from '../relay/list.ts';
import {
  incident,
  incidentList,
  type IncidentAnswer,
  changedIncidents,
  type ChangedIncidents,
} from '../relay/shapes.ts';
import { about, fullTime, receiver, shortTime, stateColour, stateColumn } from '../show.ts';
import { count, oneLine } from '../text.ts';
import { outcomesText, readIncident, itemWaitText } from '../waits.ts';
import { changeMany, inSteps, type BulkChange } from './bulk.ts';

type ListedOptions = ListOptions & Options<'source' | 'route' | 'state' | 'since', 'critical'>;

const WHICH = 'its id, or source/route/key';

export const add: AddCommand = (program) => {
  const incidents = program
    .command('incidents')
    .summary('list, show, acknowledge and resolve incidents')
    .description('An incident is a problem that opens and resolves. Without a command, lists incidents.');

  withPaging(
    incidents
      .command('list', { isDefault: true })
      .option('--source <source>', 'only from this source')
      .option('--route <route>', 'only on this route')
      .option('--state <state>', `only in this state: ${INCIDENT_STATES.join(', ')}`)
      .option('--critical', 'only critical ones, by their severity or their route’s priority')
      .option('--since <time>', 'only opened after this time: 2h (ago) or 2026-01-31T12:00:00Z'),
  )
    .summary('list incidents')
    .description('Lists incidents: open ones first, of these the most severe first, then the newest.')
    .examples(
      ['hookbell incidents list', 'all'],
      ['hookbell incidents list --state open', 'open incidents'],
      ['hookbell incidents list --critical', 'critical incidents'],
    )
    .run(list);

  incidents
    .command('show')
    .argument('<incident>', WHICH)
    .summary('show an incident')
    .description(
      'Shows an incident: who was notified, when, in which messages, and which notifications wait.',
    )
    .examples(['hookbell incidents show alerts/on-call/disk', 'by its name'])
    .run(show);

  withMany(incidents.command('acknowledge'))
    .summary('acknowledge incidents')
    .description(
      'Stops reminders of incidents, and their escalation, for as long as their routes say, by default a day. Everybody who was notified of one is notified that somebody has it, and later gets the resolution. Acknowledging one again sends nothing. With options, counts the open incidents that match all of them and that nobody has acknowledged, and asks.',
    )
    .examples(
      ['hookbell incidents acknowledge alerts/on-call/disk', 'you are working on it'],
      ['hookbell incidents acknowledge --group db-1', 'a group, after a question'],
      ['hookbell incidents acknowledge --all --yes', 'all, without asking'],
    )
    .run((cli: Cli, ids: readonly string[], options: Many) => change(cli, 'acknowledge', ids, options));

  withMany(incidents.command('resolve'))
    .summary('resolve incidents by hand')
    .description(
      'Resolves incidents as if their sender had resolved them. Everybody who was notified of one gets the resolution. Its next firing item opens it again. With options, counts the incidents that match all of them and are not over, and asks.',
    )
    .examples(
      ['hookbell incidents resolve alerts/on-call/disk', 'its sender never resolves it'],
      ['hookbell incidents resolve --source alerts', 'everything of a source, after a question'],
    )
    .run((cli: Cli, ids: readonly string[], options: Many) => change(cli, 'resolve', ids, options));
};

type Many = Options<'group' | 'source', 'all' | 'yes'>;

const withMany = (command: CliCommand): CliCommand =>
  command
    .argument('[incidents...]', 'their ids, or source/route/key')
    .option('--group <key>', 'those of a group, by its values with “, ” between them, or one of these')
    .option('--source <source>', 'those from a source')
    .option('--all', 'all open incidents')
    .option('-y, --yes', 'do not ask');

async function change(cli: Cli, what: Change, given: readonly string[], { all, yes, ...filter }: Many) {
  const isFiltered = Object.keys(filter).length > 0;
  if ([given.length > 0, isFiltered, all === true].filter(Boolean).length !== 1)
    return misused('give either incidents, or --group and --source, or --all');
  const wrong = given.map(readIncident).find((one) => !one.ok);
  if (wrong !== undefined) return wrong;
  const [first] = given;
  if (first === undefined)
    return changeMany(cli, bulkChange(cli, what), all === true ? { all } : filter, { isYes: yes === true });
  if (given.length > 1) return changeNamed(cli, what, given);
  return what === 'acknowledge' ? acknowledge(cli, first) : resolve(cli, first);
}

function list(cli: Cli, { critical, ...options }: ListedOptions) {
  const query = { ...options, ...(critical === true && { critical: 'true' }) };
  return showAnswer(cli, cli.client.get('/incidents', incidentList, query), (page, out) => {
    const now = Date.now();
    out.page(page, 'no incidents', [
      ['STARTED', (one) => shortTime(one.started_at)],
      stateColumn(out),
      ['FOR', (one) => durationOf(one, now), { align: 'right' }],
      ['FIRED', (one) => `${one.occurrences}×`, { align: 'right' }],
      [
        'INCIDENT',
        (one) => [nameOf(one), one.title].filter((text) => text !== undefined).join(' '),
        { wraps: true },
      ],
      ['RECEIVERS', receiverStatesText, { wraps: true }],
    ]);
    const [first] = page.items;
    if (first !== undefined) hint(cli, 'show', first);
  });
}

const show = (cli: Cli, given: string) =>
  ask(cli, given, 'get', (one) => {
    showIncident(cli.out, one);
    if (goesOn(one.state)) hint(cli, one.state === 'open' ? 'acknowledge' : 'resolve', one);
  });

const acknowledge = (cli: Cli, given: string) =>
  ask(cli, given, 'acknowledge', (one) => {
    const { acknowledged_by: by, acknowledged_at: at } = one;
    const notified = one.receivers.filter(({ state }) => state === 'notified').length;
    const then =
      notified === 0
        ? 'nobody gets a message'
        : `${count(notified, 'receiver')} will be notified that somebody has it, unless they already were`;
    const who = by && at ? `, by ${by} at ${fullTime(at)}` : '';
    cli.out.line(`${oneLine(nameOf(one))} is ${one.state}${who}; ${then}`);
    hint(cli, 'resolve', one);
  });

const resolve = (cli: Cli, given: string) =>
  ask(cli, given, 'resolve', (one) => {
    const left = one.receivers.filter(({ state }) => state !== 'done').length;
    const then = left === 0 ? 'nobody has to be notified' : `${count(left, 'receiver')} will be notified`;
    cli.out.line(`${oneLine(nameOf(one))} is ${one.state}; ${then}`);
    hint(cli, 'show', one);
  });

async function ask(cli: Cli, given: string, what: 'get' | Change, human: (one: IncidentAnswer) => void) {
  const id = readIncident(given);
  if (!id.ok) return id;
  const path = `/incidents/${part(id.value)}`;
  const { client } = cli;
  const asked = what === 'get' ? client.get(path, incident) : client.post(`${path}/${what}`, incident);
  return showAnswer(cli, asked, human);
}

function showIncident(out: Output, one: IncidentAnswer): void {
  out.fields([
    ['incident', nameOf(one)],
    ['title', one.title],
    ['summary', one.summary],
    ['severity', one.severity],
    ['id', one.id],
    ['state', one.state, (text) => stateColour(out, one.state, text)],
    ['account', one.account],
    ['started', fullTime(one.started_at)],
    [
      'acknowledged',
      one.acknowledged_at && `${fullTime(one.acknowledged_at)} by ${one.acknowledged_by ?? '–'}`,
    ],
    [
      'resolved',
      one.resolved_at &&
        `${fullTime(one.resolved_at)}${one.resolved_by === undefined ? '' : ` by ${one.resolved_by}`}`,
    ],
    [one.state, one.lost_at && fullTime(one.lost_at)],
    ['duration', durationOf(one, Date.now())],
    ['last item', `${fullTime(one.heard_at)}, ${one.event}`],
    ['occurrences', String(one.occurrences)],
    ['flapping', one.flapping ? 'yes' : undefined],
    ...(one.steps ?? []).map(
      ({ at, to }) => ['escalated', `to ${to.join(', ')} at ${fullTime(at)}`] as const,
    ),
    ...Object.entries(one.links ?? {}).map(([path, url]) => ['link', `${path}: ${url}`] as const),
    ['next', one.next ? `${one.next.to.join(', ')} at ${fullTime(one.next.at)}` : undefined],
  ]);
  out.line();
  out.list(one.receivers, [
    ['TO', ({ phone }) => receiver(phone)],
    ['IS', receiverState, { wraps: true }],
    ['ITEMS', ({ items }) => outcomesText(items), { wraps: true }],
  ]);
  const notifications = one.receivers.flatMap(({ phone, notifications: of = [] }) =>
    of.map((notification) => ({ ...notification, phone, state: notification.state ?? 'deleted' })),
  );
  if (notifications.length === 0) return;
  out.line();
  out.list(notifications, [
    ['NOTIFIED', ({ sent_at, created_at }) => shortTime(sent_at ?? created_at ?? '–')],
    ['TO', ({ phone }) => receiver(phone)],
    ['MESSAGE', ({ message }) => message],
    stateColumn(out),
    ['ITEMS', ({ items }) => String(items), { align: 'right' }],
  ]);
}

/** Its receivers by state: `2 notified, 1 silenced by sil_…`. */
const receiverStatesText = ({ receivers }: IncidentAnswer): string =>
  [...Map.groupBy(receivers, receiverState)].map(([text, { length }]) => `${length} ${text}`).join(', ');

function receiverState({
  state,
  silence,
  inhibited_by,
  waits,
}: Pick<IncidentAnswer['receivers'][number], 'state' | 'silence' | 'inhibited_by' | 'waits'>): string {
  if (silence !== undefined) return `silenced by ${silence}`;
  if (inhibited_by !== undefined) return `inhibited by ${inhibited_by}`;
  return state === 'waiting' ? itemWaitText(waits) : state;
}

const durationOf = ({ started_at, resolved_at, lost_at }: IncidentAnswer, now: number): string => {
  const ended = resolved_at ?? lost_at;
  const until = ended === undefined ? now : Date.parse(ended);
  return about(Math.max(0, Math.round((until - Date.parse(started_at)) / 1_000)));
};

/** A command to go on with. A name that has more than one line, or speaks to the terminal, is not shown in it. */
function hint({ out, paste }: Cli, command: 'show' | 'acknowledge' | 'resolve', one: IncidentAnswer): void {
  const name = nameOf(one);
  // A viewer is not shown the key.
  const word = one.key !== HIDDEN && oneLine(name) === name ? name : one.id;
  out.note(out.styleNote('dim', `${command}: ${paste('incidents', command, word)}`));
}

const PAST = { acknowledge: 'acknowledged', resolve: 'resolved' } as const;
type Change = keyof typeof PAST;

const MAX_IDS = 500;

const WHY: Readonly<Record<string, string>> = {
  not_open: 'is not open',
  unknown: 'is unknown: there is none, or it was deleted',
};

const bulkChange = ({ out }: Cli, verb: Change): BulkChange<ChangedIncidents> => ({
  path: `/incidents/${verb}`,
  shape: changedIncidents,
  zero: { changed: 0, left: [], next_cursor: null },
  changed: ({ changed }) => changed,
  verb,
  past: PAST[verb],
  noun: 'incident',
  candidate: 'open incident',
  warning: ' Everybody who was notified of them gets a message.',
  /** It fails if one that was named is left. */
  show: (sum) => {
    const { changed, left } = sum;
    out.show(sum, () =>
      out.line(
        changed === 0 && left.length === 0
          ? `nothing to ${verb}: no open incident matches`
          : `${count(changed, 'incident')} ${PAST[verb]}`,
      ),
    );
    return left.length === 0
      ? undefined
      : failed(`${count(left.length, 'incident')} not ${PAST[verb]}`, {
          details: left.map(({ incident, why }) => `${incident} ${WHY[why] ?? why}`),
        });
  },
});

/** Changes the incidents with these ids, whatever becomes of one of them. */
async function changeNamed(cli: Cli, verb: Change, ids: readonly string[]) {
  const change = bulkChange(cli, verb);
  let sum = change.zero;
  for (let at = 0; at < ids.length; at += MAX_IDS) {
    const incidents = ids.slice(at, at + MAX_IDS);
    const done = await inSteps(cli, { ...change, zero: sum }, { incidents }, false);
    if (!done.ok) return done;
    sum = done.value;
  }
  return change.show(sum);
}

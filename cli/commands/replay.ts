import { ok } from '../../src/lib/result.ts';
import { agreed, several, type AddCommand, type Cli, type Options } from '../command.ts';
import { misused, type CommandResult } from '../failure.ts';
import { changeMany, type BulkChange } from './bulk.ts';
import { type EventOptions, readId } from '../relay/list.ts';
import * as answers from '../relay/shapes.ts';
import { fullTime, receiver, shortTime } from '../show.ts';
import { count, safe } from '../text.ts';

type ReplayOptions = EventOptions &
  Options<never, 'all' | 'failed' | 'yes'> & { readonly route?: readonly string[] };

export const add: AddCommand = (program) => {
  program
    .command('replay')
    .argument('[event]', 'one event')
    .option('--source <source>', 'all events of this source')
    .option('--state <state>', 'all events in this state: routed, partly_failed, unmatched or failed')
    .option('--type <type>', 'all events of this type')
    .option('--since <time>', 'all events received after this time: 2h (ago) or 2026-01-31T12:00:00Z')
    .option('--until <time>', 'all events received before this time: 1h (ago) or 2026-01-31T12:00:00Z')
    .option('--text <text>', 'all events with this text in the subject or payload')
    .option('--all', 'all stored events of every account')
    .option('--route <name>', 'only this route; repeatable', several)
    .option('--failed', 'only messages that were not sent: nobody gets one twice')
    .option('-y, --yes', 'do not ask')
    .summary('render old events again with the current configuration')
    .description(
      'Renders a stored event again with the current configuration and sends it as a new event. Shows which messages of the original were sent, and asks before anybody gets a message twice. With --failed, repeats only messages that are dead, expired or cancelled by a person, and routes that failed to render; skips uncertain messages, which may have been sent. Items of incidents count again: an open incident gets one more occurrence, a resolved one opens again. With options that select events, counts them, asks, and replays them oldest first, without events that are replays themselves.',
    )
    .examples(
      ['hookbell replay evt_01m7ygnc129ats8d9q95vre3gr', 'after its template was fixed'],
      ['hookbell replay evt_01m7ygnc129ats8d9q95vre3gr --failed', 'only receivers who did not get it'],
      ['hookbell replay evt_01m7ygnc129ats8d9q95vre3gr --route paid --yes', 'one route, without asking'],
      ['hookbell replay --state failed --since 2h', 'all of which nothing could be rendered'],
    )
    .run(replayOneOrMany);
};

async function replayOneOrMany(cli: Cli, id: string | undefined, options: ReplayOptions) {
  const { route, failed: isFailed, yes, all, ...filter } = options;
  const isFiltered = Object.keys(filter).length > 0;
  if (id !== undefined)
    return isFiltered || all === true
      ? misused('give either the id of an event, or options that select events')
      : replayEvent(cli, id, options);
  if (isFiltered === (all === true))
    return misused(
      isFiltered
        ? 'give either --all, or options that select events'
        : 'which events? Give the id of one, --source, --state, --type, --since, --until, --text, or --all',
    );
  const wanted = { ...filter, ...(all === true && { all }), ...partOf({ route, failed: isFailed }) };
  // It sets the time up to which events are replayed: those that are counted now, and no later ones.
  const opened = await cli.client.post('/events/replay', answers.replayedMany, wanted);
  if (!opened.ok) return opened;
  const { next_cursor: cursor } = opened.value.data;
  return changeMany(cli, bulkReplay(cli), wanted, { isYes: yes === true, cursor });
}

const bulkReplay = ({ out }: Cli): BulkChange<answers.ReplayedMany> => ({
  path: '/events/replay',
  shape: answers.replayedMany,
  zero: { replayed: 0, messages: 0, skipped: {}, looked_at: 0, next_cursor: null },
  changed: ({ replayed: n }) => n,
  verb: 'replay',
  past: 'replayed',
  noun: 'event',
  candidate: 'event',
  warning: ' Receivers may get messages twice.',
  about: ({ skipped }) => Promise.resolve(ok(skippedText(skipped))),
  show: (sum) =>
    out.show(sum, () => {
      out.line(`${count(sum.replayed, 'event')} replayed: ${count(sum.messages, 'message')}`);
      for (const text of skippedText(sum.skipped)) out.wrapped(text);
    }),
});

const WHY: Readonly<Record<string, string>> = {
  is_replay: 'that are replays',
  payload_not_kept: 'whose payload is not stored',
  source_gone: 'whose source is no longer configured',
  unknown_route: 'whose source has no such route',
  nothing_failed: 'without failures',
  too_many_messages: 'with too many messages to compare',
  too_large: 'too large to store again',
};

function skippedText(skipped: answers.ReplayedMany['skipped']): readonly string[] {
  const parts = Object.entries(skipped).map(([reason, n = 0]) => `${n} ${WHY[reason] ?? reason}`);
  return parts.length === 0 ? [] : [`skipped: ${parts.join(', ')}`];
}

/** The parts of an event to replay, as the relay reads them. */
const partOf = ({ route, failed }: { route?: readonly string[] | undefined; failed?: true | undefined }) => ({
  ...(route !== undefined && { routes: route }),
  ...(failed === true && { only: 'failed' }),
});

async function replayEvent(cli: Cli, given: string, options: ReplayOptions) {
  const { out, client } = cli;
  const id = readId('event', given);
  if (!id.ok) return id;
  const past = await readPast(cli, id.value);
  if (!past.ok) return past;
  if (!out.isJson) showPast(cli, past.value, options);
  const doubt = doubtOf(past.value, options);
  const isYes = doubt === null || options.yes === true;
  const may = await agreed(cli, doubt ?? '', isYes, 'nothing was replayed');
  if (!may.ok) return may;
  const body = partOf(options);
  const path = `/events/${id.value}/replay`;
  const answer = await client.post(path, answers.replayed, Object.keys(body).length === 0 ? undefined : body);
  if (!answer.ok) return answer;
  const { event: replayId, messages, waiting } = answer.value.data;
  const more = waiting === undefined ? '' : `, ${count(waiting, 'item')} waiting for a notification`;
  return out.show(answer.value.json, () => {
    out.line(`${replayId} replays ${id.value}: ${count(messages.length, 'message')}${more}`);
    for (const one of messages) out.line(`  ${one}`);
  });
}

interface Past {
  readonly original: answers.Event;
  readonly replays: readonly answers.EventSummary[];
}

async function readPast({ client }: Cli, id: string): Promise<CommandResult<Past>> {
  const found = await client.get(`/events/${id}`, answers.event);
  if (!found.ok) return found;
  const original = found.value.data;
  const query = { source: original.source, since: original.received_at, limit: 200 };
  const later = await client.get('/events', answers.eventList, query);
  if (!later.ok) return later;
  const replays = later.value.data.items.filter(({ replay_of }) => replay_of === id);
  return ok({ original, replays });
}

/** How the original's messages stand, by their states. */
const STANDS: Readonly<Record<string, readonly string[]>> = {
  sent: ['sent'],
  waiting: ['queued', 'sending', 'retrying'],
  uncertain: ['uncertain'],
  failed: ['dead', 'expired', 'cancelled'],
};

/** The original's messages and items, of the routes that are replayed. */
function standOf({ original }: Past, { route }: ReplayOptions) {
  const ofRoutes = ({ route: name }: { route: string | null }): boolean =>
    route === undefined || (name !== null && route.includes(name));
  const messages = original.messages.filter(ofRoutes);
  const stands = Object.entries(STANDS).map(
    ([stand, states]) => [stand, messages.filter(({ state }) => states.includes(state))] as const,
  );
  return { stands, items: (original.items ?? []).filter(ofRoutes) };
}

function showPast({ out }: Cli, past: Past, options: ReplayOptions): void {
  const { original, replays } = past;
  const { stands, items } = standOf(past, options);
  const left = original.messages_left_out;
  const again =
    options.failed === true ? 'left as they are' : 'counted again; an open incident gets one more occurrence';
  out.fields([
    ['event', `${original.id} of ${original.source}, received ${fullTime(original.received_at)}`],
    ...stands.map(([stand, messages]) => [stand, messagesText(messages)] as const),
    ['more', left === undefined ? undefined : `${count(left, 'message')} not shown`],
    [
      'items',
      items.length === 0 ? undefined : `${count(items.length, 'item')} of incidents or groups: ${again}`,
    ],
    ['replayed', replays.map(replayText).join('\n') || undefined],
  ]);
  out.line();
}

/** The number of receivers that are named. The others are counted. */
const MAX_NAMED = 5;

/** `3 messages: paid to 4915112345678, 4915112345679; owner to 4915112345670`. */
function messagesText(messages: readonly answers.Message[]): string | undefined {
  if (messages.length === 0) return undefined;
  const byRoute = Map.groupBy(messages.slice(0, MAX_NAMED), ({ route }) => route ?? 'by hand');
  const parts = [...byRoute].map(([route, ofRoute]) => {
    const phones = [...Map.groupBy(ofRoute, ({ phone }) => receiver(phone))];
    const named = phones.map(([phone, all]) => (all.length === 1 ? phone : `${phone} (${all.length})`));
    return `${safe(route)} to ${named.join(', ')}`;
  });
  const more = messages.length - MAX_NAMED;
  return `${count(messages.length, 'message')}: ${parts.join('; ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const replayText = ({ id, received_at, replayed_by }: answers.EventSummary): string =>
  `${id}, ${shortTime(received_at)}${replayed_by === undefined ? '' : ` by ${safe(replayed_by)}`}`;

/** The question before a replay; null: as far as is known, nobody gets anything twice. */
function doubtOf(past: Past, options: ReplayOptions): string | null {
  if (options.failed === true)
    return past.replays.length === 0
      ? null
      : `It was replayed before. Send the original’s failed messages again?`;
  const { stands, items } = standOf(past, options);
  const parts = [
    ...stands.map(([stand, { length }]) => [stand === 'failed' ? 0 : length, `${stand} message`] as const),
    [items.length, 'item'] as const,
  ].flatMap(([n, what]) => (n > 0 ? [count(n, what)] : []));
  return parts.length === 0 ? null : `Replay everything again, including ${parts.join(', ')}?`;
}

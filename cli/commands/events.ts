import { showAnswer, type AddCommand, type Cli } from '../command.ts';
import type { Output } from '../output.ts';
import { type EventOptions, type ListOptions, part, readId, withPaging } from '../relay/list.ts';
import { event, eventList, preview, type Event, type PreviewRoute } from '../relay/shapes.ts';
import { fullTime, receiver, shortTime, stateColour, stateColumn, showMore } from '../show.ts';
import { count, safe } from '../text.ts';
import { outcomeText } from '../incident.ts';
import { showRoute } from '../show-preview.ts';
import { messageTable } from './messages.ts';

type Options = ListOptions & EventOptions;

const NO_MATCH = 'no route matched';

export const add: AddCommand = (program) => {
  withPaging(
    program
      .command('events')
      .argument('[id]', 'one event, with its payload and messages')
      .option('--source <source>', 'only from this source')
      .option('--state <state>', 'only in this state: routed, partly_failed, unmatched or failed')
      .option('--type <type>', 'only of this type')
      .option('--since <time>', 'only received after this time: 2h (ago) or 2026-01-31T12:00:00Z')
      .option('--until <time>', 'only received before this time: 1h (ago) or 2026-01-31T12:00:00Z')
      .option('--text <text>', 'only with this text in the subject or payload; at least 3 characters'),
  )
    .summary('list events, or show one')
    .description('Lists accepted webhooks, newest first, or shows one with its payload and messages.')
    .examples(
      ['hookbell events --since 2h', 'in the last two hours'],
      ['hookbell events --state failed', 'of which nothing could be rendered'],
      ['hookbell events --text "Ada Lovelace" --since 7d', 'with a name in the payload'],
      ['hookbell events evt_01m7ygnc129ats8d9q95vre3gr', 'one'],
    )
    .run((cli, id: string | undefined, options: Options) =>
      id === undefined ? list(cli, options) : show(cli, id),
    );
};

const list = (cli: Cli, options: Options) =>
  showAnswer(
    cli,
    cli.client.get('/events', eventList, { ...options }),
    ({ items, next_cursor, searched }, out) => {
      const back = searched?.back_to ?? null;
      if (back !== null) out.line(`searched back to ${fullTime(back)}`);
      if (items.length === 0) {
        out.line(back === null ? 'no events' : 'no events so far');
        return showMore(out, next_cursor);
      }
      const hasSubjects = items.some(({ subject }) => subject !== undefined);
      out.table(
        [
          { title: 'RECEIVED' },
          { title: 'EVENT' },
          { title: 'SOURCE', gives: true },
          stateColumn(out),
          { title: 'TYPE', gives: true, optional: 1 },
          ...(hasSubjects ? [{ title: 'SUBJECT', gives: true, optional: 2 }] : []),
          { title: 'REASON', wraps: true },
        ],
        items.map(({ received_at, id, source, state, type, subject, duplicates, reason }) => [
          shortTime(received_at),
          id,
          source,
          state,
          `${type ?? '–'}${duplicates > 0 ? ` (×${duplicates + 1})` : ''}`,
          ...(hasSubjects ? [subject ?? ''] : []),
          reason ?? (state === 'unmatched' ? NO_MATCH : ''),
        ]),
      );
      showMore(out, next_cursor);
    },
  );

async function show(cli: Cli, given: string) {
  const { out, client, paste } = cli;
  const id = readId('event', given);
  if (!id.ok) return id;
  const answer = await client.get(`/events/${id.value}`, event);
  if (!answer.ok) return answer;
  const one = answer.value.data;
  const routes = out.isJson ? [] : await whyUnmatched(cli, one);
  return out.show(answer.value.json, () => {
    out.fields([
      ['event', one.id],
      ['source', one.source],
      ['type', one.type ?? undefined],
      ['subject', one.subject],
      ['language', one.locale],
      ['state', one.state, (text) => stateColour(out, one.state, text)],
      ['reason', one.reason ?? (one.state === 'unmatched' ? NO_MATCH : undefined)],
      ['received', fullTime(one.received_at)],
      ['dedupe', one.dedupe_key],
      ['repeated', one.duplicates > 0 ? count(one.duplicates, 'time') : undefined],
      ['replay of', one.replay_of && `${one.replay_of}, by ${one.replayed_by ?? 'unknown'}`],
      ['version', String(one.config_version)],
    ]);
    if (routes.length > 0) out.line(`\n${out.style('dim', 'ROUTES, AS THEY ARE NOW')}`);
    for (const route of routes) showRoute(out, route);
    out.line(`\n${out.style('dim', 'PAYLOAD')}`);
    const payload = one.stored ? JSON.stringify(one.payload, null, 2) : 'is not stored (store: metadata)';
    out.line(safe(payload));
    out.line(`\n${out.style('dim', 'MESSAGES')}`);
    messageTable(out, one.messages);
    if (one.messages_left_out !== undefined)
      out.line(`… and ${one.messages_left_out} more: ${paste('messages', '--event', one.id)}`);
    if (one.items !== undefined) itemTable(out, one.items);
  });
}

function itemTable(out: Output, items: NonNullable<Event['items']>): void {
  out.line(`\n${out.style('dim', 'ITEMS')}`);
  out.table(
    [
      { title: 'ITEM', align: 'right' },
      { title: 'ROUTE', gives: true },
      { title: 'KEY', gives: true },
      { title: 'TO' },
      { title: 'OUTCOME', wraps: true },
    ],
    items.map((item) => [
      String(item.index),
      item.route,
      item.key ?? '–',
      receiver(item.phone ?? null),
      outcomeText(item),
    ]),
  );
}

/** Explains why no route matches, by the configuration in force now; empty where the relay cannot know that. */
async function whyUnmatched(
  { client }: Cli,
  { state, stored, source, payload, headers, query }: Event,
): Promise<readonly PreviewRoute[]> {
  if (state !== 'unmatched' || !stored) return [];
  const input = { payload, ...(headers !== null && { headers }), ...(query !== null && { query }) };
  const answer = await client.post(`/sources/${part(source)}/preview`, preview, input);
  return answer.ok ? answer.value.data.routes : [];
}

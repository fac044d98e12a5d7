import { showAnswer, type AddCommand, type Cli } from '../command.ts';
import { type EventOptions, type ListOptions, part, readId, withPaging } from '../relay/list.ts';
import * as answers from '../relay/shapes.ts';
import { fullTime, receiver, shortTime, stateColour, stateColumn } from '../show.ts';
import { count, safe } from '../text.ts';
import { outcomeText } from '../waits.ts';
import { showRoute } from '../show-preview.ts';
import { messageTable } from './messages.ts';

type Options = ListOptions & EventOptions;

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
  showAnswer(cli, cli.client.get('/events', answers.eventList, { ...options }), (page, out) => {
    const back = page.searched?.back_to ?? null;
    if (back !== null) out.line(`searched back to ${fullTime(back)}`);
    const hasSubjects = page.items.some(({ subject }) => subject !== undefined);
    out.page(page, back === null ? 'no events' : 'no events so far', [
      ['RECEIVED', (one) => shortTime(one.received_at)],
      ['EVENT', (one) => one.id],
      ['SOURCE', (one) => one.source, { gives: true }],
      stateColumn(out),
      [
        'TYPE',
        ({ type, duplicates: n }) => `${type ?? '–'}${n > 0 ? ` (×${n + 1})` : ''}`,
        { gives: true, optional: 1 },
      ],
      hasSubjects && ['SUBJECT', (one) => one.subject ?? '', { gives: true, optional: 2 }],
      ['REASON', (one) => reasonOf(one) ?? '', { wraps: true }],
    ]);
  });

const reasonOf = ({ reason, state }: Pick<answers.EventSummary, 'reason' | 'state'>): string | undefined =>
  reason ?? (state === 'unmatched' ? 'no route matched' : undefined);

async function show(cli: Cli, given: string) {
  const { out, client, paste } = cli;
  const id = readId('event', given);
  if (!id.ok) return id;
  const answer = await client.get(`/events/${id.value}`, answers.event);
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
      ['reason', reasonOf(one)],
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
    messageTable({ items: one.messages, next_cursor: null }, out);
    if (one.messages_left_out !== undefined)
      out.line(`… and ${one.messages_left_out} more: ${paste('messages', '--event', one.id)}`);
    if (one.items === undefined) return;
    out.line(`\n${out.style('dim', 'ITEMS')}`);
    out.list(one.items, [
      ['ITEM', ({ index }) => String(index), { align: 'right' }],
      ['ROUTE', ({ route }) => route, { gives: true }],
      ['KEY', ({ key }) => key ?? '–', { gives: true }],
      ['TO', ({ phone }) => receiver(phone ?? null)],
      ['OUTCOME', outcomeText, { wraps: true }],
    ]);
  });
}

/** Explains why no route matches, by the configuration in force now; empty where the relay cannot know that. */
async function whyUnmatched(
  { client }: Cli,
  { state, stored, source, payload, headers, query }: answers.Event,
): Promise<readonly answers.PreviewRoute[]> {
  if (state !== 'unmatched' || !stored) return [];
  const input = { payload, ...(headers !== null && { headers }), ...(query !== null && { query }) };
  const answer = await client.post(`/sources/${part(source)}/preview`, answers.preview, input);
  return answer.ok ? answer.value.data.routes : [];
}

import { DEFAULT_ACCOUNT_NAME } from '../../src/config/secrets/credential-names.ts';
import { unknownName } from '../../src/config/documents/unknown-name.ts';
import { err, ok } from '../../src/lib/result.ts';
import type * as z from 'zod/mini';
import type { ApiAnswer, Client, QueryParameters } from '../client.ts';
import { wholeNumber, type CliCommand, type Options } from '../command.ts';
import { failed, type CommandResult } from '../failure.ts';
import { quoted } from '../text.ts';
import { configSet, event, type Event } from './shapes.ts';

export type ListOptions = Options<'cursor'> & { readonly limit: number };
export type EventOptions = Options<'source' | 'state' | 'type' | 'since' | 'until' | 'text'>;
export type MessageOptions = Options<'state' | 'source' | 'event' | 'phone' | 'since'>;

export const withPaging = (command: CliCommand): CliCommand =>
  command
    .option('-n, --limit <n>', 'the number of rows, 1 to 200', wholeNumber(1, 200), 20)
    .option('--cursor <cursor>', 'the cursor of the next page');

/** The beginnings of ids, and the command that shows each. */
const IDS = {
  event: ['evt_', 'an event', 'events'],
  message: ['msg_', 'a message', 'messages'],
  incident: ['inc_', 'an incident', 'incidents show'],
} as const;

/** Checks an id. An id of another kind has its own error, since all are copied from the same lines. */
export function readId(kind: 'event' | 'message', id: string): CommandResult<string> {
  const [wanted, what] = IDS[kind];
  if (id.startsWith(wanted)) return ok(id);
  const other = Object.values(IDS).find(([prefix]) => id.startsWith(prefix));
  if (other !== undefined)
    return failed(`${id} is ${other[1]}: \`hookbell ${other[2]} ${quoted(id)}\` shows it`);
  return failed(`\`${id}\` is not the id of ${what} (${wanted}…)`);
}

/** The pages of a list, the newest entries first, until one cannot be read. */
export async function* pagesOf<Item>(
  client: Client,
  path: string,
  shape: z.ZodMiniType<{ readonly items: readonly Item[]; readonly next_cursor: string | null }>,
  query: QueryParameters = {},
): AsyncGenerator<CommandResult<readonly Item[]>> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await client.get(path, shape, { ...query, cursor, limit: 200 });
    yield page.ok ? ok(page.value.data.items) : page;
    cursor = page.ok ? page.value.data.next_cursor : null;
  }
}

/** The answers about these events, in their order, without those that retention has deleted meanwhile. */
export async function* eventsInFull(
  client: Client,
  ids: readonly string[],
): AsyncGenerator<CommandResult<ApiAnswer<Event>>> {
  for (const some of batches(ids)) {
    const answers = await Promise.all(some.map((id) => client.get(`/events/${id}`, event)));
    yield* answers.filter((answer) => answer.ok || answer.error.status !== 404);
  }
}

const AT_ONCE = 8;

/** In parts, each of which is small enough for calls about it to be made at once. */
export function* batches<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += AT_ONCE) yield all.slice(at, at + AT_ONCE);
}

export const part = (text: string): string => encodeURIComponent(text);

/** The answer, with the name that was probably meant where there is no such thing: the relay is called once more for that. */
export async function withSuggestion<T>(
  client: Client,
  asked: Promise<CommandResult<T>>,
  kind: 'sources' | 'accounts',
  name: string,
): Promise<CommandResult<T>> {
  const answer = await asked;
  if (answer.ok || answer.error.status !== 404) return answer;
  const config = await client.get('/config', configSet);
  if (!config.ok) return answer;
  const documents = Object.keys(config.value.data[kind]);
  // `default` is there without a document, too.
  const names = kind === 'accounts' ? [...new Set([DEFAULT_ACCOUNT_NAME, ...documents])] : documents;
  return err({
    ...answer.error,
    message: unknownName(kind === 'accounts' ? 'account' : 'source', name, names),
  });
}

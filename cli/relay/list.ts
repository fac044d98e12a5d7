import { DEFAULT_ACCOUNT_NAME } from '../../src/config/secrets/credential-names.ts';
import { unknownName } from '../../src/config/documents/unknown-name.ts';
import { ok } from '../../src/lib/result.ts';
import type { Client } from '../client.ts';
import { wholeNumber, type CliCommand } from '../command.ts';
import { failed, type Failure, type CommandResult } from '../failure.ts';
import { quoted } from '../text.ts';
import { configSet } from './shapes.ts';

export interface ListOptions {
  readonly limit: number;
  readonly cursor?: string;
}

export interface EventOptions {
  readonly source?: string;
  readonly state?: string;
  readonly type?: string;
  readonly since?: string;
  readonly until?: string;
  readonly text?: string;
}

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

/** Any text as a segment of a path. */
export const part = (text: string): string => encodeURIComponent(text);

/** Adds to "there is no source …" the name that was probably meant. Calls the relay once more for that. */
export async function withSuggestion(
  client: Client,
  failure: Failure,
  kind: 'sources' | 'accounts',
  name: string,
): Promise<Failure> {
  if (failure.status !== 404) return failure;
  const config = await client.get('/config', configSet);
  if (!config.ok) return failure;
  const documents = Object.keys(config.value.data[kind]);
  // `default` is there without a document, too.
  const names = kind === 'accounts' ? [...new Set([DEFAULT_ACCOUNT_NAME, ...documents])] : documents;
  return { ...failure, message: unknownName(kind === 'accounts' ? 'account' : 'source', name, names) };
}

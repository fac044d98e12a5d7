import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod/mini';
import { ok } from '../../src/lib/result.ts';
import type { Client } from '../client.ts';
import type { Cli } from '../command.ts';
import { failed, type CommandResult } from '../failure.ts';
import { readConfig } from '../relay/config.ts';
import { event, eventList, messageList, suppressionList } from '../relay/shapes.ts';
import { count } from '../text.ts';
import { SUPPRESSIONS } from './deploy.ts';

const PAGE = 200;
const AT_ONCE = 8;

interface Exported {
  readonly folder: string;
  readonly summary: string;
}

/**
 * Writes all data of a relay: `config.json` (for `POST /config`), `events.jsonl`, `messages.jsonl`, and the receivers who
 * have opted out, which the next deploy puts back.
 */
export async function exportAll(
  { out }: Pick<Cli, 'out'>,
  client: Client,
  folder: string,
): Promise<CommandResult<Exported>> {
  const config = await readConfig(client);
  if (!config.ok) return config;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'config.json'), `${JSON.stringify(config.value.set, null, 2)}\n`, {
      mode: 0o600,
    });
  } catch (thrown) {
    return failed(
      `${folder} cannot be written: ${thrown instanceof Error ? thrown.message : 'unknown reason'}`,
    );
  }
  const events = await exportEvents(client, join(folder, 'events.jsonl'), (n) =>
    out.progress(`${count(n, 'event')} …`),
  );
  if (!events.ok) return events;
  // All others are in their events.
  const messages = await exportList(
    client,
    ['/messages', messageList],
    join(folder, 'messages.jsonl'),
    ({ event: of }) => of === null,
  );
  if (!messages.ok) return messages;
  const optedOut = await exportList(client, ['/suppressions', suppressionList], join(folder, SUPPRESSIONS));
  if (!optedOut.ok) return optedOut;
  out.progressDone();
  const sent = messages.value === 0 ? '' : `, ${count(messages.value, 'message')} sent by hand`;
  const stopped = optedOut.value === 0 ? '' : `, ${count(optedOut.value, 'receiver')} opted out`;
  return ok({
    folder,
    summary: `version ${config.value.version}, ${count(events.value, 'event')}${sent}${stopped}`,
  });
}

/** Writes each event with its payload and messages; newest first, since that is the order of the pages. */
async function exportEvents(
  client: Client,
  file: string,
  progress: (n: number) => void,
): Promise<CommandResult<number>> {
  writeFileSync(file, '', { mode: 0o600 });
  let written = 0;
  let cursor: string | undefined;
  do {
    const page = await client.get('/events', eventList, { cursor, limit: PAGE });
    if (!page.ok) return page;
    const { items, next_cursor } = page.value.data;
    for (let at = 0; at < items.length; at += AT_ONCE) {
      const answers = await Promise.all(
        items.slice(at, at + AT_ONCE).map(({ id }) => client.get(`/events/${id}`, event)),
      );
      for (const answer of answers) {
        // Retention may have deleted it since the list was read.
        if (!answer.ok && answer.error.status === 404) continue;
        if (!answer.ok) return answer;
        appendFileSync(file, `${JSON.stringify(answer.value.json)}\n`);
        written += 1;
      }
      progress(written);
    }
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
  return ok(written);
}

/** Writes each entry of a list that is wanted, and returns their number. */
async function exportList<Item>(
  client: Client,
  [path, shape]: readonly [
    string,
    z.ZodMiniType<{ readonly items: readonly Item[]; readonly next_cursor: string | null }>,
  ],
  file: string,
  isWanted: (item: Item) => boolean = () => true,
): Promise<CommandResult<number>> {
  writeFileSync(file, '', { mode: 0o600 });
  let written = 0;
  let cursor: string | undefined;
  do {
    const page = await client.get(path, shape, { cursor, limit: PAGE });
    if (!page.ok) return page;
    const { items, next_cursor } = page.value.data;
    for (const one of items) {
      if (!isWanted(one)) continue;
      appendFileSync(file, `${JSON.stringify(one)}\n`);
      written += 1;
    }
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
  return ok(written);
}

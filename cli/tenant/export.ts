import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ok } from '../../src/lib/result.ts';
import type { Client } from '../client.ts';
import type { Cli } from '../command.ts';
import { failed, type CommandResult } from '../failure.ts';
import { readConfig } from '../relay/config.ts';
import { eventsInFull, pagesOf } from '../relay/list.ts';
import { eventList, messageList, suppressionList } from '../relay/shapes.ts';
import { count } from '../text.ts';
import { SUPPRESSIONS } from './deploy.ts';

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
    pagesOf(client, '/messages', messageList),
    join(folder, 'messages.jsonl'),
    ({ event }) => event === null,
  );
  if (!messages.ok) return messages;
  const optedOut = await exportList(
    pagesOf(client, '/suppressions', suppressionList),
    join(folder, SUPPRESSIONS),
  );
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
  for await (const page of pagesOf(client, '/events', eventList)) {
    if (!page.ok) return page;
    const ids = page.value.map(({ id }) => id);
    for await (const answer of eventsInFull(client, ids)) {
      if (!answer.ok) return answer;
      appendFileSync(file, `${JSON.stringify(answer.value.json)}\n`);
      progress((written += 1));
    }
  }
  return ok(written);
}

async function exportList<Item>(
  pages: AsyncIterable<CommandResult<readonly Item[]>>,
  file: string,
  isWanted: (item: Item) => boolean = () => true,
): Promise<CommandResult<number>> {
  writeFileSync(file, '', { mode: 0o600 });
  let written = 0;
  for await (const page of pages) {
    if (!page.ok) return page;
    const wanted = page.value.filter(isWanted);
    appendFileSync(file, wanted.map((one) => `${JSON.stringify(one)}\n`).join(''));
    written += wanted.length;
  }
  return ok(written);
}

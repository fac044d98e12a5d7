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

/**
 * Writes all data of a relay: `config.json` (for `POST /config`), `events.jsonl`, `messages.jsonl`, and the receivers who
 * have opted out, which the next deploy puts back. Returns what it wrote, for a person.
 */
export async function exportAll(
  { out }: Pick<Cli, 'out'>,
  client: Client,
  folder: string,
): Promise<CommandResult<string>> {
  const config = await readConfig(client);
  if (!config.ok) return config;
  const { set, version } = config.value;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'config.json'), `${JSON.stringify(set, null, 2)}\n`, { mode: 0o600 });
  } catch (thrown) {
    return failed(
      `${folder} cannot be written: ${thrown instanceof Error ? thrown.message : 'unknown reason'}`,
    );
  }
  const events = await exportList(join(folder, 'events.jsonl'), fullEvents(client), (n) =>
    out.progress(`${count(n, 'event')} …`),
  );
  if (!events.ok) return events;
  const messages = await exportList(join(folder, 'messages.jsonl'), messagesByHand(client));
  if (!messages.ok) return messages;
  const optedOut = await exportList(
    join(folder, SUPPRESSIONS),
    pagesOf(client, '/suppressions', suppressionList),
  );
  if (!optedOut.ok) return optedOut;
  out.progressDone();
  const sent = messages.value === 0 ? '' : `, ${count(messages.value, 'message')} sent by hand`;
  const stopped = optedOut.value === 0 ? '' : `, ${count(optedOut.value, 'receiver')} opted out`;
  return ok(`version ${version}, ${count(events.value, 'event')}${sent}${stopped}`);
}

type Pages = AsyncGenerator<CommandResult<readonly unknown[]>>;

/** Each event with its payload and messages; newest first, since that is the order of the pages. */
async function* fullEvents(client: Client): Pages {
  for await (const page of pagesOf(client, '/events', eventList))
    if (!page.ok) yield page;
    else {
      const ids = page.value.map(({ id }) => id);
      for await (const answer of eventsInFull(client, ids))
        yield answer.ok ? ok([answer.value.json]) : answer;
    }
}

/** All others are in their events. */
async function* messagesByHand(client: Client): Pages {
  for await (const page of pagesOf(client, '/messages', messageList))
    yield page.ok ? ok(page.value.filter(({ event }) => event === null)) : page;
}

/** Writes a line for each item, up to the first failure. Returns how many they are. */
async function exportList(
  file: string,
  pages: AsyncIterable<CommandResult<readonly unknown[]>>,
  progress: (n: number) => void = () => {},
): Promise<CommandResult<number>> {
  writeFileSync(file, '', { mode: 0o600 });
  let written = 0;
  for await (const page of pages) {
    if (!page.ok) return page;
    appendFileSync(file, page.value.map((one) => `${JSON.stringify(one)}\n`).join(''));
    progress((written += page.value.length));
  }
  return ok(written);
}

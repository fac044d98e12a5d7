import { fromBase32 } from '../../src/lib/id.ts';
import { ok } from '../../src/lib/result.ts';
import type { AddCommand, Cli, Options } from '../command.ts';
import { misused, type CommandResult } from '../failure.ts';
import { eventsInFull, pagesOf } from '../relay/list.ts';
import { eventList } from '../relay/shapes.ts';
import { count } from '../text.ts';

export const add: AddCommand = (program) => {
  program
    .command('export')
    .option(
      '--since <start>',
      'only received after a time, 2h (ago) or 2026-01-31T12:00:00Z, or after an event, evt_…',
    )
    .option('--source <source>', 'only from this source')
    .summary('export events as JSON lines')
    .description(
      'Writes every event with its payload and messages as a line of JSON, oldest first. If you stop it, it prints how to continue. Does not include the list of receivers who have opted out: `hookbell suppressions list --json` writes it.',
    )
    .examples(
      ['hookbell export > events.jsonl', 'all stored events'],
      ['hookbell export --since evt_01m7ygnc129ats8d9q95vre3gr >> events.jsonl', 'events after that one'],
    )
    .run(exportEvents);
};

async function exportEvents(
  cli: Cli,
  { since, source }: Options<'since' | 'source'>,
): Promise<CommandResult | void> {
  const { out, interrupt, client } = cli;
  const start = readStart(since);
  if (!start.ok) return start;
  let last: string | null = null;
  const howToContinue = (): string => (last === null ? '' : `continue with --since ${last}`);
  const release = interrupt.handle(() => interrupt.leave(howToContinue() || 'nothing was written'));
  const ids = await listIds(cli, { ...start.value, source });
  if (!ids.ok) return ids;
  let read = 0;
  for await (const answer of eventsInFull(client, ids.value)) {
    if (!answer.ok) {
      out.note(howToContinue());
      return answer;
    }
    out.jsonLine(answer.value.json);
    last = answer.value.data.id;
    out.progress(`${(read += 1)} of ${count(ids.value.length, 'event')} …`);
  }
  release();
  if (!out.isJson) out.note(`${count(ids.value.length, 'event')} written`);
}

/** `after`: only events after this one. */
type Start = Options<'since' | 'after'>;

/** An event's id says when it was received: its first ten digits are milliseconds. */
function readStart(since: string | undefined): CommandResult<Start> {
  if (since?.startsWith('evt_') !== true) return ok(since === undefined ? {} : { since });
  const ms = fromBase32(since.slice(4, 14));
  return ms === null || since.length !== 30
    ? misused(`\`${since}\` is not the id of an event`)
    : ok({ since: new Date(ms).toISOString(), after: since });
}

/** The ids of all events, oldest first. The list has the newest first, so all of it has to be read before. */
async function listIds(
  { out, client }: Cli,
  { since, after, source }: Start & { readonly source: string | undefined },
): Promise<CommandResult<readonly string[]>> {
  const ids: string[] = [];
  for await (const page of pagesOf(client, '/events', eventList, { since, source })) {
    if (!page.ok) return page;
    for (const { id } of page.value) if (after === undefined || id > after) ids.push(id);
    out.progress(`${count(ids.length, 'event')} found …`);
  }
  // Ids sort by the time of receipt. The list of several accounts is only nearly in order.
  return ok(ids.sort());
}

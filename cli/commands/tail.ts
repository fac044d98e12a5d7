import { parseDuration } from '../../src/lib/time.ts';
import { ok } from '../../src/lib/result.ts';
import { wholeNumber, type AddCommand, type Cli, type Options } from '../command.ts';
import { misused, type CommandResult } from '../failure.ts';
import { follow, type FollowOptions } from '../relay/follow.ts';
import { showChange } from '../tail-lines.ts';

type TailOptions = Options<'source' | 'type' | 'since'> & { readonly last?: number };

export const add: AddCommand = (program) => {
  program
    .command('tail')
    .option('--source <source>', 'only from this source')
    .option('--type <type>', 'only this type: event, message or rejection')
    .option('--since <time>', 'also show entries after this time: 10m (ago) or 2026-01-31T12:00:00Z')
    .option('-n, --last <n>', 'also show the last n entries', wholeNumber(1, 200))
    .summary('watch events, messages and errors live')
    .description(
      'Shows events, messages and rejections as they happen, until Ctrl-C, with errors, attempts and the time of the next attempt: each as it is when it is asked for, within two seconds. After a minute without news it asks every 15 seconds, and after an hour it pauses until Enter is pressed. In a pipe it goes on, every three minutes. Catches up after the relay could not be reached, or when this machine wakes from sleep. With --json, prints each as a line of JSON.',
    )
    .examples(
      ['hookbell tail', 'everything'],
      ['hookbell tail --source alerts', 'of one source'],
      ['hookbell tail --since 10m', 'with the last ten minutes'],
    )
    .run(tail);
};

async function tail(
  { ask, out, pasteIn, client }: Cli,
  { source, type, ...past }: TailOptions,
): Promise<CommandResult> {
  const start = startOf(past);
  if (!start.ok) return start;
  return follow(client, {
    query: { source, type },
    start: start.value,
    onStart: () => out.note(out.styleNote('dim', `watching ${client.url}; Ctrl-C stops`)),
    onChange: (change, origin) => {
      if (out.isJson) out.jsonLine(origin === 'live' ? change : { ...change, origin });
      else showChange(out, change, origin === 'away' ? '  (while away)' : '');
    },
    onWarning: (text) => out.note(out.styleNote('yellow', pasteIn(text))),
    enter: ask === null ? null : enter,
  });
}

const enter = (): Promise<void> => new Promise((resolve) => void process.stdin.once('data', () => resolve()));

/** The earlier entries to show. */
function startOf({ since, last = Infinity }: TailOptions): CommandResult<FollowOptions['start']> {
  if (since === undefined) return ok(last === Infinity ? null : { since: 0, last });
  const ago = parseDuration(since);
  const at = ago.ok
    ? Date.now() - ago.value
    : /^\d{4}-\d\d-\d\d(T\S+)?$/.test(since)
      ? Date.parse(since)
      : NaN;
  return Number.isNaN(at)
    ? misused(
        `--since must be a duration such as 10m, or a time such as 2026-01-31T12:00:00Z, not \`${since}\``,
      )
    : ok({ since: at, last });
}

import * as z from 'zod/mini';
import { parseDuration } from '../../src/lib/time.ts';
import { err, ok } from '../../src/lib/result.ts';
import type { Client } from '../client.ts';
import { wholeNumber, type AddCommand, type Cli } from '../command.ts';
import { misused, type CommandResult } from '../failure.ts';
import { follow, isDated, type FollowOptions } from '../relay/follow.ts';
import type { Dated } from '../relay/history.ts';
import { poll } from '../relay/poll.ts';
import { showFrame } from '../tail-lines.ts';

interface Options {
  readonly source?: string;
  readonly type?: string;
  readonly since?: string;
  readonly last?: number;
}

/** The query for the relay: the options without the others. */
const asQuery = ({ source, type }: Options) => ({ source, type });

/** `tail`: shows what happens, while it happens. */
export const add: AddCommand = (program) => {
  program
    .command('tail')
    .option('--source <source>', 'only from this source')
    .option('--type <type>', 'only this type: event, message or rejection')
    .option('--since <time>', 'also show entries after this time: 10m (ago) or 2026-01-31T12:00:00Z')
    .option('-n, --last <n>', 'also show the last n entries', wholeNumber(1, 200))
    .summary('watch events, messages and errors live')
    .description(
      'Shows events, messages and rejections as they happen, until Ctrl-C, with errors, attempts and the time of the next attempt. Catches up after a lost connection, or when this machine wakes from sleep. With --json, prints each as a line of JSON.',
    )
    .examples(
      ['hookbell tail', 'everything'],
      ['hookbell tail --source alerts', 'of one source'],
      ['hookbell tail --since 10m', 'with the last ten minutes'],
    )
    .run(tail);
};

async function tail({ out, pasteIn, relay }: Cli, options: Options): Promise<CommandResult> {
  const start = startOf(options);
  if (!start.ok) return start;
  const client = relay();
  if (!client.ok) return client;
  const has = await hasTail(client.value, options);
  if (!has.ok) return has;
  const cannot = 'WebSocket' in globalThis ? null : `Node ${process.versions.node} has no WebSocket`;
  if (!has.value || cannot !== null) {
    out.note(out.styleNote('dim', `${cannot ?? 'this relay has no tail'}: asking every 2 s`));
    const show = (frame: Dated): void => (out.isJson ? out.jsonLine(frame) : showFrame(out, frame));
    return err(await poll(client.value, asQuery(options), show));
  }
  const onFrame: FollowOptions['onFrame'] = ({ frame, json }, origin) => {
    if (out.isJson) return out.jsonLine(origin === 'live' ? json : { ...frame, origin });
    if (frame === null) return;
    if (isDated(frame)) return showFrame(out, frame, origin === 'away' ? '  (while away)' : '');
    const note =
      frame.type === 'hello'
        ? out.styleNote('dim', `watching ${client.value.profile.url}; Ctrl-C stops`)
        : out.styleNote('yellow', `${frame.count} more were not shown: too many at once`);
    out.note(note);
  };
  return follow(client.value, {
    query: asQuery(options),
    start: start.value,
    onFrame,
    onWarning: (text) => out.note(out.styleNote('yellow', pasteIn(text))),
    hasTail: () => hasTail(client.value, options),
  });
}

/** The earlier entries to show. */
function startOf({ since, last = Infinity }: Options): CommandResult<FollowOptions['start']> {
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

/**
 * True if the relay has a tail. A WebSocket does not say why it was refused, so this asks by plain HTTP first: 426
 * means yes.
 */
async function hasTail(client: Client, options: Options): Promise<CommandResult<boolean>> {
  const answer = await client.get('/tail', z.unknown(), asQuery(options));
  if (answer.ok || answer.error.status === 426) return ok(true);
  return answer.error.status === 404 ? ok(false) : answer;
}

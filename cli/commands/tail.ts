import { parseSince } from '../../src/lib/time.ts';
import { ok } from '../../src/lib/result.ts';
import { wholeNumber, type AddCommand, type Cli, type Options } from '../command.ts';
import { misused, type CommandResult } from '../failure.ts';
import { follow, type Change, type FollowOptions } from '../relay/follow.ts';
import type { Output } from '../output.ts';
import { shortTime, stateColour } from '../show.ts';
import { count, oneLine, widthOf, wrap } from '../text.ts';
import { aboutText, waitText } from '../waits.ts';

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
  const at = parseSince(since, Date.now());
  return Number.isNaN(at)
    ? misused(
        `--since must be a duration such as 10m, or a time such as 2026-01-31T12:00:00Z, not \`${since}\``,
      )
    : ok({ since: at, last });
}

/** The indentation of a text that does not fit into its line: it continues below the word. */
const INDENT = 10;

/** Prints a change: one line, or where the terminal has no room, the text whole below it. */
export function showChange(out: Output, change: Change, mark = ''): void {
  const { id, state, word, text } = said(change);
  const head = `${shortTime(change.at)}  ${word.padEnd(9)}`;
  const name = oneLine(id);
  const rest = oneLine(text + mark);
  const line = `${head}  ${name.padEnd(20)}  ${rest}`.trimEnd();
  const colour = (whole: string): string => stateColour(out, state, head) + whole.slice(head.length);
  if (widthOf(line) <= out.columns) return out.line(colour(line));
  out.line(colour(`${head}  ${name}`));
  for (const more of wrap(rest, out.columns - INDENT)) out.line(' '.repeat(INDENT) + more);
}

/** A change in words: the state decides the colour, the word is shown for it. */
function said(change: Change) {
  switch (change.type) {
    case 'event': {
      const { event: id, state, duplicate, source, event_type: type, subject, waiting } = change;
      const later = waiting === undefined ? '' : `, ${count(waiting, 'item')} waiting for a notification`;
      const why = change.reason ?? (state === 'unmatched' ? 'no route matched' : undefined);
      const what = [source, type, subject && `“${subject}”`].filter(Boolean).join(' ');
      return { id, state, word: duplicate ? 'again' : state, text: what + later + because(why) };
    }
    case 'message': {
      const { message: id, state, source, route } = change;
      const from = source === null ? 'by hand' : `${source}/${route ?? ''}`;
      return { id, state, word: state, text: from + attemptText(change) };
    }
    case 'rejection': {
      const { n, source, status, code, detail } = change;
      return {
        id: `rejection ${n}`,
        state: 'failed',
        word: 'refused',
        text: `${source} ${status} ${code}${because(detail)}`,
      };
    }
  }
}

const because = (why: string | undefined): string => (why === undefined ? '' : `: ${why}`);

/** The last attempt of a message, why it failed, and when there is another. */
function attemptText(change: Extract<Change, { readonly type: 'message' }>): string {
  const { state, outcome, http_status: status, duration_ms: took, n, reason, about } = change;
  const hasFailed = outcome !== undefined && outcome !== 'sent';
  const parts = [
    n !== undefined && (hasFailed || n > 1) ? `attempt ${n}` : undefined,
    outcome === state ? undefined : outcome,
    hasFailed && status !== undefined ? `HTTP ${status}` : undefined,
    took === undefined ? undefined : `${took} ms`,
    about && aboutText(about),
  ].filter((part) => part !== undefined);
  const tried = parts.length === 0 ? '' : ` ${parts.join(', ')}`;
  const waits = waitText({ ...change, attempts: [] });
  if (waits !== undefined) return `${tried}${tried === '' ? ' waits' : '; waits'}: ${waits}`;
  const next = change.next_attempt_at;
  // A login that is refused pauses the account: nobody knows until when.
  const isOpen = next === undefined || state === 'sending' || outcome === 'unauthorized';
  return tried + because(reason) + (isOpen ? '' : `; again at ${shortTime(next)}`);
}

import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { err, ok } from '../../src/lib/result.ts';
import type { Client } from '../client.ts';
import { addExamples, type AddCommand, type Cli } from '../command.ts';
import { failed, type Outcome } from '../failure.ts';
import type { Output } from '../output.ts';
import { aboutText } from '../incident.ts';
import { poll } from '../relay/poll.ts';
import { watch, type Frame } from '../relay/tail.ts';
import { shortTime, stateColour } from '../show.ts';
import { clip, count, oneLine } from '../text.ts';

interface Options {
  readonly source?: string;
  readonly type?: string;
}

/** The query for the relay: the options without the global ones. */
const asQuery = ({ source, type }: Options) => ({ source, type });

const MAX_WAIT_MS = 30_000;

/** `tail`: shows what happens, while it happens. */
export const addTail: AddCommand = (program, run) => {
  const command = program
    .command('tail')
    .option('--source <source>', 'of this source only')
    .option('--type <type>', 'event, message or rejection only')
    .summary('watch what happens, while it happens')
    .description(
      'Shows events, messages and refusals as they happen, until Ctrl-C. With --json each is a line of JSON.',
    )
    .action(run(tail));
  addExamples(command, ['hookbell tail', 'everything'], ['hookbell tail --source alerts', 'of one source']);
};

async function tail({ out, relay }: Cli, options: Options): Promise<Outcome> {
  const { source, type } = options;
  const client = relay();
  if (!client.ok) return client;
  const show = (json: unknown, frame: Frame | null): void => {
    if (out.isJson) out.jsonLine(json);
    else if (frame !== null) showFrame(out, frame);
  };
  const has = await hasTail(client.value, options);
  if (!has.ok) return has;
  if (has.value) return follow(out, client.value, options, show);
  out.note(out.styleNote('dim', 'this relay has no tail: asking every 2 s'));
  const isWanted = (frame: Frame): boolean => type === undefined || frame.type === type;
  return err(await poll(client.value, source, (json, frame) => isWanted(frame) && show(json, frame)));
}

/**
 * Whether the relay has a tail. A WebSocket does not say why it was refused, so this asks by plain HTTP first: 426
 * means yes.
 */
async function hasTail(client: Client, query: Options): Promise<Outcome<boolean>> {
  const answer = await client.get('/tail', z.unknown(), asQuery(query));
  if (answer.ok || answer.error.status === 426) return ok(true);
  return answer.error.status === 404 ? ok(false) : answer;
}

/** Watches, and connects again when the connection ends: Cloudflare moves objects now and then. */
async function follow(
  out: Output,
  client: Client,
  query: Options,
  show: (json: unknown, frame: Frame | null) => void,
): Promise<Outcome> {
  for (let failures = 0; ; failures += 1) {
    let isFirst = true;
    const end = await watch(client, asQuery(query), (json, frame) => {
      failures = 0;
      if (isFirst && !out.isJson)
        out.note(out.styleNote('dim', `watching ${client.profile.url}; Ctrl-C ends it`));
      isFirst = false;
      show(json, frame);
    });
    if (end.isFinal) return failed(`${client.profile.url} ended the tail: ${oneLine(end.why)}`);
    const has = failures === 0 ? ok(true) : await hasTail(client, query);
    if (!has.ok && has.error.unsure !== true && has.error.status !== undefined) return has;
    const wait = Math.min(MAX_WAIT_MS, 500 * 2 ** failures);
    out.note(out.styleNote('yellow', `${oneLine(end.why)}; trying again in ${Math.ceil(wait / 1_000)} s`));
    await sleep(wait);
  }
}

function showFrame(out: Output, frame: Frame): void {
  switch (frame.type) {
    case 'hello':
      return;
    case 'dropped':
      return out.note(out.styleNote('yellow', `${frame.count} more were not shown: too many at once`));
    case 'event': {
      const { at, event: id, state, duplicate, source, event_type: type, waiting } = frame;
      const later = waiting === undefined ? '' : `, ${count(waiting, 'item')} to be told`;
      const text = `${source} ${type ?? ''}${later}`;
      return line(out, { at, id, state, word: duplicate ? 'again' : state, text });
    }
    case 'message': {
      const { at, message: id, state, source, route, outcome, duration_ms: took, about } = frame;
      const from = source === null ? 'by hand' : `${source}/${route ?? ''}`;
      const attempt = [
        outcome === state ? undefined : outcome,
        took === undefined ? undefined : `${took} ms`,
        about && aboutText(about),
      ];
      return line(out, { at, id, state, word: state, text: [from, ...attempt].join(' ') });
    }
    case 'rejection': {
      const { at, source, status, reason } = frame;
      return line(out, {
        at,
        id: String(status),
        state: 'failed',
        word: 'refused',
        text: `${source} ${reason}`,
      });
    }
  }
}

interface Line {
  readonly at: string;
  readonly id: string;
  /** The state that decides the colour. */
  readonly state: string;
  /** The word that is shown for it. */
  readonly word: string;
  readonly text: string;
}

function line(out: Output, { at, id, state, word, text }: Line): void {
  const head = `${shortTime(at)}  ${word.padEnd(9)}`;
  const rest = oneLine(`  ${id.padEnd(20)}  ${text}`).trimEnd();
  out.line(stateColour(out, state, head) + clip(rest, out.columns - head.length));
}

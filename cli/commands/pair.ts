import { setTimeout as sleep } from 'node:timers/promises';
import { ok } from '../../src/lib/result.ts';
import { showAnswer, type AddCommand, type Cli } from '../command.ts';
import { failed, stopped, type CommandResult } from '../failure.ts';
import { publishCommand } from '../paste.ts';
import { part, withSuggestion } from '../relay/list.ts';
import { pairedKey, pairing, type OfferAnswer } from '../relay/shapes.ts';
import { shortTime } from '../show.ts';
import { oneLine, safe } from '../text.ts';

const LOOK_EVERY_MS = 2_000;

export const add: AddCommand = (program) => {
  program
    .command('pair')
    .argument('<source>', 'the source')
    .summary('let a provider send its signing key')
    .description(
      'Opens a window of ten minutes in which the provider (Asana, Notion …) may send its signing key. Waits for the key, then shows it and its sender once; the relay deletes it. A second, different key makes both invalid. Ctrl-C closes the window.',
    )
    .examples(['hookbell pair project-tasks', 'then create the webhook at the provider'])
    .run(pair);
};

async function pair(cli: Cli, source: string): Promise<CommandResult | void> {
  const { out, interrupt, client } = cli;
  const path = `/sources/${part(source)}/pair`;
  const opened = await withSuggestion(client, client.post(path, pairing), 'sources', source);
  if (!opened.ok) return opened;
  if (opened.value.data.state === 'open')
    out.note(
      `The window of ${source} is open until ${shortTime(opened.value.data.expires_at)}: create the webhook at the provider now.`,
    );
  const wake = new AbortController();
  const release = interrupt.handle(() => wake.abort());
  const found = await waitForKey(cli, path, wake.signal);
  if (found.ok && found.value === 'stopped') {
    const closed = await client.request('DELETE', path, pairing);
    release();
    return closed.ok ? stopped('the window is closed; no key arrived') : closed;
  }
  release();
  if (!found.ok) return found;
  if (found.value !== 'captured')
    return failed(`no key arrived within ten minutes; \`hookbell pair ${source}\` opens the window again`);
  const refused = await showKey(cli, path);
  if (refused === undefined) return undefined;
  // Another key may have come since then: a person needs to know who offered them.
  const now = await waitForKey(cli, path, AbortSignal.abort());
  return now.ok ? refused : now;
}

/** Takes the key, which the relay shows only once, and shows it with who sent it. */
const showKey = (cli: Cli, path: string) =>
  showAnswer(cli, cli.client.post(`${path}/key`, pairedKey), ({ secret, hint, offers }, out) => {
    out.line(out.style('bold', safe(secret)));
    for (const offer of offers) out.line(`sent ${described(offer)}`);
    out.wrapped(safe(cli.pasteIn(hint)));
    out.line(`  ${publishCommand(cli)}`);
  });

const described = ({ at, address, user_agent: agent }: OfferAnswer): string =>
  `at ${shortTime(at)} by ${oneLine(address ?? 'an unknown address')}${agent === undefined ? '' : ` (${oneLine(agent)})`}`;

async function waitForKey(
  { out, client }: Cli,
  path: string,
  wake: AbortSignal,
): Promise<CommandResult<'captured' | 'closed' | 'stopped'>> {
  for (;;) {
    const answer = await client.get(path, pairing);
    if (!answer.ok) return answer;
    const { data } = answer.value;
    if (!('expires_at' in data)) return ok(data.state);
    if (data.state === 'captured') return ok(data.state);
    if ('hint' in data) return failed(data.hint, { details: data.offers.map(described) });
    if (data.state === 'taken')
      return failed(
        'somebody else has already taken the key; if you need it, run this again, and create the webhook again',
        { details: data.offers.map(described) },
      );
    if (wake.aborted) return ok('stopped');
    out.progress(`waiting for the key, until ${shortTime(data.expires_at)} …`);
    await sleep(LOOK_EVERY_MS, undefined, { signal: wake }).catch(() => undefined);
  }
}

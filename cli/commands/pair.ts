import { setTimeout as sleep } from 'node:timers/promises';
import { err, ok } from '../../src/lib/result.ts';
import type { Client } from '../client.ts';
import { addExamples, type AddCommand, type Cli } from '../command.ts';
import { failed, stopped, type Outcome } from '../failure.ts';
import { part, withSuggestion } from '../relay/list.ts';
import { pairing } from '../relay/shapes.ts';
import { shortTime } from '../show.ts';
import { safe } from '../text.ts';

const LOOK_EVERY_MS = 2_000;

/** `pair`: lets a provider hand over its key. */
export const addPair: AddCommand = (program, run) => {
  const command = program
    .command('pair')
    .argument('<source>', 'its id')
    .summary('let a provider hand over the key of its signatures')
    .description(
      'Opens a window of ten minutes in which the provider (Asana, Notion …) may hand over its key, waits for it, and shows it. The relay shows it once and forgets it. Ctrl-C closes the window.',
    )
    .action(run(pair));
  addExamples(command, ['hookbell pair project-tasks', 'then create the webhook at the provider']);
};

async function pair(cli: Cli, source: string): Promise<Outcome> {
  const { out, interrupt } = cli;
  const client = cli.relay();
  if (!client.ok) return client;
  const path = `/sources/${part(source)}/pair`;
  const opened = await client.value.post(path, pairing);
  if (!opened.ok) return err(await withSuggestion(client.value, opened.error, 'sources', source));
  if (opened.value.data.state === 'open')
    out.note(
      `The window of ${source} is open until ${shortTime(opened.value.data.expires_at)}: create the webhook at the provider now.`,
    );
  const wake = new AbortController();
  const release = interrupt.handle(() => wake.abort());
  const done = await waitForKey(out, client.value, path, wake.signal);
  if (wake.signal.aborted && done.ok && done.value === null) {
    const closed = await client.value.request('DELETE', path, pairing);
    release();
    return closed.ok ? stopped('the window is closed again; no key came') : closed;
  }
  release();
  if (!done.ok) return done;
  if (done.value === null)
    return failed(`no key came in ten minutes; \`hookbell pair ${source}\` opens the window again`);
  const { json, secret, hint } = done.value;
  out.show(json, () => {
    out.line(out.style('bold', safe(secret)));
    out.line(safe(hint));
  });
  return ok(undefined);
}

/** The key, or null when the window closed, or was left. A look that is under way is always seen to its end: it may carry the key. */
async function waitForKey(
  out: Cli['out'],
  client: Client,
  path: string,
  wake: AbortSignal,
): Promise<Outcome<{ json: unknown; secret: string; hint: string } | null>> {
  for (;;) {
    const answer = await client.get(path, pairing);
    if (!answer.ok) return answer;
    const { json, data } = answer.value;
    if (data.state === 'captured') return ok({ json, secret: data.secret, hint: data.hint });
    if (data.state === 'closed' || wake.aborted) return ok(null);
    out.progress(`waiting for the key, until ${shortTime(data.expires_at)} …`);
    await sleep(LOOK_EVERY_MS, undefined, { signal: wake }).catch(() => undefined);
  }
}

import { ok } from '../../src/lib/result.ts';
import type { Client } from '../client.ts';
import { addExamples, type AddCommand, type Cli } from '../command.ts';
import { misused, type Outcome } from '../failure.ts';
import { readId } from '../relay/list.ts';
import { bulk, message } from '../relay/shapes.ts';
import { receiver } from '../show.ts';
import { count } from '../text.ts';
import { addReplay } from './replay.ts';

interface RetryOptions {
  readonly state?: string;
  readonly source?: string;
  readonly since?: string;
}

/** `retry` and `replay`. */
export const addRepeat: AddCommand = (program, run) => {
  const retry = program
    .command('retry')
    .argument('[message]', 'one message')
    .option('--state <state>', 'all that are dead, uncertain, expired, cancelled or retrying')
    .option('--source <source>', 'with --state: of this source')
    .option('--since <time>', 'with --state: made since 2h, or 2026-01-31T12:00:00Z')
    .summary('try messages again')
    .description(
      'Tries a message again as it is, or all messages of a state. The schedule of attempts starts again.',
    )
    .action(run(retryMessages));
  addExamples(
    retry,
    ['hookbell retry msg_000000009hk7nd0g', 'one message'],
    ['hookbell retry --state dead --since 2h', 'all dead ones of the last two hours'],
  );

  addReplay(program, run);
};

async function retryMessages(cli: Cli, id: string | undefined, options: RetryOptions): Promise<Outcome> {
  const { state, source, since } = options;
  if (id !== undefined) {
    return state === undefined && source === undefined && since === undefined
      ? operate(cli, id, 'retry')
      : misused('give either the id of a message, or --state with options that select messages');
  }
  if (state === undefined) return misused('which messages? Give the id of one, or --state dead');
  const client = cli.relay();
  return client.ok ? retryAll(cli, client.value, { state, source, since }) : client;
}

async function retryAll(
  { out }: Cli,
  client: Client,
  filter: Readonly<Record<'state' | 'source' | 'since', string | undefined>>,
): Promise<Outcome> {
  let retried = 0;
  for (let more = true; more;) {
    out.progress(`${count(retried, 'message')} so far …`);
    const answer = await client.post('/messages/retry', bulk, filter);
    if (!answer.ok) {
      if (retried > 0) out.note(`${count(retried, 'message')} will be tried again; then:`);
      return answer;
    }
    retried += answer.value.data.retried;
    // After a step that retries nothing, there is nothing more to retry.
    more = answer.value.data.more && answer.value.data.retried > 0;
  }
  out.show({ retried, more: false }, () => out.line(`${count(retried, 'message')} will be tried again`));
  return ok(undefined);
}

/** Tries one message again, or cancels it. */
export async function operate(
  { out, relay }: Cli,
  given: string,
  action: 'retry' | 'cancel',
): Promise<Outcome> {
  const id = readId('message', given);
  if (!id.ok) return id;
  const client = relay();
  if (!client.ok) return client;
  const answer = await client.value.post(`/messages/${id.value}/${action}`, message);
  if (!answer.ok) return answer;
  const { state, phone } = answer.value.data;
  out.show(answer.value.json, () =>
    out.line(
      `${id.value} to ${receiver(phone)} ${action === 'retry' ? 'will be tried again' : `is ${state}`}`,
    ),
  );
  return ok(undefined);
}

import { ok } from '../../src/lib/result.ts';
import type { Client } from '../client.ts';
import { addExamples, allowed, type AddCommand, type Cli } from '../command.ts';
import { failed, misused, type CommandResult } from '../failure.ts';
import { withDigits } from '../receiver.ts';
import { readId } from '../relay/list.ts';
import { bulk, message, type Bulk } from '../relay/shapes.ts';
import { receiver } from '../show.ts';
import { count } from '../text.ts';
import { addReplay } from './replay.ts';

interface RetryOptions {
  readonly state?: string;
  readonly source?: string;
  readonly event?: string;
  readonly phone?: string;
  readonly since?: string;
  readonly yes?: true;
}

/** `retry` and `replay`. */
export const addRepeat: AddCommand = (program, run) => {
  const retry = program
    .command('retry')
    .argument('[message]', 'one message')
    .option(
      '--state <state>',
      'all messages in this state: dead, uncertain, expired, cancelled, suppressed or retrying',
    )
    .option('--source <source>', 'with --state: only from this source')
    .option('--event <id>', 'with --state: only for this event')
    .option('--phone <number>', 'with --state: only to this number, with country code')
    .option('--since <time>', 'with --state: only created after this time: 2h (ago) or 2026-01-31T12:00:00Z')
    .option('-y, --yes', 'do not ask')
    .summary('retry messages')
    .description(
      'Retries one message, or all messages of a state after counting them and asking. The schedule of attempts starts again.',
    )
    .action(run(retryMessages));
  addExamples(
    retry,
    ['hookbell retry msg_000000009hk7nd0g', 'one message'],
    ['hookbell retry --state dead --since 2h', 'all dead letters of the last two hours'],
  );

  addReplay(program, run);
};

async function retryMessages(
  cli: Cli,
  id: string | undefined,
  options: RetryOptions,
): Promise<CommandResult> {
  const { yes, ...given } = options;
  const read = withDigits(given);
  if (!read.ok) return read;
  const filter = read.value;
  if (id !== undefined) {
    return Object.keys(filter).length === 0
      ? operate(cli, id, 'retry')
      : misused('give either the id of a message, or --state with options that select messages');
  }
  if (filter.state === undefined) return misused('which messages? Give the id of one, or --state dead');
  const client = cli.relay();
  if (!client.ok) return client;
  return yes === true ? retryAll(cli, client.value, filter) : askAndRetry(cli, client.value, filter);
}

async function askAndRetry(cli: Cli, client: Client, filter: object): Promise<CommandResult> {
  const counted = await inSteps(cli, client, filter, true);
  if (!counted.ok) return counted;
  if (counted.value === 0) {
    cli.out.show(shown(0), () => cli.out.line('nothing to retry: no message matches'));
    return ok(undefined);
  }
  const may = await allowed(cli, `Retry ${count(counted.value, 'message')} at ${client.profile.url}?`, false);
  if (!may.ok) return may;
  return may.value ? retryAll(cli, client, filter) : failed('nothing was retried');
}

async function retryAll(cli: Cli, client: Client, filter: object): Promise<CommandResult> {
  const done = await inSteps(cli, client, filter, false);
  if (!done.ok) return done;
  cli.out.show(shown(done.value), () => cli.out.line(`${count(done.value, 'message')} will be retried`));
  return ok(undefined);
}

const shown = (retried: number) => ({ retried, more: false, next_cursor: null });

/** Calls again until the relay has looked at all of them. Returns how many are retried, or would be. */
async function inSteps(
  { out }: Cli,
  client: Client,
  filter: object,
  isDryRun: boolean,
): Promise<CommandResult<number>> {
  const path = `/messages/retry${isDryRun ? '?dry_run=true' : ''}`;
  let retried = 0;
  let cursor: string | null = null;
  do {
    out.progress(`${count(retried, 'message')} so far …`);
    const body: object = cursor === null ? filter : { ...filter, cursor };
    const answer: CommandResult<{ data: Bulk }> = await client.post(path, bulk, body);
    if (!answer.ok) {
      if (!isDryRun && retried > 0) out.note(`${count(retried, 'message')} will be retried; then:`);
      return answer;
    }
    retried += answer.value.data.retried;
    cursor = answer.value.data.next_cursor;
  } while (cursor !== null);
  return ok(retried);
}

/** Tries one message again, or cancels it. */
export async function operate(
  { out, relay }: Cli,
  given: string,
  action: 'retry' | 'cancel',
): Promise<CommandResult> {
  const id = readId('message', given);
  if (!id.ok) return id;
  const client = relay();
  if (!client.ok) return client;
  const answer = await client.value.post(`/messages/${id.value}/${action}`, message);
  if (!answer.ok) return answer;
  const { state, phone } = answer.value.data;
  out.show(answer.value.json, () =>
    out.line(`${id.value} to ${receiver(phone)} ${action === 'retry' ? 'will be retried' : `is ${state}`}`),
  );
  return ok(undefined);
}

import { showAnswer, type AddCommand, type Cli, type Options } from '../command.ts';
import { misused } from '../failure.ts';
import { withDigits } from '../receiver.ts';
import { readId, type MessageOptions } from '../relay/list.ts';
import { bulk, message } from '../relay/shapes.ts';
import { receiver } from '../show.ts';
import { count } from '../text.ts';
import { changeMany } from './bulk.ts';

export const add: AddCommand = (program) => {
  program
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
    .examples(
      ['hookbell retry msg_000000009hk7nd0g', 'one message'],
      ['hookbell retry --state dead --since 2h', 'all dead letters of the last two hours'],
    )
    .run(retryMessages);
};

async function retryMessages(
  cli: Cli,
  id: string | undefined,
  { yes, ...given }: MessageOptions & Options<never, 'yes'>,
) {
  const read = withDigits(given);
  if (!read.ok) return read;
  const filter = read.value;
  if (id !== undefined) {
    return Object.keys(filter).length === 0
      ? operate(cli, id, 'retry')
      : misused('give either the id of a message, or --state with options that select messages');
  }
  if (filter.state === undefined) return misused('which messages? Give the id of one, or --state dead');
  return changeMany(
    cli,
    {
      path: '/messages/retry',
      shape: bulk,
      zero: { retried: 0, more: false, next_cursor: null },
      changed: ({ retried }) => retried,
      verb: 'retry',
      past: 'retried',
      noun: 'message',
      candidate: 'message',
      show: (sum) =>
        cli.out.show(sum, () => cli.out.line(`${count(sum.retried, 'message')} will be retried`)),
    },
    filter,
    { isYes: yes === true },
  );
}

export async function operate(cli: Cli, given: string, action: 'retry' | 'cancel') {
  const id = readId('message', given);
  if (!id.ok) return id;
  const asked = cli.client.post(`/messages/${id.value}/${action}`, message);
  return showAnswer(cli, asked, ({ state, phone }, out) => {
    const is = action === 'retry' ? 'will be retried' : `is ${state}`;
    out.line(`${id.value} to ${receiver(phone)} ${is}`);
  });
}

import { ok } from '../../src/lib/result.ts';
import { WAITING_STATES } from '../../src/schema/states.ts';
import type { AddCommand, Cli, Options } from '../command.ts';
import { misused, type CommandResult } from '../failure.ts';
import { withDigits } from '../receiver.ts';
import { readConfig } from '../relay/config.ts';
import type { MessageOptions } from '../relay/list.ts';
import { cancelled, type Cancelled } from '../relay/shapes.ts';
import { count } from '../text.ts';
import { changeMany, inSteps, type BulkChange } from './bulk.ts';
import { operate } from './retry.ts';

type CancelOptions = MessageOptions & Options<never, 'all' | 'yes'>;

export const add: AddCommand = (program) => {
  program
    .command('cancel')
    .argument('[message]', 'one message')
    .option('--state <state>', 'only in this state: queued, retrying or uncertain')
    .option('--source <source>', 'only from this source')
    .option('--event <id>', 'only for this event')
    .option('--phone <number>', 'only to this number, with country code')
    .option('--since <time>', 'only created after this time: 2h (ago) or 2026-01-31T12:00:00Z')
    .option('--all', 'all waiting messages of every account')
    .option('-y, --yes', 'do not ask')
    .summary('cancel waiting messages')
    .description(
      'Cancels one message that waits or is dead, or all waiting messages that match the options. Shows their number, states and sources, and asks. Skips messages in flight.',
    )
    .examples(
      ['hookbell cancel msg_000000009hk7nd0g', 'one message'],
      ['hookbell cancel --source contact-form --state queued', 'the queue of a flooded form'],
      ['hookbell cancel --phone +4915112345678 --since 2h --yes', 'to one number, without asking'],
    )
    .run(cancelMessages);
};

async function cancelMessages(cli: Cli, id: string | undefined, options: CancelOptions) {
  const { all, yes, ...given } = options;
  const read = withDigits(given);
  if (!read.ok) return read;
  const filter = read.value;
  const isFiltered = Object.keys(filter).length > 0;
  if (id !== undefined) {
    return isFiltered || all === true
      ? misused('give either the id of a message, or options that select messages')
      : operate(cli, id, 'cancel');
  }
  if (isFiltered === (all === true))
    return misused(
      isFiltered
        ? 'give either --all, or options that select messages'
        : 'which messages? Give the id of one, --source, --state, --event, --phone, --since, or --all',
    );
  const wanted = all === true ? { all } : filter;
  return changeMany(cli, bulkCancel(cli, wanted), wanted, { isYes: yes === true });
}

const bulkCancel = (cli: Cli, filter: object): BulkChange<Cancelled> => ({
  path: '/messages/cancel',
  shape: cancelled,
  zero: { cancelled: 0, in_flight: 0, looked_at: 0, next_cursor: null },
  changed: (sum) => sum.cancelled,
  verb: 'cancel',
  past: 'cancelled',
  noun: 'message',
  candidate: 'waiting message',
  about: async ({ cancelled: total }) => {
    if (total === 0) return ok([]);
    const parts = await breakdown(cli, filter, total);
    return parts.ok ? ok([`${count(total, 'message')} to cancel: ${parts.value.join('; ')}`]) : parts;
  },
  show: (sum) =>
    cli.out.show(sum, () => {
      cli.out.line(`${count(sum.cancelled, 'message')} cancelled`);
      if (sum.in_flight > 0)
        cli.out.line(`${count(sum.in_flight, 'message')} already being sent, not cancelled`);
    }),
});

/** With more sources than this, they are not counted one by one. */
const MAX_SOURCES = 20;

/** The numbers by state and by source: `28 queued, 3 retrying; 25 of contact-form, 6 by hand`. */
async function breakdown(cli: Cli, filter: object, total: number): Promise<CommandResult<readonly string[]>> {
  const states = 'state' in filter ? [String(filter.state)] : WAITING_STATES;
  const config = 'source' in filter ? null : await readConfig(cli.client);
  if (config?.ok === false) return config;
  const sources = 'source' in filter ? [String(filter.source)] : Object.keys(config?.value.set.sources ?? {});
  const byState = await countEach(cli, filter, 'state', states);
  if (!byState.ok) return byState;
  const bySource = await countEach(cli, filter, 'source', sources.slice(0, MAX_SOURCES));
  if (!bySource.ok) return bySource;
  const ofSources = bySource.value.map(([name, n]) => `${n} from ${name}`);
  const rest = total - bySource.value.reduce((sum, [, n]) => sum + n, 0);
  if (rest > 0) ofSources.push(`${rest} sent by hand or from other sources`);
  return ok([byState.value.map(([state, n]) => `${n} ${state}`).join(', '), ofSources.join(', ')]);
}

/** Counts the matches for each value of a key of the filter, if there are any. */
async function countEach(
  cli: Cli,
  filter: object,
  key: 'state' | 'source',
  values: readonly string[],
): Promise<CommandResult<readonly (readonly [value: string, count: number])[]>> {
  const found: [string, number][] = [];
  const { all: _, ...rest } = { all: undefined, ...filter };
  for (const value of values) {
    const wanted = { ...rest, [key]: value };
    const counted = await inSteps(cli, bulkCancel(cli, wanted), wanted, true);
    if (!counted.ok) return counted;
    if (counted.value.cancelled > 0) found.push([value, counted.value.cancelled]);
  }
  return ok(found);
}

import type * as z from 'zod/mini';
import { ok } from '../../src/lib/result.ts';
import { addExamples, type AddCommand, type Cli } from '../command.ts';
import type { CommandResult } from '../failure.ts';
import { part, withPaging, type ListOptions } from '../relay/list.ts';
import { suppression, suppressionList } from '../relay/shapes.ts';
import { fullTime, shortTime, showMore } from '../show.ts';

/** `suppressions list`, `suppressions add` and `suppressions remove`. */
export const addSuppressions: AddCommand = (program, run) => {
  const group = program
    .command('suppressions')
    .summary('list receivers who have opted out, add and remove them')
    .description(
      'Lists, adds and removes receivers who have opted out. They get no messages, except from routes with `transactional: true`. Push and rollback do not change them.',
    );

  const listed = withPaging(group.command('list', { isDefault: true }))
    .summary('list receivers who have opted out')
    .description('Lists receivers who have opted out, newest first.')
    .action(run(list));
  addExamples(listed, ['hookbell suppressions list', 'the last 20']);

  const added = group
    .command('add')
    .argument('<number>', 'a phone number with its country code')
    .option('--reason <text>', 'the reason, for people who read the list')
    .summary('opt a receiver out')
    .description(
      'Opts a receiver out, at once. Messages that wait for the number end as suppressed when their turn comes.',
    )
    .action(run(add));
  addExamples(added, [
    'hookbell suppressions add "+49 151 12345678" --reason "asked by phone"',
    'no more messages',
  ]);

  const removed = group
    .command('remove')
    .argument('<number>', 'a phone number with its country code')
    .summary('opt a receiver in again')
    .description('Opts a receiver in again. Messages that were suppressed are sent only if you retry them.')
    .action(run(remove));
  addExamples(removed, ['hookbell suppressions remove 4915112345678', 'messages again']);
};

async function list({ out, relay }: Cli, { limit, cursor }: ListOptions): Promise<CommandResult> {
  const client = relay();
  if (!client.ok) return client;
  const answer = await client.value.get('/suppressions', suppressionList, { limit, cursor });
  if (!answer.ok) return answer;
  const { items, next_cursor } = answer.value.data;
  out.show(answer.value.json, () => {
    if (items.length === 0) return out.line('nobody has opted out');
    out.table(
      [
        { title: 'PHONE' },
        { title: 'SINCE' },
        { title: 'BY', gives: true },
        { title: 'MESSAGE', optional: 1 },
        { title: 'REASON', wraps: true },
      ],
      items.map(({ phone, at, by, message, reason }) => [phone, shortTime(at), by, message ?? '', reason]),
    );
    showMore(out, next_cursor);
  });
  return ok(undefined);
}

const add = (cli: Cli, number: string, { reason }: { readonly reason?: string }): Promise<CommandResult> =>
  change(
    cli,
    'PUT',
    number,
    ({ phone, at }) => `${phone} opted out at ${fullTime(at)} and gets no more messages`,
    reason === undefined ? {} : { reason },
  );

const remove = (cli: Cli, number: string): Promise<CommandResult> =>
  change(cli, 'DELETE', number, ({ phone }) => `${phone} gets messages again`);

async function change(
  { out, relay }: Cli,
  method: 'PUT' | 'DELETE',
  number: string,
  said: (done: z.output<typeof suppression>) => string,
  body?: object,
): Promise<CommandResult> {
  const client = relay();
  if (!client.ok) return client;
  const answer = await client.value.request(
    method,
    `/suppressions/${part(number)}`,
    suppression,
    body === undefined ? {} : { body },
  );
  if (!answer.ok) return answer;
  const { data, json } = answer.value;
  out.show(json, () => out.line(`${out.style('green', '✓')} ${said(data)}`));
  return ok(undefined);
}

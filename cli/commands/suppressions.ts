import { showAnswer, type AddCommand, type Cli, type Options } from '../command.ts';
import { part, withPaging, type ListOptions } from '../relay/list.ts';
import { suppression, suppressionList } from '../relay/shapes.ts';
import { fullTime, shortTime } from '../show.ts';

export const add: AddCommand = (program) => {
  const group = program
    .command('suppressions')
    .summary('list receivers who have opted out, add and remove them')
    .description(
      'Lists, adds and removes receivers who have opted out. They get no messages, except from routes with `transactional: true`. Push and rollback do not change them.',
    );

  withPaging(group.command('list', { isDefault: true }))
    .summary('list receivers who have opted out')
    .description('Lists receivers who have opted out, newest first.')
    .examples(['hookbell suppressions list', 'the last 20'])
    .run(list);

  group
    .command('add')
    .argument('<number>', 'a phone number with its country code')
    .option('--reason <text>', 'the reason, for people who read the list')
    .summary('opt a receiver out')
    .description(
      'Opts a receiver out, at once. Messages that wait for the number end as suppressed when their turn comes.',
    )
    .examples(['hookbell suppressions add "+49 151 12345678" --reason "asked by phone"', 'no more messages'])
    .run((cli: Cli, number: string, { reason }: Options<'reason'>) =>
      showAnswer(
        cli,
        cli.client.request('PUT', `/suppressions/${part(number)}`, suppression, { body: { reason } }),
        ({ phone, at }, out) => out.done(`${phone} opted out at ${fullTime(at)} and gets no more messages`),
      ),
    );

  group
    .command('remove')
    .argument('<number>', 'a phone number with its country code')
    .summary('opt a receiver in again')
    .description('Opts a receiver in again. Messages that were suppressed are sent only if you retry them.')
    .examples(['hookbell suppressions remove 4915112345678', 'messages again'])
    .run((cli: Cli, number: string) =>
      showAnswer(
        cli,
        cli.client.request('DELETE', `/suppressions/${part(number)}`, suppression),
        ({ phone }, out) => out.done(`${phone} gets messages again`),
      ),
    );
};

const list = (cli: Cli, options: ListOptions) =>
  showAnswer(cli, cli.client.get('/suppressions', suppressionList, { ...options }), (page, out) =>
    out.page(page, 'nobody has opted out', [
      ['PHONE', ({ phone }) => phone],
      ['SINCE', ({ at }) => shortTime(at)],
      ['BY', ({ by }) => by, { gives: true }],
      ['MESSAGE', ({ message }) => message ?? '', { optional: 1 }],
      ['REASON', ({ reason }) => reason, { wraps: true }],
    ]),
  );

import { releaseRemedy } from '../../shared/doctor/remedy.ts';
import { showAnswer, wholeNumber, type AddCommand, type Cli, type Options } from '../command.ts';
import { type ListOptions, withPaging } from '../relay/list.ts';
import { rejectionList, rejectionShape, releasedShape, type RejectionAnswer } from '../relay/shapes.ts';
import { fullTime, shortTime } from '../show.ts';
import { count, safe } from '../text.ts';

type ListedOptions = ListOptions & Options<'source', 'spam'>;

/** The number of rejections that the relay keeps. */
const KEPT = 200;

export const add: AddCommand = (program) => {
  const rejections = program
    .command('rejections')
    .summary('list rejected webhooks and spam, and release a form that is not spam')
    .description(
      'Lists rejected webhooks, and forms that were taken for spam. Without a command, lists them; with a number, shows that one.',
    );

  withPaging(
    rejections
      .command('list', { isDefault: true })
      .option('--source <source>', 'only from this source')
      .option('--spam', 'only spam')
      .argument(
        '[number]',
        'one rejection, with its sender and what to do',
        wholeNumber(1, Number.MAX_SAFE_INTEGER),
      ),
  )
    .summary('list rejected webhooks and their reasons')
    .description(
      `Lists the last ${KEPT} rejected requests and the spam of the last 14 days, newest first, with the reason, such as a wrong signature. Senders do not get the reason.`,
    )
    .examples(
      ['hookbell rejections list', 'the last 20'],
      ['hookbell rejections list 17', 'one'],
      ['hookbell rejections list --spam --source contact', 'forms that were taken for spam'],
    )
    .run((cli, n: number | undefined, options: ListedOptions) =>
      n === undefined
        ? list(cli, options)
        : showAnswer(cli, cli.client.get(`/rejections/${n}`, rejectionShape), (one) =>
            showRejection(cli, one),
          ),
    );

  rejections
    .command('release')
    .argument('<number>', 'the number of a rejection that is spam', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .summary('release a form that is not spam')
    .description(
      'Accepts a form that was taken for spam as if it had passed: makes its event, and sends its messages.',
    )
    .examples(['hookbell rejections release 18', 'it was a person'])
    .run((cli, n: number) =>
      showAnswer(
        cli,
        cli.client.post(`/rejections/${n}/release`, releasedShape),
        ({ event, messages }, out) => out.line(`released as ${event}: ${count(messages.length, 'message')}`),
      ),
    );
};

function list(cli: Cli, { spam, ...options }: ListedOptions) {
  const query = { ...options, ...(spam === true && { spam: 'true' }) };
  return showAnswer(cli, cli.client.get('/rejections', rejectionList, query), (page, out) =>
    out.page(page, 'no rejections', [
      ['N', ({ n }) => (n === undefined ? '' : String(n)), { align: 'right' }],
      ['AT', ({ at }) => shortTime(at)],
      ['SOURCE', ({ source }) => source, { gives: true }],
      ['STATUS', ({ status }) => String(status), { align: 'right', optional: 1 }],
      ['CODE', ({ code, times = 1 }) => (times === 1 ? code : `${code} × ${times}`)],
      ['DETAIL', ({ detail }) => detail, { wraps: true }],
    ]),
  );
}

function showRejection({ out, pasteIn }: Cli, one: RejectionAnswer): void {
  const { n, code, body, released } = one;
  const remedy = one.remedy && pasteIn(one.remedy);
  const canRelease = one.spam !== undefined && released === undefined && body !== null;
  out.fields([
    ['rejection', String(one.n)],
    ['source', one.source],
    ['at', fullTime(one.at)],
    [
      'how often',
      one.times === undefined ? undefined : `${one.times} times since ${fullTime(one.first_at ?? one.at)}`,
    ],
    ['answered', String(one.status)],
    ['code', code, (text) => out.style('red', text)],
    ['detail', one.detail],
    ['sent by', one.from],
    ['released as', released],
    ['what to do', canRelease ? releaseRemedy(remedy, n) : remedy],
  ]);
  if (one.spam !== undefined)
    out.line(safe(body === null ? 'the content is hidden or not stored' : JSON.stringify(body, null, 2)));
}

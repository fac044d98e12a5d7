import { REMEDIES } from '../../src/admin/doctor/remedies.ts';
import { ok } from '../../src/lib/result.ts';
import { addExamples, wholeNumber, type AddCommand, type Cli } from '../command.ts';
import { failed, type Outcome } from '../failure.ts';
import type { Output } from '../output.ts';
import { type ListOptions, withPaging } from '../relay/list.ts';
import { rejectionList, type Rejection } from '../relay/shapes.ts';
import { fullTime, shortTime, showMore } from '../show.ts';

/** How many the relay keeps. */
const KEPT = 200;

/** `rejections`: what was refused. */
export const addRejections: AddCommand = (program, run) => {
  const command = withPaging(
    program
      .command('rejections')
      .argument(
        '[number]',
        'one rejection, with its sender and what to do',
        wholeNumber(1, Number.MAX_SAFE_INTEGER),
      ),
  )
    .summary('list rejected webhooks and their reasons')
    .description(
      `Lists the last ${KEPT} rejected requests, newest first, with the reason, such as a wrong signature. Senders do not get the reason.`,
    )
    .action(
      run((cli, n: number | undefined, options: ListOptions) =>
        n === undefined ? list(cli, options) : show(cli, n),
      ),
    );
  addExamples(command, ['hookbell rejections', 'the last 20'], ['hookbell rejections 17', 'one']);
};

async function list({ out, relay }: Cli, { limit, cursor }: ListOptions): Promise<Outcome> {
  const client = relay();
  if (!client.ok) return client;
  const answer = await client.value.get('/rejections', rejectionList, { limit, cursor });
  if (!answer.ok) return answer;
  const { items, next_cursor } = answer.value.data;
  out.show(answer.value.json, () => {
    if (items.length === 0) return out.line('nothing was refused');
    out.table(
      [
        { title: 'N', align: 'right' },
        { title: 'AT' },
        { title: 'SOURCE', gives: true },
        { title: 'STATUS', align: 'right', optional: 1 },
        { title: 'REASON' },
        { title: 'DETAIL', wraps: true },
      ],
      items.map(({ n, at, source, status, reason, detail }) => [
        n === undefined ? '' : String(n),
        shortTime(at),
        source,
        String(status),
        reason,
        detail,
      ]),
    );
    showMore(out, next_cursor);
  });
  return ok(undefined);
}

/** The list's page of one that ends before the number after it. */
async function show({ out, relay }: Cli, n: number): Promise<Outcome> {
  const client = relay();
  if (!client.ok) return client;
  const answer = await client.value.get('/rejections', rejectionList, { limit: 1, cursor: String(n + 1) });
  if (!answer.ok) return answer;
  const [one] = answer.value.data.items;
  if (one?.n !== n)
    return failed(`there is no rejection ${n}: \`hookbell rejections\` lists the last ${KEPT}`);
  out.show(one, () => showRejection(out, one));
  return ok(undefined);
}

function showRejection(out: Output, one: Rejection): void {
  const { reason } = one;
  out.fields([
    ['rejection', String(one.n)],
    ['source', one.source],
    ['at', fullTime(one.at)],
    ['answered', String(one.status)],
    ['reason', reason, (text) => out.style('red', text)],
    ['detail', one.detail],
    ['sent by', one.from],
    ['what to do', Object.hasOwn(REMEDIES, reason) ? REMEDIES[reason] : undefined],
  ]);
}

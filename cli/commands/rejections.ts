import { ok } from '../../src/lib/result.ts';
import { addExamples, type AddCommand } from '../command.ts';
import { type ListOptions, withPaging } from '../relay/list.ts';
import { rejectionList } from '../relay/shapes.ts';
import { shortTime, showMore } from '../show.ts';

/** `rejections`: what was refused. */
export const addRejections: AddCommand = (program, run) => {
  const command = withPaging(program.command('rejections'))
    .summary('list webhooks that were refused, and why')
    .description(
      'Lists the last 200 requests that were refused, newest first, with the reason, such as why a signature did not match. The senders do not get the reason.',
    )
    .action(
      run(async ({ out, relay }, { limit, cursor }: ListOptions) => {
        const client = relay();
        if (!client.ok) return client;
        const answer = await client.value.get('/rejections', rejectionList, { limit, cursor });
        if (!answer.ok) return answer;
        const { items, next_cursor } = answer.value.data;
        out.show(answer.value.json, () => {
          if (items.length === 0) return out.line('nothing was refused');
          out.table(
            [
              { title: 'AT' },
              { title: 'SOURCE', gives: true },
              { title: 'STATUS', align: 'right' },
              { title: 'REASON' },
              { title: 'DETAIL', gives: true },
            ],
            items.map(({ at, source, status, reason, detail }) => [
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
      }),
    );
  addExamples(command, ['hookbell rejections', 'the last 20']);
};

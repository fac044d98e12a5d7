import { showAnswer, type AddCommand } from '../command.ts';
import { foundNumber, type FoundNumber } from '../relay/shapes.ts';
import type { Output } from '../output.ts';
import { receiver, shortTime, stateColumn } from '../show.ts';

export const add: AddCommand = (program) => {
  program
    .command('search')
    .argument('<number>', 'a phone number, in any format')
    .summary('find everything about a number')
    .description(
      'Finds the messages to a number, and the events and rejections that contain it, in any format. If nothing was sent, says why. Needs the operator role.',
    )
    .examples(['hookbell search "0151 234 567 89"', 'why did this person get nothing?'])
    .run((cli, number: string) => showAnswer(cli, cli.client.post('/search', foundNumber, { number }), show));
};

function show({ messages, events, rejections, complete }: FoundNumber, out: Output): void {
  if (messages.length + events.length + rejections.length === 0)
    return out.line('no message, event or rejection contains this number');
  if (messages.length > 0)
    out.table(
      [
        { title: 'MESSAGE' },
        { title: 'AT' },
        stateColumn(out),
        { title: 'TO' },
        { title: 'WHY', wraps: true },
      ],
      messages.map((one) => [
        one.id,
        shortTime(one.sent_at ?? one.created_at),
        one.state,
        receiver(one.phone),
        one.reason ?? '',
      ]),
    );
  if (events.length > 0)
    out.table(
      [
        { title: 'EVENT' },
        { title: 'AT' },
        stateColumn(out),
        { title: 'SOURCE', gives: true },
        { title: 'NOTHING SENT BECAUSE', wraps: true },
      ],
      events.map((one) => [one.id, shortTime(one.received_at), one.state, one.source, one.why ?? '']),
    );
  if (rejections.length > 0)
    out.table(
      [
        { title: 'REJECTION', align: 'right' },
        { title: 'AT' },
        { title: 'SOURCE', gives: true },
        { title: 'CODE' },
        { title: 'DETAIL', wraps: true },
      ],
      rejections.map((one) => [String(one.n), shortTime(one.at), one.source, one.code, one.detail]),
    );
  if (!complete)
    out.note('not everything is shown: there are more results, or older events that were not searched');
}

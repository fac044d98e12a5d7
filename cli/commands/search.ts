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
    out.list(messages, [
      ['MESSAGE', ({ id }) => id],
      ['AT', ({ sent_at, created_at }) => shortTime(sent_at ?? created_at)],
      stateColumn(out),
      ['TO', ({ phone }) => receiver(phone)],
      ['WHY', ({ reason }) => reason ?? '', { wraps: true }],
    ]);
  if (events.length > 0)
    out.list(events, [
      ['EVENT', ({ id }) => id],
      ['AT', ({ received_at }) => shortTime(received_at)],
      stateColumn(out),
      ['SOURCE', ({ source }) => source, { gives: true }],
      ['NOTHING SENT BECAUSE', ({ why }) => why ?? '', { wraps: true }],
    ]);
  if (rejections.length > 0)
    out.list(rejections, [
      ['REJECTION', ({ n }) => String(n), { align: 'right' }],
      ['AT', ({ at }) => shortTime(at)],
      ['SOURCE', ({ source }) => source, { gives: true }],
      ['CODE', ({ code }) => code],
      ['DETAIL', ({ detail }) => detail, { wraps: true }],
    ]);
  if (!complete)
    out.note('not everything is shown: there are more results, or older events that were not searched');
}

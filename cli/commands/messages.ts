import type * as z from 'zod/mini';
import { attemptText, reasonText } from '../../shared/gateway-words.ts';
import { showAnswer, type AddCommand, type Cli } from '../command.ts';
import type { Output } from '../output.ts';
import { withDigits } from '../receiver.ts';
import { type ListOptions, type MessageOptions, readId, withPaging } from '../relay/list.ts';
import { message, messageList, type Message } from '../relay/shapes.ts';
import { WHY_NOW } from '../../shared/why-now.ts';
import { fullTime, receiver, shortTime, stateColour, stateColumn, textOf } from '../show.ts';
import { safe } from '../text.ts';
import { aboutText, ENGLISH, waitText, whyText } from '../waits.ts';

type Options = ListOptions & Omit<MessageOptions, 'since'>;

export const add: AddCommand = (program) => {
  withPaging(
    program
      .command('messages')
      .argument('[id]', 'one message, with its attempts')
      .option('--source <source>', 'only from this source')
      .option(
        '--state <state>',
        'only in this state: queued, sending, sent, retrying, uncertain, dead, expired, cancelled, superseded or suppressed',
      )
      .option('--event <id>', 'only for this event')
      .option('--phone <number>', 'only to this number, with country code'),
  )
    .summary('list messages, or show one with its attempts')
    .description('Lists messages, newest first, or shows one with its attempts.')
    .examples(
      ['hookbell messages --state dead', 'dead letters'],
      ['hookbell messages --phone +4915112345678', 'to one number'],
      ['hookbell messages msg_000000009hk7nd0g', 'one'],
    )
    .run((cli, id: string | undefined, options: Options) =>
      id === undefined ? list(cli, options) : show(cli, id),
    );
};

async function list(cli: Cli, options: Options) {
  const read = withDigits(options);
  if (!read.ok) return read;
  return showAnswer(cli, cli.client.get('/messages', messageList, { ...read.value }), messageTable);
}

/** A page of messages. */
export const messageTable = (page: z.output<typeof messageList>, out: Output): void =>
  out.page(page, 'no messages', [
    ['CREATED', (one) => shortTime(one.created_at)],
    ['MESSAGE', (one) => one.id],
    stateColumn(out),
    ['TO', (one) => receiver(one.phone), { optional: 2 }],
    ['KIND', (one) => one.kind, { optional: 1 }],
    ['TEXT', (one) => textOf(one.params), { gives: 16, optional: 3 }],
    ['REASON', (one) => whyText(one), { wraps: true }],
  ]);

async function show(cli: Cli, given: string) {
  const id = readId('message', given);
  return id.ok ? showAnswer(cli, cli.client.get(`/messages/${id.value}`, message), showMessage) : id;
}

const ofAccount = (account: string | undefined): string =>
  account === undefined ? '' : ` of the account ${account}`;

function fallbackText({ fallback, fallback_account: account }: Message): string | undefined {
  if (fallback !== undefined) return fallback + ofAccount(account);
  return account === undefined
    ? undefined
    : `handed over to the account ${account}, which has not answered yet`;
}

/** A relay of a later version may know more reasons. */
const why = (reason: string): string => new Map(Object.entries(WHY_NOW)).get(reason) ?? reason;

function showMessage(one: Message, out: Output): void {
  const { phone: _, ...params } = one.params;
  const by = one.actions?.map(({ action, by, at }) => `${action} by ${by}, ${fullTime(at)}`).join('\n');
  const waits = waitText(one);
  const reason = reasonText(one, ENGLISH);
  out.fields([
    ['message', one.id],
    ['state', one.state, (text) => stateColour(out, one.state, text)],
    ['waits', waits],
    // The reason for waiting may say it already.
    ['reason', reason === '' || waits?.includes(reason) ? undefined : reason],
    ['event', one.event ?? undefined],
    ['from', one.source === null ? 'sent by hand' : `${one.source}, route ${one.route ?? '–'}`],
    ['notifies of', one.about && aboutText(one.about)],
    ['why now', one.about && why(one.about.why)],
    ['incidents', one.about?.incidents.join('\n') || undefined],
    ['to', receiver(one.phone)],
    ['account', one.account],
    ['fallback', fallbackText(one)],
    ['fallback of', one.fallback_of && one.fallback_of + ofAccount(one.fallback_of_account)],
    ['escape channel', one.escaped_at && fullTime(one.escaped_at)],
    ['created', fullTime(one.created_at)],
    ['sent', one.sent_at && fullTime(one.sent_at)],
    ['actions', by],
  ]);
  out.line(`\n${out.style('dim', one.kind.toUpperCase())}`);
  out.fields(Object.entries(params));
  if (one.attempts.length === 0) return;
  out.line();
  out.list(one.attempts, [
    ['TRY', ({ n }) => String(n), { align: 'right' }],
    ['AT', ({ at }) => shortTime(at)],
    ['TOOK', (attempt) => `${attempt.duration_ms} ms`, { align: 'right' }],
    ['OUTCOME', ({ outcome }) => outcome],
    ['STATUS', ({ http_status: status }) => (status === undefined ? '' : String(status)), { align: 'right' }],
    ['DETAIL', (attempt) => attemptText(attempt, ENGLISH), { wraps: true }],
  ]);
  // The last answer of the gateway in full, as far as it is kept, unless it sent the message.
  const last = one.attempts.findLast(({ response }) => response !== undefined && response !== '');
  if (last?.response === undefined || last.outcome === 'sent') return;
  out.line(`\n${out.style('dim', `ANSWER TO ATTEMPT ${last.n}`)}`);
  out.wrapped(safe(last.response));
}

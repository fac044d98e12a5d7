import { setTimeout as sleep } from 'node:timers/promises';
import * as kinds from '../../src/gateway/kinds.ts';
import { unknownName } from '../../src/config/documents/unknown-name.ts';
import { err, ok } from '../../src/lib/result.ts';
import { several, type AddCommand, type Cli, type Options } from '../command.ts';
import { failed, misused, type CommandResult } from '../failure.ts';
import { readReceiver } from '../receiver.ts';
import { message, type Message } from '../relay/shapes.ts';
import { receiver, stateColour } from '../show.ts';
import { count } from '../text.ts';
import { waitMs, waitText } from '../waits.ts';
import { isFinal } from '../../src/schema/states.ts';

type SendOptions = Options<'to' | 'country' | 'account', 'wait'> & {
  readonly kind: string;
  readonly param?: readonly string[];
  readonly option?: readonly string[];
};

export const add: AddCommand = (program) => {
  program
    .command('send')
    .argument('[text]', 'the message, question, status or address; give other parameters with --param')
    .option(
      '--to <receiver>',
      'the receiver: +49 151 …, 49151…, or an address of the gateway’s own, such as a topic',
    )
    .option('--country <code>', 'the country of a number without a country code, such as DE for 0151 …')
    .option('--kind <kind>', kinds.KIND_NAMES.join(', '), 'text')
    .option('-p, --param <name=value>', 'a parameter of the kind, such as caption=Hello; repeatable', several)
    .option('--option <text>', 'an option of a poll; repeatable', several)
    .option('--account <name>', 'the account that sends')
    .option('--wait', 'wait until the message is sent; exit with 1 if it is not sent')
    .summary('send one message by hand')
    .description('Queues one message. It is sent at the account’s pace and retried like any other message.')
    .examples(
      ['hookbell send "Is this on?" --to "+49 151 12345678" --wait', 'a text; wait until it is sent'],
      ['hookbell send https://a.example/b.png --kind image --to 4915112345678', 'an image'],
      ['hookbell send "Lunch?" --kind poll --option Yes --option No --to 4915112345678', 'a poll'],
    )
    .run(send);
};

async function send(cli: Cli, text: string | undefined, options: SendOptions) {
  const { out, client } = cli;
  const body = bodyOf(text, options);
  if (!body.ok) return body;
  const { to: given } = options;
  // An address of the account's own gateway is the relay's to check.
  const to =
    given !== undefined && NUMBER.test(given.trim())
      ? await readReceiver(client, given, options.country)
      : ok(given);
  if (!to.ok) return to;
  const answer = await client.post('/messages', message, { ...body.value, to: to.value });
  if (!answer.ok) return answer;
  const done = options.wait === true ? await waitFor(cli, answer.value.data) : answer;
  if (!done.ok) return done;
  const { id, state, phone, reason } = done.value.data;
  out.show(done.value.json, () => out.line(`${id} to ${receiver(phone)} is ${stateColour(out, state)}`));
  return options.wait === true && state !== 'sent'
    ? failed(`${id} was not sent: ${reason ?? state}`)
    : undefined;
}

/** A number, as people write one. */
const NUMBER = /^[+\d(][\d\s()./-]*$/;

function bodyOf(text: string | undefined, options: SendOptions): CommandResult<Record<string, unknown>> {
  const { to, kind, param = [], option, account } = options;
  if (!kinds.isMessageKind(kind)) return misused(unknownName('kind', kind, kinds.KIND_NAMES));
  const params: Record<string, unknown> = {};
  for (const one of param) {
    const [, name, value] = /^([a-z_]+)=(.*)$/s.exec(one) ?? [];
    if (name === undefined) return misused(`--param must be name=value, not \`${one}\``);
    params[name] = value;
  }
  if (text !== undefined) params[kinds.mainParam(kind)] = text;
  const list = kinds.listIn(kind);
  if (option !== undefined) params[list ?? 'options'] = option;
  if (to === undefined && kinds.MESSAGE_KINDS[kind].hasReceiver)
    return misused('who gets it? Give --to "+49 151 12345678"');
  const [missing] =
    kinds
      .paramsOf(kind)
      .find(([name, { isOptional }]) => isOptional !== true && params[name] === undefined) ?? [];
  if (missing !== undefined)
    return misused(
      missing === list
        ? `a ${kind} needs ${list}: --option Yes --option No`
        : `${kind} needs its ${missing}: give it as the argument, or with --param ${missing}=…`,
    );
  return ok({ kind, ...params, ...(account !== undefined && { account }) });
}

/** The time (ms) after which waiting is reported where only lines are seen: most messages are sent by then. */
const QUIET_MS = 3_000;
/** A wait longer than this (ms) is reported at once. */
const LONG_MS = 60_000;

/** Waits until the message's state is final. Ctrl-C ends the waiting, and leaves the message. */
async function waitFor({ out, interrupt, client }: Cli, first: Message) {
  const release = interrupt.handle(() =>
    interrupt.leave(`${first.id} stays in the queue, and is sent as soon as possible`),
  );
  const startedAt = Date.now();
  let reported = '';
  for (let look = 1; ; look += 1) {
    const answer = await client.get(`/messages/${first.id}`, message);
    if (!answer.ok) {
      release();
      return err({ ...answer.error, message: `${first.id} is queued; but ${answer.error.message}` });
    }
    const { data } = answer.value;
    const { state, attempts, waits } = data;
    if (isFinal(state)) {
      release();
      return answer;
    }
    const now = new Date();
    const text = waitText(data, now) ?? `${count(attempts.length, 'attempt')} so far`;
    const isLong = waitMs(data, now) > LONG_MS;
    // Its time may move by moments: it is printed again when it waits for something else.
    const what = `${waits?.for ?? ''} ${attempts.length}`;
    if (waits !== undefined && what !== reported && (isLong || now.getTime() - startedAt > QUIET_MS)) {
      reported = what;
      out.note(`${first.id} is ${state}: ${text}${isLong ? LEAVE : ''}`);
    }
    out.progress(`${state}: ${text} …`);
    await sleep(Math.min(100 * look, 2_000));
  }
}

const LEAVE = '. Ctrl-C leaves it in the queue';

import { err, ok } from '../../src/lib/result.ts';
import { listAt, textAt, unknownKeys, type StandIn } from './stand-in.ts';

const refuse = (status: number, error: string) =>
  err({ status, reason: 'signal_refuses', detail: error, value: { error } });

const PHONE = /^\+([1-9]\d{6,14})$/;

/** signal-cli-rest-api: https://bbernhard.github.io/signal-cli-rest-api/ */
export const signal: StandIn = {
  shown: (path) => path,
  read({ method, path, json }) {
    const [, poller] = /^\/v1\/polls\/(.+)$/.exec(path) ?? [];
    if (method !== 'POST' || (path !== '/v2/send' && poller === undefined)) return refuse(404, 'Not Found');
    const keys =
      poller === undefined
        ? ['number', 'recipients', 'message', 'text_mode']
        : ['recipient', 'question', 'answers', 'allow_multiple_selections'];
    if (json === null || unknownKeys(json, keys).length > 0)
      return refuse(400, "Couldn't process request - invalid request");
    const sender = poller ?? textAt(json, 'number');
    if (!PHONE.test(sender)) return refuse(400, "Couldn't process request - please provide a valid number");
    const recipients = poller === undefined ? listAt(json, 'recipients') : [textAt(json, 'recipient')];
    if (recipients?.length !== 1)
      return refuse(400, "Couldn't process request - please provide at least one recipient");
    const [, to] = PHONE.exec(recipients[0] ?? '') ?? [];
    if (to === undefined) return refuse(400, 'Failed to send message: invalid recipient');
    if (poller === undefined) {
      const message = textAt(json, 'message');
      return message === ''
        ? refuse(400, 'Failed to send message: No message or attachment given')
        : ok({ kind: 'text', to, params: { message } });
    }
    const answers = listAt(json, 'answers') ?? [];
    if (textAt(json, 'question') === '' || answers.length === 0)
      return refuse(400, "Couldn't process request - question missing");
    return ok({
      kind: 'poll',
      to,
      params: { question: textAt(json, 'question'), options: answers.join(',') },
    });
  },
  success: (_, id) => ({ status: 201, value: { timestamp: String(1_700_000_000_000 + id) } }),
  failure: (status, error) =>
    status === 429 ? { error, challenge_tokens: ['a-challenge'], account: '+4915100000000' } : { error },
};

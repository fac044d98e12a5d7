import { err, ok } from '../../src/lib/result.ts';
import { given, headerOf, isWebAddress, listAt, textAt, type ReadCall, type StandIn } from './stand-in.ts';

const refuse = (statusCode: number, message: string) =>
  err({ status: statusCode, reason: 'waha_refuses', detail: message, value: { statusCode, message } });

const READ: Readonly<Record<string, ReadCall>> = {
  sendText: (json) =>
    textAt(json, 'text') === ''
      ? 'text should not be empty'
      : { kind: 'text', params: { message: textAt(json, 'text') } },
  sendImage: (json) =>
    isWebAddress(textAt(json, 'file.url')) && textAt(json, 'file.mimetype') !== ''
      ? {
          kind: 'image',
          params: given({ image_url: textAt(json, 'file.url'), caption: textAt(json, 'caption') }),
        }
      : 'file must have a mimetype and a url',
  sendVoice: (json) =>
    isWebAddress(textAt(json, 'file.url')) && textAt(json, 'file.mimetype') !== ''
      ? { kind: 'voice', params: { audio_url: textAt(json, 'file.url') } }
      : 'file must have a mimetype and a url',
  sendPoll: (json) => {
    const options = listAt(json, 'poll.options') ?? [];
    if (textAt(json, 'poll.name') === '' || options.length < 2 || options.length > 12)
      return 'poll is invalid';
    return { kind: 'poll', params: { question: textAt(json, 'poll.name'), options: options.join(',') } };
  },
};

/** WAHA: https://waha.devlike.pro/docs/how-to/send-messages/ */
export const waha: StandIn = {
  shown: (path) => path,
  read(request) {
    const { method, path, json } = request;
    if (headerOf(request, 'x-api-key') === '') return refuse(401, 'Unauthorized');
    const status = /^\/api\/([\w-]+)\/status\/text$/.exec(path);
    const name = path.replace(/^\/api\//, '');
    const read = Object.hasOwn(READ, name) ? READ[name] : undefined;
    if (method !== 'POST' || (read === undefined && status === null))
      return refuse(404, `Cannot ${method} ${path}`);
    if (json === null) return refuse(400, 'Unexpected token in JSON at position 0');
    if (status !== null)
      return textAt(json, 'text') === ''
        ? refuse(400, 'text should not be empty')
        : ok({ kind: 'status', to: null, params: { text: textAt(json, 'text') } });
    if (textAt(json, 'session') === '') return refuse(400, 'session should not be empty');
    const [, to] = /^([1-9]\d{6,14})@c\.us$/.exec(textAt(json, 'chatId')) ?? [];
    if (to === undefined) return refuse(500, 'Internal server error');
    const call = read?.(json) ?? '';
    return typeof call === 'string' ? refuse(400, call) : ok({ ...call, to });
  },
  success: ({ to }, id) => ({
    status: 201,
    value: { id: `true_${to ?? 'status'}@c.us_3EB0${id}`, timestamp: 1_700_000_000, ack: 1, fromMe: true },
  }),
  failure: (status, message) =>
    status === 422
      ? { error: message, session: 'default', status: 'SCAN_QR_CODE', expected: ['WORKING'] }
      : { statusCode: status, message },
};

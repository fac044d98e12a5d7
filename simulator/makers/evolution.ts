import { err, ok } from '../../src/lib/result.ts';
import { given, headerOf, isWebAddress, listAt, textAt, type ReadCall, type StandIn } from './stand-in.ts';

const NAMES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
};

const answerOf = (status: number, message: unknown) => ({
  status,
  error: NAMES[status] ?? 'Internal Server Error',
  response: { message },
});

const refuse = (status: number, message: string, value: unknown = [[message]]) =>
  err({ status, reason: 'evolution_refuses', detail: message, value: answerOf(status, value) });

const READ: Readonly<Record<string, ReadCall>> = {
  sendText: (json) =>
    textAt(json, 'text') === ''
      ? 'requires property "text"'
      : { kind: 'text', params: { message: textAt(json, 'text') } },
  sendMedia: (json) =>
    textAt(json, 'mediatype') === 'image' && isWebAddress(textAt(json, 'media'))
      ? {
          kind: 'image',
          params: given({ image_url: textAt(json, 'media'), caption: textAt(json, 'caption') }),
        }
      : 'Owned media must be a url or base64',
  sendWhatsAppAudio: (json) =>
    isWebAddress(textAt(json, 'audio'))
      ? { kind: 'voice', params: { audio_url: textAt(json, 'audio') } }
      : 'Owned media must be a url, base64, or valid file with buffer',
  sendPoll: (json) => {
    const values = listAt(json, 'values') ?? [];
    const isRight = textAt(json, 'name') !== '' && typeof json['selectableCount'] === 'number';
    if (!isRight || values.length < 2 || values.length > 10)
      return 'values does not meet the limits of 2 to 10';
    return { kind: 'poll', params: { question: textAt(json, 'name'), options: values.join(',') } };
  },
  sendStatus: (json) =>
    textAt(json, 'type') === 'text' && textAt(json, 'content') !== '' && json['allContacts'] === true
      ? { kind: 'status', params: { text: textAt(json, 'content') } }
      : 'Content is required',
};

/** Evolution API 2: https://doc.evolution-api.com/v2/api-reference */
export const evolution: StandIn = {
  shown: (path) => path,
  read(request) {
    const { method, path, json } = request;
    const [, name = '', instance = ''] = /^\/message\/(\w+)\/([^/]+)$/.exec(path) ?? [];
    const read = Object.hasOwn(READ, name) ? READ[name] : undefined;
    if (method !== 'POST' || read === undefined)
      return refuse(404, `Cannot ${method} ${path}`, [`Cannot ${method} ${path}`]);
    if (headerOf(request, 'apikey') === '') return refuse(401, 'Unauthorized', 'Unauthorized');
    if (instance === 'nobody')
      return refuse(404, 'no such instance', [`The "${instance}" instance does not exist`]);
    if (json === null) return refuse(400, 'requires a body');
    const call = read(json);
    if (typeof call === 'string') return refuse(400, call);
    const to = call.kind === 'status' ? null : textAt(json, 'number');
    if (to !== null && !/^[1-9]\d{6,14}$/.test(to))
      return refuse(400, 'no such number', [{ jid: `${to}@s.whatsapp.net`, exists: false, number: to }]);
    return ok({ ...call, to });
  },
  success: ({ to }, id) => ({
    status: 201,
    value: {
      key: { remoteJid: `${to ?? 'status'}@s.whatsapp.net`, fromMe: true, id: `3EB0${id}` },
      status: 'PENDING',
      messageTimestamp: 1_700_000_000,
    },
  }),
  failure: (status, message) => answerOf(status, status === 500 ? message : [message]),
};

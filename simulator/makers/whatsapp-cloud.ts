import { err, ok } from '../../src/lib/result.ts';
import { given, headerOf, isWebAddress, textAt, type ReadCall, type StandIn } from './stand-in.ts';

const answerOf = (code: number, message: string) => ({
  error: { message: `(#${code}) ${message}`, type: 'OAuthException', code, fbtrace_id: 'simulated' },
});

const refuse = (status: number, code: number, message: string) =>
  err({ status, reason: 'meta_refuses', detail: message, value: answerOf(code, message) });

const READ: Readonly<Record<string, ReadCall>> = {
  text: (json) => {
    const message = textAt(json, 'text.body');
    return message === '' || message.length > 4_096
      ? 'Param text.body must be 1 to 4096 characters long'
      : { kind: 'text', params: { message } };
  },
  image: (json) => {
    const [image_url, caption] = [textAt(json, 'image.link'), textAt(json, 'image.caption')];
    return isWebAddress(image_url) && caption.length <= 1_024
      ? { kind: 'image', params: given({ image_url, caption }) }
      : 'Param image.link is not a valid URI';
  },
  audio: (json) =>
    isWebAddress(textAt(json, 'audio.link'))
      ? { kind: 'voice', params: { audio_url: textAt(json, 'audio.link') } }
      : 'Param audio.link is not a valid URI',
};

/** WhatsApp by Meta: https://developers.facebook.com/documentation/business-messaging/whatsapp */
export const whatsappCloud: StandIn = {
  shown: (path) => path,
  read(request) {
    const { method, path, json } = request;
    if (!/^Bearer [\w-]{5,}$/.test(headerOf(request, 'authorization')))
      return refuse(401, 190, 'Invalid OAuth access token - Cannot parse access token');
    if (method !== 'POST' || !/^\/\d{5,20}\/messages$/.test(path))
      return refuse(400, 100, 'Unsupported post request');
    if (json === null || json['messaging_product'] !== 'whatsapp')
      return refuse(400, 100, 'The parameter messaging_product is required.');
    const to = textAt(json, 'to');
    if (!/^[1-9]\d{6,14}$/.test(to)) return refuse(400, 100, 'The parameter to is required.');
    const type = textAt(json, 'type');
    const call =
      (Object.hasOwn(READ, type) ? READ[type] : undefined)?.(json) ??
      'Param type must be one of text, image, audio';
    return typeof call === 'string' ? refuse(400, 100, call) : ok({ ...call, to });
  },
  success: ({ to }, id) => ({
    status: 200,
    value: {
      messaging_product: 'whatsapp',
      contacts: [{ input: to, wa_id: to }],
      messages: [{ id: `wamid.SIM${id}` }],
    },
  }),
  failure: (status, message) =>
    answerOf(status === 429 ? 130429 : status === 401 ? 190 : status === 500 ? 131000 : 100, message),
};

import { err, ok } from '../../src/lib/result.ts';
import { AUDIO, given, headerOf, isWebAddress, type StandIn } from './stand-in.ts';

const answerOf = (status: number, code: number, message: string) => ({
  code,
  message,
  more_info: `https://www.twilio.com/docs/errors/${code}`,
  status,
});

const refuse = (status: number, code: number, message: string) =>
  err({ status, reason: 'twilio_refuses', detail: message, value: answerOf(status, code, message) });

const KEYS = ['To', 'From', 'Body', 'MediaUrl'];

/** Twilio's messages: https://www.twilio.com/docs/messaging/api/message-resource */
export const twilio: StandIn = {
  shown: (path) => path.replace(/\/Accounts\/[^/]*/, '/Accounts/…'),
  read(request) {
    const { method, path, form } = request;
    const [, sid = ''] = /^\/2010-04-01\/Accounts\/([^/]+)\/Messages\.json$/.exec(path) ?? [];
    if (method !== 'POST' || sid === '') return refuse(404, 20404, 'The requested resource was not found');
    const [, basic = ''] = /^Basic (.+)$/.exec(headerOf(request, 'authorization')) ?? [];
    const [user, password = ''] = atob(basic).split(':');
    if (!/^AC\w{5,}$/.test(sid) || user !== sid || password === '') return refuse(401, 20003, 'Authenticate');
    if (form === null || [...form.keys()].some((key) => !KEYS.includes(key)))
      return refuse(400, 20001, 'Unknown parameters');
    const [To = '', From = '', Body = '', MediaUrl = ''] = KEYS.map((key) => form.get(key));
    const [, channel = '', to] = /^(whatsapp:)?\+([1-9]\d{6,14})$/.exec(To) ?? [];
    if (to === undefined) return refuse(400, 21211, "The 'To' number is not a valid phone number.");
    if (From === '') return refuse(400, 21603, "A 'From' phone number is required.");
    if (From.startsWith('whatsapp:') !== (channel !== ''))
      return refuse(400, 21910, 'Invalid From and To pair. From and To should be of the same channel');
    if (Body === '' && MediaUrl === '') return refuse(400, 21602, 'Message body is required.');
    if (Body.length > 1_600)
      return refuse(400, 21617, 'The concatenated message body exceeds the 1600 character limit.');
    if (MediaUrl === '') return ok({ kind: 'text', to, params: { message: Body } });
    if (!isWebAddress(MediaUrl)) return refuse(400, 21620, 'Invalid media URL(s)');
    return AUDIO.test(MediaUrl)
      ? ok({ kind: 'voice', to, params: { audio_url: MediaUrl } })
      : ok({ kind: 'image', to, params: given({ image_url: MediaUrl, caption: Body }) });
  },
  success: ({ to }, id) => ({
    status: 201,
    value: {
      sid: `SM${String(id).padStart(32, '0')}`,
      status: 'queued',
      to: `+${to ?? ''}`,
      error_code: null,
    },
  }),
  failure: (status, message) =>
    status === 200
      ? { sid: 'SM1', status: 'failed', error_code: 30_008, error_message: message }
      : answerOf(status, status === 429 ? 20_429 : status === 401 ? 20_003 : 20_001, message),
};

import { err, ok } from '../../src/lib/result.ts';
import {
  given,
  isWebAddress,
  textAt,
  unknownKeys,
  type Json,
  type MakerCall,
  type StandIn,
} from './stand-in.ts';

const PATH = /^\/bot([^/]*)\/(\w+)$/;

const answerOf = (status: number, description: string, parameters?: object) => ({
  ok: false,
  error_code: status,
  description,
  ...(parameters && { parameters }),
});

const refuse = (status: number, description: string) =>
  err({ status, reason: 'telegram_refuses', detail: description, value: answerOf(status, description) });

const bad = (what: string) => refuse(400, `Bad Request: ${what}`);

const TAGS: Readonly<Record<string, string>> = { b: '*', i: '_', s: '~', code: '```', pre: '```' };
const ENTITY: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

/** Text with Telegram's HTML as chat text; null: it cannot be parsed. */
function fromHtml(html: string): string | null {
  const open: string[] = [];
  let text = '';
  for (const [part] of html.matchAll(/<[^>]*>?|&[^;\s]*;?|[^<&]+/g)) {
    if (part.startsWith('&')) {
      const entity = ENTITY[part.slice(1, -1)];
      if (entity === undefined) return null;
      text += entity;
    } else if (part.startsWith('<')) {
      const [, slash, name = ''] = /^<(\/?)([a-z]+)>$/.exec(part) ?? [];
      if (TAGS[name] === undefined) return null;
      if (slash === '/' && open.pop() !== name) return null;
      if (slash === '') open.push(name);
      text += TAGS[name];
    } else text += part;
  }
  return open.length === 0 ? text : null;
}

interface Method {
  readonly keys: readonly string[];
  readonly read: (json: Json, text: (key: string) => string | null) => Omit<MakerCall, 'to'> | string;
}

const METHODS: Readonly<Record<string, Method>> = {
  sendMessage: {
    keys: ['chat_id', 'text', 'parse_mode', 'link_preview_options', 'disable_notification'],
    read(_, text) {
      const message = text('text');
      if (message === null) return "can't parse entities";
      if (message.trim() === '') return 'message text is empty';
      return message.length > 4_200 ? 'message is too long' : { kind: 'text', params: { message } };
    },
  },
  sendPhoto: {
    keys: ['chat_id', 'photo', 'caption', 'parse_mode'],
    read(json, text) {
      const [photo, caption] = [textAt(json, 'photo'), text('caption')];
      if (caption === null) return "can't parse entities";
      if (!isWebAddress(photo)) return 'invalid file HTTP URL specified: URL host is empty';
      if (caption.length > 1_100) return 'message caption is too long';
      return { kind: 'image', params: given({ image_url: photo, caption }) };
    },
  },
  sendVoice: {
    keys: ['chat_id', 'voice', 'caption', 'parse_mode'],
    read(json) {
      const voice = textAt(json, 'voice');
      if (!isWebAddress(voice)) return 'invalid file HTTP URL specified: URL host is empty';
      return { kind: 'voice', params: { audio_url: voice } };
    },
  },
  sendPoll: {
    keys: ['chat_id', 'question', 'options', 'is_anonymous', 'type', 'allows_multiple_answers'],
    read(json) {
      const question = textAt(json, 'question');
      const options: unknown[] = Array.isArray(json['options']) ? json['options'] : [];
      const texts = options.map((option) => textAt(option, 'text'));
      if (question === '' || question.length > 300) return 'poll question length must not exceed 300';
      if (texts.length < 2 || texts.length > 12) return 'poll must have at least 2 option and 12 at most';
      if (texts.some((option) => option === '' || option.length > 100))
        return 'poll options length must not exceed 100';
      return { kind: 'poll', params: { question, options: texts.join(',') } };
    },
  },
};

/** A bot: https://core.telegram.org/bots/api */
export const telegram: StandIn = {
  shown: (path) => path.replace(/^\/bot[^/]*/, '/bot…'),
  ask({ path }, calls) {
    const [, token = '', method] = PATH.exec(path) ?? [];
    if (method !== 'getUpdates' || !isToken(token)) return null;
    // Everybody that the page shows counts as having written to the bot; at first, one made-up person.
    const chats = [...new Set(calls.flatMap(({ to }) => (to !== null && /^\d+$/.test(to) ? [to] : [])))];
    const result = (chats.length === 0 ? ['7215550100'] : chats).map((id, at) => ({
      update_id: at + 1,
      message: {
        message_id: at + 1,
        date: 1_700_000_000,
        chat: { id: Number(id), type: 'private', first_name: 'Anna' },
        text: '/start',
      },
    }));
    return { status: 200, value: { ok: true, result } };
  },
  read({ method, path, json }) {
    const [, token = '', name = ''] = PATH.exec(path) ?? [];
    if (!isToken(token)) return refuse(404, 'Not Found');
    const of = METHODS[name];
    if (of === undefined || method !== 'POST') return refuse(404, 'Not Found: method not found');
    if (json === null) return bad('there is no JSON in the body');
    const [unknown] = unknownKeys(json, of.keys);
    if (unknown !== undefined) return bad('an unknown parameter is given');
    const to = textAt(json, 'chat_id');
    if (!/^(-?[1-9]\d{0,15}|@[A-Za-z]\w{4,31})$/.test(to)) return bad('chat not found');
    const isHtml = json['parse_mode'] === 'HTML';
    if (json['parse_mode'] !== undefined && !isHtml) return bad('unsupported parse_mode');
    const call = of.read(json, (key) => (isHtml ? fromHtml(textAt(json, key)) : textAt(json, key)));
    return typeof call === 'string' ? bad(call) : ok({ ...call, to });
  },
  success: ({ to }, id) => ({
    status: 200,
    value: {
      ok: true,
      result: { message_id: id, date: 1_700_000_000, chat: { id: Number(to), type: 'private' } },
    },
  }),
  failure: (status, message) =>
    status === 429
      ? answerOf(429, `Too Many Requests: retry after 7`, { retry_after: 7 })
      : answerOf(status === 200 ? 400 : status, message),
};

const isToken = (token: string): boolean => /^\d{3,}:[\w-]{10,}$/.test(token);

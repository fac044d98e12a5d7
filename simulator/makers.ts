import type { MakerId } from '../src/gateway/shape.ts';
import { ownValue, scalarText } from '../src/lib/json.ts';
import { err, ok, type Result } from '../src/lib/result.ts';
import type { SimulatedKind } from './endpoints.ts';

type Json = Readonly<Record<string, unknown>>;

export interface MakerRequest {
  readonly method: string;
  /** Decoded, without the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The JSON object of the body; null if it is not one. */
  readonly json: Json | null;
  readonly form: ReadonlyMap<string, string> | null;
  readonly bytes: number;
}

/** A call in the words of the gateway's API v2, so that one page shows all. */
export interface MakerCall {
  readonly kind: SimulatedKind;
  readonly to: string | null;
  readonly params: Readonly<Record<string, string>>;
}

type MakerAnswer = Readonly<{ status: number; value: object }>;

/** The answer with which the original would refuse the request. */
interface MakerRefusal extends MakerAnswer {
  /** One word for filters and badges. */
  readonly reason: string;
  readonly detail: string;
}

/** A maker's gateway, as its public documents have it. */
export interface StandIn {
  /** The path without credentials, for the list of calls; absent: it has none. */
  readonly shown?: (path: string) => string;
  /** Reads a request; or returns the original’s answer to one that it refuses. */
  readonly read: (request: MakerRequest) => Result<MakerCall, MakerRefusal>;
  /** By which a message replaces one that the phone has; null: none. Absent: the maker takes no such id. */
  readonly key?: (request: MakerRequest) => string | null;
  readonly success: (call: MakerCall, id: number) => MakerAnswer;
  /** A failure with this HTTP status; 200: an error inside a success, if the maker has that. */
  readonly failure: (status: number, message: string) => unknown;
  /** Answers a question at once that is not a message; null if the call is not a question. */
  readonly ask?: (
    request: MakerRequest,
    calls: () => readonly { readonly to: string | null }[],
  ) => MakerAnswer | null;
}

/** Reads a call to one of a maker's endpoints; a text: why the original refuses it. */
type ReadCall = (json: Json) => Omit<MakerCall, 'to'> | string;
type ReadCalls = Readonly<Record<string, ReadCall>>;

const readerOf = (calls: ReadCalls, name: string): ReadCall | undefined =>
  Object.hasOwn(calls, name) ? calls[name] : undefined;

/** Makes a maker's refusals. `valueOf`: its answer in which an error stands. */
const refusing =
  <More extends unknown[]>(
    maker: string,
    valueOf: (status: number, message: string, ...more: More) => object,
  ) =>
  (status: number, message: string, ...more: More) =>
    err({ status, reason: `${maker}_refuses`, detail: message, value: valueOf(status, message, ...more) });

/** The text at a dotted path; '' where there is none. */
const textAt = (json: unknown, path: string): string => scalarText(ownValue(json, path)) ?? '';

/** The list of texts at a dotted path; empty: it is something else. */
function listAt(json: unknown, path: string): readonly string[] {
  const list = ownValue(json, path);
  return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : [];
}

/** An address of a recording, for makers that send it as any other file. */
const AUDIO = /\.(mp3|ogg|oga|opus|m4a|aac|wav)(\?|$)/i;

const PHONE = /^[1-9]\d{6,14}$/;

/** The content of a picture; the caption is left out if it is empty. */
const imageOf = (image_url: string, caption: string) =>
  ({ kind: 'image', params: { image_url, ...(caption !== '' && { caption }) } }) as const;

const voiceOf = (audio_url: string) => ({ kind: 'voice', params: { audio_url } }) as const;

const textOf = (message: string) => ({ kind: 'text', params: { message } }) as const;

const pollOf = (question: string, options: readonly string[]) =>
  ({ kind: 'poll', params: { question, options: options.join(',') } }) as const;

const isWebAddress = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

function headerOf({ headers }: MakerRequest, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

const hasOthers = (json: object, known: readonly string[]): boolean =>
  Object.keys(json).some((key) => !known.includes(key));

const NTFY_KEYS = 'topic title message priority tags click attach markdown icon filename'.split(' ');

const ntfyRefuses = (code: number, error: string) =>
  refusing('ntfy', (http) => ({ code, http, error, link: 'https://ntfy.sh/docs/publish/' }))(
    Math.floor(code / 100),
    error,
  );

/** ntfy, publishing as JSON: https://docs.ntfy.sh/publish/#publish-as-json */
const ntfy: StandIn = {
  read(request) {
    const { method, path, json, bytes } = request;
    if (path !== '/' || !['POST', 'PUT'].includes(method)) return ntfyRefuses(40401, 'page not found');
    const login = headerOf(request, 'authorization');
    if (login !== '' && !/^Bearer tk_\w{5,}$/.test(login)) return ntfyRefuses(40101, 'unauthorized');
    if (!/^[-_A-Za-z0-9]{0,64}$/.test(headerOf(request, 'x-sequence-id')))
      return ntfyRefuses(40049, 'invalid request: sequence ID invalid');
    if (bytes > 8_192) return ntfyRefuses(41303, 'JSON body too large');
    if (json === null) return ntfyRefuses(40024, 'invalid request: request body must be valid JSON');
    if (hasOthers(json, NTFY_KEYS))
      return ntfyRefuses(40017, 'invalid request: request body must be message JSON');
    const [to = '', message = '', attach = '', click = ''] = ['topic', 'message', 'attach', 'click'].map(
      (key) => textAt(json, key),
    );
    if (!/^[-_A-Za-z0-9]{1,64}$/.test(to)) return ntfyRefuses(40009, 'invalid request: topic invalid');
    if (attach !== '' && !isWebAddress(attach))
      return ntfyRefuses(40013, 'invalid request: attachment URL is invalid');
    // The original makes an attachment of it, which nobody reads as a message.
    if (new TextEncoder().encode(message).length > 4_096)
      return ntfyRefuses(41301, 'attachment too large, or bandwidth limit reached');
    if (AUDIO.test(attach)) return ok({ to, ...voiceOf(attach) });
    if (attach !== '') return ok({ to, ...imageOf(attach, message) });
    if (click === '') return ok({ to, ...textOf(message || 'triggered') });
    const params = { url: click, text: message, title: textAt(json, 'title') };
    const given = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== ''));
    return ok({ to, kind: 'link-preview', params: given });
  },
  key: (request) => headerOf(request, 'x-sequence-id') || null,
  success: ({ to, params }, id) => ({
    status: 200,
    value: {
      id: `sim${String(id).padStart(9, '0')}`,
      time: 1_700_000_000,
      expires: 1_700_043_200,
      event: 'message',
      topic: to,
      message: params['message'] ?? '',
    },
  }),
  failure: (status, error) => ({ code: status * 100 + 1, http: status, error }),
};

const TELEGRAM_PATH = /^\/bot([^/]*)\/(\w+)$/;

const telegramError = (status: number, description: string, parameters?: object) => ({
  ok: false,
  error_code: status,
  description,
  ...(parameters && { parameters }),
});

const telegramRefuses = refusing('telegram', telegramError);

const telegramBad = (what: string) => telegramRefuses(400, `Bad Request: ${what}`);

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
  readonly read: (json: Json, text: (key: string) => string | null) => ReturnType<ReadCall>;
}

const TELEGRAM_METHODS: Readonly<Record<string, Method>> = {
  sendMessage: {
    keys: ['chat_id', 'text', 'parse_mode', 'link_preview_options', 'disable_notification'],
    read(_, text) {
      const message = text('text');
      if (message === null) return "can't parse entities";
      if (message.trim() === '') return 'message text is empty';
      return message.length > 4_200 ? 'message is too long' : textOf(message);
    },
  },
  sendPhoto: {
    keys: ['chat_id', 'photo', 'caption', 'parse_mode'],
    read(json, text) {
      const [photo, caption] = [textAt(json, 'photo'), text('caption')];
      if (caption === null) return "can't parse entities";
      if (!isWebAddress(photo)) return 'invalid file HTTP URL specified: URL host is empty';
      return caption.length > 1_100 ? 'message caption is too long' : imageOf(photo, caption);
    },
  },
  sendVoice: {
    keys: ['chat_id', 'voice', 'caption', 'parse_mode'],
    read(json) {
      const voice = textAt(json, 'voice');
      return isWebAddress(voice) ? voiceOf(voice) : 'invalid file HTTP URL specified: URL host is empty';
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
      return pollOf(question, texts);
    },
  },
};

/** A bot: https://core.telegram.org/bots/api */
const telegram: StandIn = {
  shown: (path) => path.replace(/^\/bot[^/]*/, '/bot…'),
  ask({ path }, calls) {
    const [, token = '', method] = TELEGRAM_PATH.exec(path) ?? [];
    if (method !== 'getUpdates' || !isToken(token)) return null;
    // Everybody that the page shows counts as having written to the bot; at first, one made-up person.
    const chats = [...new Set(calls().flatMap(({ to }) => (to !== null && /^\d+$/.test(to) ? [to] : [])))];
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
    const [, token = '', name = ''] = TELEGRAM_PATH.exec(path) ?? [];
    if (!isToken(token)) return telegramRefuses(404, 'Not Found');
    const of = TELEGRAM_METHODS[name];
    if (of === undefined || method !== 'POST') return telegramRefuses(404, 'Not Found: method not found');
    if (json === null) return telegramBad('there is no JSON in the body');
    if (hasOthers(json, of.keys)) return telegramBad('an unknown parameter is given');
    const to = textAt(json, 'chat_id');
    if (!/^(-?[1-9]\d{0,15}|@[A-Za-z]\w{4,31})$/.test(to)) return telegramBad('chat not found');
    const isHtml = json['parse_mode'] === 'HTML';
    if (json['parse_mode'] !== undefined && !isHtml) return telegramBad('unsupported parse_mode');
    const call = of.read(json, (key) => (isHtml ? fromHtml(textAt(json, key)) : textAt(json, key)));
    return typeof call === 'string' ? telegramBad(call) : ok({ ...call, to });
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
      ? telegramError(429, `Too Many Requests: retry after 7`, { retry_after: 7 })
      : telegramError(status === 200 ? 400 : status, message),
};

const isToken = (token: string): boolean => /^\d{3,}:[\w-]{10,}$/.test(token);

const PUSHOVER_KEY = /^[A-Za-z0-9]{30}$/;

const pushoverRefuses = refusing('pushover', (_, error, field: string) => ({
  [field]: 'invalid',
  errors: [error],
  status: 0,
  request: '5042853c-402d-4a18-abcb-168734a801de',
}));

/** Pushover: https://pushover.net/api */
const pushover: StandIn = {
  read({ method, path, form }) {
    if (method !== 'POST' || path !== '/1/messages.json') return pushoverRefuses(404, 'not found', 'request');
    const [token = '', to = '', message = ''] = ['token', 'user', 'message'].map((name) => form?.get(name));
    if (!PUSHOVER_KEY.test(token))
      return pushoverRefuses(400, 'application token is invalid, see https://pushover.net/api', 'token');
    if (!PUSHOVER_KEY.test(to)) return pushoverRefuses(400, 'user identifier is invalid', 'user');
    if (message === '') return pushoverRefuses(400, 'message cannot be blank', 'message');
    if (message.length > 1_024) return pushoverRefuses(400, 'message is too long', 'message');
    return ok({ to, ...textOf(message) });
  },
  success: (_, id) => ({
    status: 200,
    value: { status: 1, request: `647d2300-702c-4b38-8b2f-${String(id).padStart(12, '0')}` },
  }),
  failure: (_, error) => ({ errors: [error], status: 0 }),
};

const signalRefuses = refusing('signal', (_, error) => ({ error }));

const PLUS_PHONE = /^\+([1-9]\d{6,14})$/;

/** signal-cli-rest-api: https://bbernhard.github.io/signal-cli-rest-api/ */
const signal: StandIn = {
  read({ method, path, json }) {
    const [, poller] = /^\/v1\/polls\/(.+)$/.exec(path) ?? [];
    if (method !== 'POST' || (path !== '/v2/send' && poller === undefined))
      return signalRefuses(404, 'Not Found');
    const wrong = (what: string) => signalRefuses(400, `Couldn't process request - ${what}`);
    const keys =
      poller === undefined
        ? ['number', 'recipients', 'message', 'text_mode']
        : ['recipient', 'question', 'answers', 'allow_multiple_selections'];
    if (json === null || hasOthers(json, keys)) return wrong('invalid request');
    if (!PLUS_PHONE.test(poller ?? textAt(json, 'number'))) return wrong('please provide a valid number');
    const recipients = poller === undefined ? listAt(json, 'recipients') : [textAt(json, 'recipient')];
    if (recipients.length !== 1) return wrong('please provide at least one recipient');
    const [, to] = PLUS_PHONE.exec(recipients[0] ?? '') ?? [];
    if (to === undefined) return signalRefuses(400, 'Failed to send message: invalid recipient');
    if (poller !== undefined) {
      const [question, answers] = [textAt(json, 'question'), listAt(json, 'answers')];
      if (question === '' || answers.length === 0) return wrong('question missing');
      return ok({ to, ...pollOf(question, answers) });
    }
    const message = textAt(json, 'message');
    return message === ''
      ? signalRefuses(400, 'Failed to send message: No message or attachment given')
      : ok({ to, ...textOf(message) });
  },
  success: (_, id) => ({ status: 201, value: { timestamp: String(1_700_000_000_000 + id) } }),
  failure: (status, error) =>
    status === 429 ? { error, challenge_tokens: ['a-challenge'], account: '+4915100000000' } : { error },
};

const wahaRefuses = refusing('waha', (statusCode, message) => ({ statusCode, message }));

const NO_WAHA_FILE = 'file must have a mimetype and a url';
const wahaFile = (json: Json): string | null => {
  const url = textAt(json, 'file.url');
  return isWebAddress(url) && textAt(json, 'file.mimetype') !== '' ? url : null;
};

const WAHA_CALLS: ReadCalls = {
  sendText: (json) =>
    textAt(json, 'text') === '' ? 'text should not be empty' : textOf(textAt(json, 'text')),
  sendImage: (json) => {
    const url = wahaFile(json);
    return url === null ? NO_WAHA_FILE : imageOf(url, textAt(json, 'caption'));
  },
  sendVoice: (json) => {
    const url = wahaFile(json);
    return url === null ? NO_WAHA_FILE : voiceOf(url);
  },
  sendPoll: (json) => {
    const [name, options] = [textAt(json, 'poll.name'), listAt(json, 'poll.options')];
    const isRight = name !== '' && options.length >= 2 && options.length <= 12;
    return isRight ? pollOf(name, options) : 'poll is invalid';
  },
};

/** WAHA: https://waha.devlike.pro/docs/how-to/send-messages/ */
const waha: StandIn = {
  read(request) {
    const { method, path, json } = request;
    if (headerOf(request, 'x-api-key') === '') return wahaRefuses(401, 'Unauthorized');
    const isStatus = /^\/api\/[\w-]+\/status\/text$/.test(path);
    const read = readerOf(WAHA_CALLS, path.replace(/^\/api\//, ''));
    if (method !== 'POST' || (read === undefined && !isStatus))
      return wahaRefuses(404, `Cannot ${method} ${path}`);
    if (json === null) return wahaRefuses(400, 'Unexpected token in JSON at position 0');
    if (isStatus) {
      const text = textAt(json, 'text');
      return text === ''
        ? wahaRefuses(400, 'text should not be empty')
        : ok({ kind: 'status', to: null, params: { text } });
    }
    if (textAt(json, 'session') === '') return wahaRefuses(400, 'session should not be empty');
    const [, to] = /^([1-9]\d{6,14})@c\.us$/.exec(textAt(json, 'chatId')) ?? [];
    if (to === undefined) return wahaRefuses(500, 'Internal server error');
    const call = read?.(json) ?? '';
    return typeof call === 'string' ? wahaRefuses(400, call) : ok({ ...call, to });
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

const NAMES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
};

const evolutionError = (status: number, message: unknown) => ({
  status,
  error: NAMES[status] ?? 'Internal Server Error',
  response: { message },
});

const evolutionRefuses = refusing('evolution', (status, message, said: unknown = [[message]]) =>
  evolutionError(status, said),
);

const EVOLUTION_CALLS: ReadCalls = {
  sendText: (json) =>
    textAt(json, 'text') === '' ? 'requires property "text"' : textOf(textAt(json, 'text')),
  sendMedia: (json) =>
    textAt(json, 'mediatype') === 'image' && isWebAddress(textAt(json, 'media'))
      ? imageOf(textAt(json, 'media'), textAt(json, 'caption'))
      : 'Owned media must be a url or base64',
  sendWhatsAppAudio: (json) =>
    isWebAddress(textAt(json, 'audio'))
      ? voiceOf(textAt(json, 'audio'))
      : 'Owned media must be a url, base64, or valid file with buffer',
  sendPoll: (json) => {
    const [name, values] = [textAt(json, 'name'), listAt(json, 'values')];
    const isRight = name !== '' && typeof json['selectableCount'] === 'number';
    return isRight && values.length >= 2 && values.length <= 10
      ? pollOf(name, values)
      : 'values does not meet the limits of 2 to 10';
  },
  sendStatus: (json) => {
    const text = textAt(json, 'content');
    return textAt(json, 'type') === 'text' && text !== '' && json['allContacts'] === true
      ? { kind: 'status', params: { text } }
      : 'Content is required';
  },
};

/** Evolution API 2: https://doc.evolution-api.com/v2/api-reference */
const evolution: StandIn = {
  read(request) {
    const { method, path, json } = request;
    const [, name = '', instance = ''] = /^\/message\/(\w+)\/([^/]+)$/.exec(path) ?? [];
    const read = readerOf(EVOLUTION_CALLS, name);
    const nowhere = `Cannot ${method} ${path}`;
    if (method !== 'POST' || read === undefined) return evolutionRefuses(404, nowhere, [nowhere]);
    if (headerOf(request, 'apikey') === '') return evolutionRefuses(401, 'Unauthorized', 'Unauthorized');
    if (instance === 'nobody')
      return evolutionRefuses(404, 'no such instance', [`The "${instance}" instance does not exist`]);
    if (json === null) return evolutionRefuses(400, 'requires a body');
    const call = read(json);
    if (typeof call === 'string') return evolutionRefuses(400, call);
    const to = call.kind === 'status' ? null : textAt(json, 'number');
    if (to === null || PHONE.test(to)) return ok({ ...call, to });
    const nobody = { jid: `${to}@s.whatsapp.net`, exists: false, number: to };
    return evolutionRefuses(400, 'no such number', [nobody]);
  },
  success: ({ to }, id) => ({
    status: 201,
    value: {
      key: { remoteJid: `${to ?? 'status'}@s.whatsapp.net`, fromMe: true, id: `3EB0${id}` },
      status: 'PENDING',
      messageTimestamp: 1_700_000_000,
    },
  }),
  failure: (status, message) => evolutionError(status, status === 500 ? message : [message]),
};

const metaError = (code: number, message: string) => ({
  error: { message: `(#${code}) ${message}`, type: 'OAuthException', code, fbtrace_id: 'simulated' },
});

const metaRefuses = refusing('meta', (_, message, code: number = 100) => metaError(code, message));

const META_CALLS: ReadCalls = {
  text: (json) => {
    const message = textAt(json, 'text.body');
    return message === '' || message.length > 4_096
      ? 'Param text.body must be 1 to 4096 characters long'
      : textOf(message);
  },
  image: (json) => {
    const [url, caption] = [textAt(json, 'image.link'), textAt(json, 'image.caption')];
    return isWebAddress(url) && caption.length <= 1_024
      ? imageOf(url, caption)
      : 'Param image.link is not a valid URI';
  },
  audio: (json) =>
    isWebAddress(textAt(json, 'audio.link'))
      ? voiceOf(textAt(json, 'audio.link'))
      : 'Param audio.link is not a valid URI',
};

/** WhatsApp by Meta: https://developers.facebook.com/documentation/business-messaging/whatsapp */
const whatsappCloud: StandIn = {
  read(request) {
    const { method, path, json } = request;
    if (!/^Bearer [\w-]{5,}$/.test(headerOf(request, 'authorization')))
      return metaRefuses(401, 'Invalid OAuth access token - Cannot parse access token', 190);
    if (method !== 'POST' || !/^\/\d{5,20}\/messages$/.test(path))
      return metaRefuses(400, 'Unsupported post request');
    if (json === null || json['messaging_product'] !== 'whatsapp')
      return metaRefuses(400, 'The parameter messaging_product is required.');
    const to = textAt(json, 'to');
    if (!PHONE.test(to)) return metaRefuses(400, 'The parameter to is required.');
    const read = readerOf(META_CALLS, textAt(json, 'type'));
    const call = read?.(json) ?? 'Param type must be one of text, image, audio';
    return typeof call === 'string' ? metaRefuses(400, call) : ok({ ...call, to });
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
    metaError(status === 429 ? 130429 : status === 401 ? 190 : status === 500 ? 131000 : 100, message),
};

const twilioError = (status: number, message: string, code: number) => ({
  code,
  message,
  more_info: `https://www.twilio.com/docs/errors/${code}`,
  status,
});

const twilioRefuses = refusing('twilio', twilioError);

const TWILIO_KEYS = ['To', 'From', 'Body', 'MediaUrl'];

/** Twilio's messages: https://www.twilio.com/docs/messaging/api/message-resource */
const twilio: StandIn = {
  shown: (path) => path.replace(/\/Accounts\/[^/]*/, '/Accounts/…'),
  read(request) {
    const { method, path, form } = request;
    const [, sid = ''] = /^\/2010-04-01\/Accounts\/([^/]+)\/Messages\.json$/.exec(path) ?? [];
    if (method !== 'POST' || sid === '')
      return twilioRefuses(404, 'The requested resource was not found', 20404);
    const [, basic = ''] = /^Basic (.+)$/.exec(headerOf(request, 'authorization')) ?? [];
    const [user, password = ''] = atob(basic).split(':');
    if (!/^AC\w{5,}$/.test(sid) || user !== sid || password === '')
      return twilioRefuses(401, 'Authenticate', 20003);
    if (form === null || [...form.keys()].some((key) => !TWILIO_KEYS.includes(key)))
      return twilioRefuses(400, 'Unknown parameters', 20001);
    const [To = '', From = '', Body = '', MediaUrl = ''] = TWILIO_KEYS.map((key) => form.get(key));
    const [, channel = '', to] = /^(whatsapp:)?\+([1-9]\d{6,14})$/.exec(To) ?? [];
    if (to === undefined) return twilioRefuses(400, "The 'To' number is not a valid phone number.", 21211);
    if (From === '') return twilioRefuses(400, "A 'From' phone number is required.", 21603);
    if (From.startsWith('whatsapp:') !== (channel !== '')) {
      const message = 'Invalid From and To pair. From and To should be of the same channel';
      return twilioRefuses(400, message, 21910);
    }
    if (Body === '' && MediaUrl === '') return twilioRefuses(400, 'Message body is required.', 21602);
    if (Body.length > 1_600)
      return twilioRefuses(400, 'The concatenated message body exceeds the 1600 character limit.', 21617);
    if (MediaUrl === '') return ok({ to, ...textOf(Body) });
    if (!isWebAddress(MediaUrl)) return twilioRefuses(400, 'Invalid media URL(s)', 21620);
    return ok({ to, ...(AUDIO.test(MediaUrl) ? voiceOf(MediaUrl) : imageOf(MediaUrl, Body)) });
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
      : twilioError(status, message, status === 429 ? 20_429 : status === 401 ? 20_003 : 20_001),
};

const BY_ID: Readonly<Record<MakerId, StandIn>> = {
  ntfy,
  telegram,
  pushover,
  signal,
  waha,
  evolution,
  'whatsapp-cloud': whatsappCloud,
  twilio,
};

/** The stand-ins for other makers' gateways, by the first part of their paths. */
export const STAND_INS: ReadonlyMap<string, StandIn> = new Map(Object.entries(BY_ID));

import { type Maker, MAKER_IDS, type MakerId } from '../shape.ts';

const IN_CHAT = { session: '{option.session}', chatId: '{to}@c.us' };
const TO_ONE = { messaging_product: 'whatsapp', recipient_type: 'individual', to: '{to}' };
const META_PATH = '/{option.phone_number_id}/messages';
const TWILIO_PATH = '/2010-04-01/Accounts/{secret.ACCOUNT_SID}/Messages.json';
const BY_WHATSAPP = { To: 'whatsapp:+{to}', From: 'whatsapp:{option.from}' };
const SELF_HOSTED = { costs: 'free, on your own server', baseUrl: null, rate: { perMinute: 30, burst: 5 } };

interface Described extends Maker {
  readonly costs: string;
  readonly needs: string;
  /** What people see of a repeated call; absent: it is shown twice. */
  readonly repeats?: string;
  /** Where anybody who knows an address can read the messages, so that it has to be made up. */
  readonly readAlong?: string;
}

export const MAKER_BY_ID: Readonly<Record<MakerId, Described>> = {
  /**
   * ntfy. Source: https://docs.ntfy.sh/publish/#publish-as-json; the errors are from `server/errors.go` in
   * https://github.com/binwiederhier/ntfy. A topic is its own secret: anybody who knows it can read the messages. A
   * message with the same sequence id replaces the one before it
   * (https://docs.ntfy.sh/publish/#updating-deleting-notifications); older servers ignore the header.
   */
  ntfy: {
    name: 'ntfy',
    costs: 'free, 250 messages a day on ntfy.sh; or your own server',
    needs: 'the ntfy app, subscribed to a topic; no account',
    repeats:
      'a repeated call replaces the first, by the message’s id, in browsers and on Android (ntfy 2.16, app 1.22); elsewhere it is shown twice',
    readAlong: 'whoever knows or guesses a public topic can read its messages and write to it',
    baseUrl: 'https://ntfy.sh',
    // The server allows 60 at once, then one every 5 seconds.
    rate: { perMinute: 12, burst: 30 },
    shape: {
      optional_secrets: ['TOKEN'],
      // A topic of digits only would be somebody's number, which is easy to guess.
      receiver: { what: 'topic', address: '^(?![0-9]+$)[-_A-Za-z0-9]{1,64}$' },
      headers: { authorization: 'Bearer {secret.TOKEN}', 'x-sequence-id': '{id}' },
      format: 'plain',
      // Texts above 4,096 bytes would become attachments.
      max_bytes: 4_000,
      kinds: {
        text: { path: '/', json: { topic: '{to}', message: '{message}' } },
        image: {
          path: '/',
          json: { topic: '{to}', message: '{caption}', attach: '{image_url}' },
          limits: { caption: 1_300 },
        },
        voice: { path: '/', json: { topic: '{to}', message: '{audio_url}', attach: '{audio_url}' } },
        'link-preview': {
          path: '/',
          json: {
            topic: '{to}',
            title: '{title}',
            message: { lines: ['{text}', '{description}', '{url}'] },
            click: '{url}',
          },
          limits: { text: 400, title: 200, description: 400, url: 400 },
        },
      },
      answer: { sent: { field: 'id' }, reason: ['error'] },
    },
  },

  /**
   * A Telegram bot. Source: https://core.telegram.org/bots/api. Each address contains the token, so no address is stored.
   * A bot may only write to a chat that wrote to it first.
   */
  telegram: {
    name: 'Telegram',
    costs: 'free',
    needs: 'a bot from @BotFather; each receiver presses Start once',
    baseUrl: 'https://api.telegram.org',
    // The limits are 30 a second in all, one a second for a chat, and 20 a minute for a group:
    // https://core.telegram.org/bots/faq
    rate: { perMinute: 60, burst: 20 },
    shape: {
      secrets: ['TOKEN'],
      // A person or a group by number, or a channel by name.
      receiver: { what: 'chat id', address: '^(?:-?[1-9][0-9]{3,15}|@[A-Za-z][A-Za-z0-9_]{4,31})$' },
      format: 'html',
      max_length: 4_096,
      kinds: {
        text: {
          path: '/bot{secret.TOKEN}/sendMessage',
          json: { chat_id: '{to}', text: '{message}', parse_mode: 'HTML' },
        },
        image: {
          path: '/bot{secret.TOKEN}/sendPhoto',
          json: { chat_id: '{to}', photo: '{image_url}', caption: '{caption}', parse_mode: 'HTML' },
          limits: { caption: 1_024 },
        },
        voice: { path: '/bot{secret.TOKEN}/sendVoice', json: { chat_id: '{to}', voice: '{audio_url}' } },
        poll: {
          path: '/bot{secret.TOKEN}/sendPoll',
          json: {
            chat_id: '{to}',
            question: '{question}',
            options: { each: 'options', as: { text: '{option}' } },
            is_anonymous: false,
          },
          limits: { question: 300, options: 12, option: 100 },
        },
      },
      answer: {
        sent: { field: 'ok', is: [true] },
        refused: { field: 'ok', is: [false] },
        reason: ['description'],
        retry_after: 'parameters.retry_after',
        rules: [
          // For an unknown token, Telegram answers as for an unknown address.
          { status: [404], means: 'unauthorized', cause: 'no-bot' },
          // The person has blocked or left the bot. That says nothing about other chats.
          { status: [403], means: 'rejected', cause: 'no-chat' },
        ],
      },
    },
  },

  /**
   * Pushover. Source: https://pushover.net/api. A token and a user key have 30 letters and digits. A wrong token is a 400
   * like any other wrong field; the answer names the field. A message has at most 1,024 characters, a title 250 and a
   * supplementary URL 512 (“Limitations”); hookbell sends everything as the message. An application may send 10,000
   * messages a month for free, and then gets 429 until the first of the next month. At most two calls may be in flight
   * (“Being Friendly to our API”).
   */
  pushover: {
    name: 'Pushover',
    costs: 'a one-time price per receiver and platform; 10,000 messages a month',
    needs: 'an application, with its token, and each receiver’s user key',
    baseUrl: 'https://api.pushover.net',
    rate: { perMinute: 30, burst: 2 },
    shape: {
      secrets: ['TOKEN'],
      receiver: { what: 'user key', address: '^[A-Za-z0-9]{30}$' },
      format: 'plain',
      max_length: 1_024,
      kinds: {
        text: {
          path: '/1/messages.json',
          form: { token: '{secret.TOKEN}', user: '{to}', message: '{message}' },
        },
      },
      answer: {
        sent: { field: 'status', is: [1] },
        reason: ['errors.0'],
        rules: [{ status: [400], field: 'token', is: ['invalid'], means: 'unauthorized' }],
      },
    },
  },

  /**
   * Signal through signal-cli-rest-api on the owner's server. Sources: https://bbernhard.github.io/signal-cli-rest-api/
   * and https://github.com/bbernhard/signal-cli-rest-api. It has no login of its own, so it belongs behind a proxy. The
   * optional secret is the `Authorization` header for that proxy.
   */
  signal: {
    name: 'Signal',
    ...SELF_HOSTED,
    needs: 'signal-cli-rest-api behind a proxy with a login, and a number registered with it',
    options: {
      number: { pattern: '^\\+[1-9][0-9]{6,14}$', what: 'the sending number, such as "+4915112345678"' },
    },
    shape: {
      optional_secrets: ['AUTHORIZATION'],
      receiver: 'phone',
      headers: { authorization: '{secret.AUTHORIZATION}' },
      format: 'plain',
      max_length: 2_000,
      kinds: {
        text: {
          path: '/v2/send',
          json: {
            number: '{option.number}',
            recipients: ['+{to}'],
            message: '{message}',
            text_mode: 'normal',
          },
        },
        poll: {
          path: '/v1/polls/{option.number}',
          json: {
            recipient: '+{to}',
            question: '{question}',
            answers: '{options}',
            allow_multiple_selections: false,
          },
          limits: { question: 100, options: 10, option: 100 },
        },
      },
      answer: {
        sent: { field: 'timestamp' },
        reason: ['error'],
        rules: [
          { status: [400], matches: '[Uu]nregistered user', means: 'rejected', cause: 'no-signal' },
          // It answers every failure with 400.
          { status: [400], matches: 'invalid request|malformed|missing', means: 'rejected' },
          { status: [400], means: 'refused' },
        ],
      },
    },
  },

  /**
   * WAHA: WhatsApp on the owner's server. Sources: https://waha.devlike.pro/docs/how-to/send-messages/ and the requests
   * in https://github.com/devlikeapro/waha. A session that is not connected answers 422.
   */
  waha: {
    name: 'WAHA',
    ...SELF_HOSTED,
    needs: 'a WAHA server, linked to a phone by QR code',
    options: { session: { pattern: '^[\\w-]{1,54}$', what: "the session's name", standard: 'default' } },
    shape: {
      secrets: ['API_KEY'],
      receiver: 'phone',
      headers: { 'x-api-key': '{secret.API_KEY}' },
      max_length: 4_096,
      kinds: {
        text: { path: '/api/sendText', json: { ...IN_CHAT, text: '{message}' } },
        image: {
          path: '/api/sendImage',
          json: { ...IN_CHAT, file: { mimetype: 'image/jpeg', url: '{image_url}' }, caption: '{caption}' },
        },
        voice: {
          path: '/api/sendVoice',
          json: {
            ...IN_CHAT,
            file: { mimetype: 'audio/ogg; codecs=opus', url: '{audio_url}' },
            convert: true,
          },
        },
        poll: {
          path: '/api/sendPoll',
          json: { ...IN_CHAT, poll: { name: '{question}', options: '{options}', multipleAnswers: false } },
          limits: { question: 255, options: 12, option: 100 },
        },
        status: {
          path: '/api/{option.session}/status/text',
          json: { text: '{text}', backgroundColor: '#38b42f', font: 1 },
        },
      },
      answer: {
        sent: { field: 'id' },
        reason: ['message', 'error', 'exception.message'],
        rules: [{ status: [422], field: 'status', means: 'busy', cause: 'not-linked' }],
      },
    },
  },

  /**
   * Evolution API 2: WhatsApp on the owner's server. Sources:
   * https://doc.evolution-api.com/v2/api-reference/message-controller and the requests in
   * https://github.com/EvolutionAPI/evolution-api.
   */
  evolution: {
    name: 'Evolution API',
    ...SELF_HOSTED,
    needs: 'an Evolution server, and an instance linked to a phone by QR code',
    options: { instance: { pattern: '^[\\w .-]{1,100}$', what: "the instance's name" } },
    shape: {
      secrets: ['API_KEY'],
      receiver: 'phone',
      headers: { apikey: '{secret.API_KEY}' },
      max_length: 4_096,
      kinds: {
        text: { path: '/message/sendText/{option.instance}', json: { number: '{to}', text: '{message}' } },
        image: {
          path: '/message/sendMedia/{option.instance}',
          json: { number: '{to}', mediatype: 'image', media: '{image_url}', caption: '{caption}' },
        },
        voice: {
          path: '/message/sendWhatsAppAudio/{option.instance}',
          json: { number: '{to}', audio: '{audio_url}' },
        },
        poll: {
          path: '/message/sendPoll/{option.instance}',
          json: { number: '{to}', name: '{question}', selectableCount: 1, values: '{options}' },
          limits: { question: 255, options: 10, option: 100 },
        },
        status: {
          path: '/message/sendStatus/{option.instance}',
          json: { type: 'text', content: '{text}', backgroundColor: '#38b42f', font: 1, allContacts: true },
        },
      },
      answer: {
        sent: { field: 'key.id' },
        reason: ['response.message.0', 'response.message.0.0', 'response.message', 'message', 'error'],
        rules: [
          {
            status: [400],
            field: 'response.message.0.exists',
            is: [false],
            means: 'rejected',
            cause: 'no-whatsapp',
          },
          { status: [404], means: 'unauthorized', cause: 'no-instance' },
          { matches: 'Connection Closed', means: 'busy', cause: 'not-linked' },
        ],
      },
    },
  },

  /**
   * WhatsApp by Meta. Sources:
   * https://developers.facebook.com/documentation/business-messaging/whatsapp/messages/send-messages and
   * …/support/error-codes. Later than 24 hours after a receiver's last message, Meta accepts only templates that it has
   * approved. hookbell does not send those.
   */
  'whatsapp-cloud': {
    name: 'WhatsApp Cloud API',
    costs: 'per message, except in the 24 hours after a receiver wrote',
    needs: 'a Meta business account with a number; receivers who wrote to it within 24 hours',
    baseUrl: 'https://graph.facebook.com/v23.0',
    options: {
      phone_number_id: { pattern: '^[0-9]{5,20}$', what: "the sending number's id at Meta, in quotes" },
    },
    // Meta allows far more in all, but in the long run only one every 6 seconds to a receiver.
    rate: { perMinute: 60, burst: 10 },
    shape: {
      secrets: ['TOKEN'],
      receiver: 'phone',
      headers: { authorization: 'Bearer {secret.TOKEN}' },
      max_length: 4_096,
      kinds: {
        text: {
          path: META_PATH,
          json: { ...TO_ONE, type: 'text', text: { body: '{message}', preview_url: true } },
        },
        image: {
          path: META_PATH,
          json: { ...TO_ONE, type: 'image', image: { link: '{image_url}', caption: '{caption}' } },
          limits: { caption: 1_024 },
        },
        voice: { path: META_PATH, json: { ...TO_ONE, type: 'audio', audio: { link: '{audio_url}' } } },
      },
      answer: {
        sent: { field: 'messages.0.id' },
        refused: { field: 'error' },
        reason: ['error.error_data.details', 'error.message'],
        rules: [
          { field: 'error.code', is: [131047], means: 'rejected', cause: 'day-over' },
          { field: 'error.code', is: [0, 3, 10, 190, 131005, 131031, 131042, 368], means: 'unauthorized' },
          { field: 'error.code', is: [4, 80007, 130429, 131048, 131056, 131057, 133016], means: 'busy' },
          { field: 'error.code', is: [1, 2, 131000, 131016, 133004], means: 'server_error' },
          { field: 'error.code', is: [131026], means: 'rejected', cause: 'no-whatsapp' },
        ],
      },
    },
  },

  /**
   * Twilio's SMS and WhatsApp. Sources: https://www.twilio.com/docs/messaging/api/message-resource and
   * https://www.twilio.com/docs/api/errors. The answer says only that Twilio has accepted the message, not whether a
   * network delivers it later.
   */
  twilio: {
    name: 'Twilio',
    costs: 'per message',
    needs: 'an account with a sending number, a short code or a sender’s name',
    repeats: 'a repeated call is sent, and paid for, twice',
    baseUrl: 'https://api.twilio.com',
    options: {
      from: {
        pattern: '^(?:\\+[1-9][0-9]{6,14}|[0-9]{3,8}|[A-Za-z0-9 ]{1,11})$',
        what: 'the sending number such as "+15550100000", a short code, or a sender’s name',
      },
      channel: { words: { sms: '', whatsapp: 'whatsapp:' }, what: 'sms or whatsapp', standard: 'sms' },
    },
    // A long number may send one a second.
    rate: { perMinute: 60, burst: 5 },
    shape: {
      secrets: ['ACCOUNT_SID', 'AUTH_TOKEN'],
      receiver: 'phone',
      basic: ['{secret.ACCOUNT_SID}', '{secret.AUTH_TOKEN}'],
      format: 'plain',
      max_length: 1_600,
      kinds: {
        text: {
          path: TWILIO_PATH,
          form: { To: '{option.channel}+{to}', From: '{option.channel}{option.from}', Body: '{message}' },
        },
        image: {
          path: TWILIO_PATH,
          form: { ...BY_WHATSAPP, Body: '{caption}', MediaUrl: '{image_url}' },
          only: { channel: 'whatsapp:' },
        },
        voice: {
          path: TWILIO_PATH,
          form: { ...BY_WHATSAPP, MediaUrl: '{audio_url}' },
          only: { channel: 'whatsapp:' },
        },
      },
      answer: {
        sent: { field: 'sid' },
        refused: { field: 'status', is: ['failed', 'undelivered', 'canceled'] },
        reason: ['message', 'error_message'],
        rules: [
          { field: 'code', is: [20003, 20005, 20008], means: 'unauthorized' },
          { field: 'code', is: [20429, 14107, 21611, 63018], means: 'busy' },
          { field: 'code', is: [21610], means: 'rejected', cause: 'said-stop' },
          { field: 'code', is: [63016], means: 'rejected', cause: 'day-over' },
        ],
      },
    },
  },
};

/** The gateways of other makers. They are data, and compiled only at their first use. */
export const MAKERS = MAKER_IDS.map((id) => ({ id, ...MAKER_BY_ID[id] }));

export const findMaker = (id: string) => MAKERS.find((maker) => maker.id === id);

/** The facts that people need to choose a gateway. The standard gateway comes first, then those of other makers. */
export const GATEWAYS = [
  {
    id: 'v2',
    name: 'Gateway of the API v2',
    costs: 'depends on your plan',
    needs: 'an account with that API, and a phone linked to it',
  },
  ...MAKERS,
];

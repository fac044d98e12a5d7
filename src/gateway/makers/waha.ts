import type { Maker, MakerInWords } from '../shape.ts';

/**
 * WAHA: WhatsApp on the owner's server. Sources: https://waha.devlike.pro/docs/how-to/send-messages/ and the requests
 * in https://github.com/devlikeapro/waha. A session that is not connected answers 422.
 */
export const maker: Maker = {
  name: 'WAHA',
  baseUrl: null,
  options: { session: { pattern: '^[\\w-]{1,54}$', what: "the session's name", standard: 'default' } },
  rate: { perMinute: 30, burst: 5 },
  shape: {
    secrets: ['API_KEY'],
    receiver: 'phone',
    headers: { 'x-api-key': '{secret.API_KEY}' },
    max_length: 4_096,
    kinds: {
      text: {
        path: '/api/sendText',
        json: { session: '{option.session}', chatId: '{to}@c.us', text: '{message}' },
      },
      image: {
        path: '/api/sendImage',
        json: {
          session: '{option.session}',
          chatId: '{to}@c.us',
          file: { mimetype: 'image/jpeg', url: '{image_url}' },
          caption: '{caption}',
        },
      },
      voice: {
        path: '/api/sendVoice',
        json: {
          session: '{option.session}',
          chatId: '{to}@c.us',
          file: { mimetype: 'audio/ogg; codecs=opus', url: '{audio_url}' },
          convert: true,
        },
      },
      poll: {
        path: '/api/sendPoll',
        json: {
          session: '{option.session}',
          chatId: '{to}@c.us',
          poll: { name: '{question}', options: '{options}', multipleAnswers: false },
        },
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
      rules: [
        {
          status: [422],
          field: 'status',
          means: 'busy',
          cause: 'not-linked',
        },
      ],
    },
  },
};

export const words: MakerInWords = {
  costs: 'free, on your own server',
  needs: 'a WAHA server, linked to a phone by QR code',
  repeats: 'a repeated call is shown twice',
};

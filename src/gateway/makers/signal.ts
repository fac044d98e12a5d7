import type { Maker, MakerInWords } from '../shape.ts';

/**
 * Signal through signal-cli-rest-api on the owner's server. Sources: https://bbernhard.github.io/signal-cli-rest-api/
 * and https://github.com/bbernhard/signal-cli-rest-api. It has no login of its own, so it belongs behind a proxy. The
 * optional secret is the `Authorization` header for that proxy.
 */
export const maker: Maker = {
  name: 'Signal',
  baseUrl: null,
  options: {
    number: { pattern: '^\\+[1-9][0-9]{6,14}$', what: 'the sending number, such as "+4915112345678"' },
  },
  rate: { perMinute: 30, burst: 5 },
  shape: {
    optional_secrets: ['AUTHORIZATION'],
    receiver: 'phone',
    headers: { authorization: '{secret.AUTHORIZATION}' },
    format: 'plain',
    max_length: 2_000,
    kinds: {
      text: {
        path: '/v2/send',
        json: { number: '{option.number}', recipients: ['+{to}'], message: '{message}', text_mode: 'normal' },
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
};

export const words: MakerInWords = {
  costs: 'free, on your own server',
  needs: 'signal-cli-rest-api behind a proxy with a login, and a number registered with it',
  repeats: 'a repeated call is shown twice',
};

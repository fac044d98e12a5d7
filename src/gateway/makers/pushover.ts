import type { Maker, MakerInWords } from '../shape.ts';

/**
 * Pushover. Source: https://pushover.net/api. A token and a user key have 30 letters and digits. A wrong token is a 400
 * like any other wrong field; the answer names the field. A message has at most 1,024 characters, a title 250 and a
 * supplementary URL 512 (“Limitations”); hookbell sends everything as the message. An application may send 10,000
 * messages a month for free, and then gets 429 until the first of the next month. At most two calls may be in flight
 * (“Being Friendly to our API”).
 */
export const maker: Maker = {
  name: 'Pushover',
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
};

export const words: MakerInWords = {
  costs: 'a one-time price per receiver and platform; 10,000 messages a month',
  needs: 'an application, with its token, and each receiver’s user key',
  repeats: 'a repeated call is shown twice',
};

import type { Maker, MakerInWords } from '../shape.ts';

/**
 * ntfy. Source: https://docs.ntfy.sh/publish/#publish-as-json; the errors are from `server/errors.go` in
 * https://github.com/binwiederhier/ntfy. A topic is its own secret: anybody who knows it can read the messages. A
 * message with the same sequence id replaces the one before it
 * (https://docs.ntfy.sh/publish/#updating-deleting-notifications); older servers ignore the header.
 */
export const maker: Maker = {
  name: 'ntfy',
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
};

export const words: MakerInWords = {
  costs: 'free, 250 messages a day on ntfy.sh; or your own server',
  needs: 'the ntfy app, subscribed to a topic; no account',
  repeats:
    'a repeated call replaces the first, by the message’s id, in browsers and on Android (ntfy 2.16, app 1.22); elsewhere it is shown twice',
  readAlong: 'whoever knows or guesses a public topic can read its messages and write to it',
};

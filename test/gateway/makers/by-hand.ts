import type { HttpShape } from '../../../src/gateway/shape.ts';

/** A gateway that a document declares by hand: it has a strict stand-in, that of WAHA, whose requests these are. */
export const BY_HAND: HttpShape = {
  secrets: ['KEY'],
  receiver: 'phone',
  headers: { 'X-Api-Key': '{secret.KEY}', 'X-Request-Id': '{id}' },
  max_length: 2_000,
  kinds: {
    text: { path: '/api/sendText', json: { session: 'mine', chatId: '{to}@c.us', text: '{message}' } },
    image: {
      path: '/api/sendImage',
      json: {
        session: 'mine',
        chatId: '{to}@c.us',
        file: { mimetype: 'image/png', url: '{image_url}' },
        caption: { lines: ['{caption}', 'by hand'] },
      },
      limits: { caption: 1_000, image_url: 500 },
    },
    poll: {
      path: '/api/sendPoll',
      json: { session: 'mine', chatId: '{to}@c.us', poll: { name: '{question}', options: '{options}' } },
      limits: { question: 200, options: 10, option: 80 },
    },
    status: { path: '/api/mine/status/text', json: { text: '{text}' } },
  },
  answer: {
    sent: { field: 'id' },
    refused: { field: 'error' },
    reason: ['message', 'error'],
    retry_after: 'wait',
    rules: [{ field: 'code', is: ['no_such_number'], means: 'rejected', say: 'nobody has this number' }],
  },
};

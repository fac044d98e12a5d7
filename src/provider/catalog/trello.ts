import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Trello. When a webhook is created, it sends an empty HEAD request. An answer of 410 would delete the webhook. */
export const trello: Provider = {
  id: 'trello',
  name: 'Trello',
  subject: '{{ payload.action.data.board.name }}: {{ payload.action.data.card.name }}',
  category: 'crm',
  verify: hmac({
    header: ['X-Trello-Webhook'],
    algorithm: 'sha1',
    encoding: 'base64',
    signed: '{raw_body}{url}',
  }),
  event_type: ['body:action.type'],
  dedupe: ['body:action.id'],
  handshakes: [{ match: { method: 'HEAD', where: [] }, proof: { by: 'nothing' }, respond: { status: 200 } }],
  answers: [{ status: 200 }],
};

import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Meta's apps, mainly WhatsApp. One request may contain many messages, and has no id. */
export const metaWhatsapp: Provider = {
  id: 'meta-whatsapp',
  name: 'Meta (WhatsApp Cloud)',
  subject:
    '{% assign one = payload.entry[0].changes[0].value %}{{ one.contacts[0].profile.name }} {{ one.messages[0].text.body | default: one.messages[0].type | default: one.statuses[0].errors[0].title | default: one.statuses[0].status }}',
  category: 'messaging',
  verify: hmac({ header: ['X-Hub-Signature-256'], prefix: 'sha256=' }),
  event_type: [['body:object', 'body:entry.0.changes.0.field'], 'body:object'],
  dedupe: [],
  // A message keeps its id when it is sent, delivered and read.
  items: { at: 'entry.*.changes.*.value.messages', id: [['body:id', 'body:status'], 'body:id'] },
  chat_ids: [
    'entry.*.changes.*.value.messages.*.from',
    'entry.*.changes.*.value.contacts.*.wa_id',
    'entry.*.changes.*.value.statuses.*.recipient_id',
    'entry.*.changes.*.value.message_echoes.*.to',
  ],
  handshakes: [
    {
      match: { method: 'GET', where: [{ at: 'query:hub.mode', equals: 'subscribe' }] },
      proof: { by: 'secret', at: 'query:hub.verify_token' },
      respond: { status: 200, body: { text: { echo: 'query:hub.challenge' } } },
    },
  ],
  answers: [{ status: 200 }],
};

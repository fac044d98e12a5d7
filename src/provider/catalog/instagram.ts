import type { Provider } from '../provider.ts';
import { metaWhatsapp } from './meta-whatsapp.ts';

/** Instagram's comments, mentions and messages. Meta signs them, and tests the address, as for WhatsApp. */
export const instagram: Provider = {
  ...metaWhatsapp,
  id: 'instagram',
  name: 'Instagram',
  subject:
    '{% assign one = payload.entry[0].changes[0].value %}{% assign message = payload.entry[0].messaging[0].message %}{{ one.from.username }} {{ message.text | default: message.attachments[0].type | default: one.text | default: one.comment_id }}',
  // For apps with Instagram's own login, the change is in the entry itself.
  event_type: ['body:entry.0.changes.0.field', 'body:entry.0.field', 'body:object'],
  items: { at: 'entry.*.messaging', id: ['body:message.mid'] },
};

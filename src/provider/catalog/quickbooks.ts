import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/**
 * QuickBooks Online: a list of CloudEvents, or the format from before 2026. It names the changed object only by its id.
 */
export const quickbooks: Provider = {
  id: 'quickbooks',
  name: 'QuickBooks Online',
  subject:
    '{% if payload.eventNotifications %}{% assign one = payload.eventNotifications[0].dataChangeEvent.entities[0] %}{{ one.name }} {{ one.id }}{% else %}{{ payload[0].type | split: "." | slice: 1, 1 | first }} {{ payload[0].intuitentityid }}{% if payload.size > 1 %} +{{ payload.size | minus: 1 }}{% endif %}{% endif %}',
  category: 'payments',
  verify: hmac({ header: ['intuit-signature'], encoding: 'base64' }),
  event_type: [
    'body:0.type',
    [
      'body:eventNotifications.0.dataChangeEvent.entities.0.name',
      'body:eventNotifications.0.dataChangeEvent.entities.0.operation',
    ],
  ],
  dedupe: [],
  items: {
    at: '',
    id: [
      ['body:source', 'body:id'],
      ['body:name', 'body:id', 'body:operation', 'body:lastUpdated'],
    ],
  },
  answers: [{ status: 200 }],
};

import type { Provider } from '../provider.ts';

/** Anything else that posts a form or JSON. */
export const generic: Provider = {
  id: 'generic',
  name: 'Anything that posts a webhook',
  subject: '{{ payload.order }} {{ payload.name | default: payload.title | default: payload.subject }}',
  category: 'other',
  verify: null,
  event_type: ['body:type', 'body:event'],
  dedupe: [],
};

import type { Provider } from '../provider.ts';
import { timedHmac } from '../schemes.ts';

/**
 * Formspree's simple webhooks. A submission has no id. Two submissions of one form at the same instant are
 * distinguished by their senders.
 */
export const formspree: Provider = {
  id: 'formspree',
  name: 'Formspree',
  subject: '{{ payload.submission.name | default: payload.submission.email }}',
  category: 'forms',
  verify: timedHmac('Formspree-Signature'),
  event_type: [],
  dedupe: [['body:form', 'body:submission._date', 'body:submission.email']],
};

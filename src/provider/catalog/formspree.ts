import type { Provider } from '../provider.ts';
import { timedHmac } from '../schemes.ts';

/**
 * Formspree, simple webhooks. A submission has no id: two in one form at the same instant are distinguished by their
 * sender.
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

import type { Provider } from '../provider.ts';
import { standardWebhooksHmac } from '../schemes.ts';

/** Resend, which sends through Svix. */
export const resend: Provider = {
  id: 'resend',
  name: 'Resend',
  subject: '{{ payload.data.to[0] }} {{ payload.data.subject }}',
  category: 'email',
  verify: standardWebhooksHmac,
  event_type: ['body:type'],
  dedupe: ['header:webhook-id', 'header:svix-id'],
};

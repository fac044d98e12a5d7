import type { Provider } from '../provider.ts';
import { standardWebhooksHmac } from '../schemes.ts';

/** Clerk, which sends through Svix. */
export const clerk: Provider = {
  id: 'clerk',
  name: 'Clerk',
  subject:
    '{{ payload.data.first_name }} {{ payload.data.last_name }} {{ payload.data.email_addresses[0].email_address | default: payload.data.id }}',
  category: 'other',
  verify: standardWebhooksHmac,
  event_type: ['body:type'],
  dedupe: ['header:webhook-id', 'header:svix-id'],
};

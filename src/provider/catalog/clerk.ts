import type { Provider } from '../provider.ts';
import { standardWebhooksHmac } from '../schemes.ts';

/** Clerk, which sends by Svix. */
export const clerk: Provider = {
  id: 'clerk',
  name: 'Clerk',
  category: 'other',
  verify: standardWebhooksHmac,
  event_type: ['body:type'],
  dedupe: ['header:webhook-id', 'header:svix-id'],
};

import type { Provider } from '../provider.ts';
import { bearerToken } from '../schemes.ts';

/** Supabase database webhooks: a trigger that posts only once, with the headers that its owner set. */
export const supabaseDbWebhooks: Provider = {
  id: 'supabase-db-webhooks',
  name: 'Supabase database webhooks',
  subject: '{{ payload.table }} {{ payload.record.id | default: payload.old_record.id }}',
  category: 'devops',
  verify: bearerToken,
  event_type: [['body:type', 'body:table']],
  // The same row may be updated twice on purpose.
  dedupe: [],
};

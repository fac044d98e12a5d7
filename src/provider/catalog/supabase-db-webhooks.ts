import type { Provider } from '../provider.ts';
import { bearerToken } from '../schemes.ts';

/** Supabase database webhooks: a trigger that posts once, with the headers that it was given, and never again. */
export const supabaseDbWebhooks: Provider = {
  id: 'supabase-db-webhooks',
  name: 'Supabase database webhooks',
  subject: '{{ payload.table }} {{ payload.record.id | default: payload.old_record.id }}',
  category: 'devops',
  verify: bearerToken,
  event_type: [['body:type', 'body:table']],
  // The same row may rightly be updated twice.
  dedupe: [],
};

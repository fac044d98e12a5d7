import type { Provider } from '../provider.ts';

/** Chargebee. It signs nothing: HTTP Basic with a user and password from its settings. */
export const chargebee: Provider = {
  id: 'chargebee',
  name: 'Chargebee',
  category: 'payments',
  verify: { scheme: 'basic' },
  event_type: ['body:event_type'],
  dedupe: ['body:id'],
};

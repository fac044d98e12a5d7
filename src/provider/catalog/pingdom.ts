import type { Provider } from '../provider.ts';

/** Pingdom's state change webhooks. */
export const pingdom: Provider = {
  id: 'pingdom',
  name: 'Pingdom',
  category: 'alerts',
  verify: null,
  event_type: ['body:current_state'],
  dedupe: [],
};

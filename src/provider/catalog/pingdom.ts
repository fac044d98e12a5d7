import type { Provider } from '../provider.ts';

/** Pingdom's state change webhooks. */
export const pingdom: Provider = {
  id: 'pingdom',
  name: 'Pingdom',
  subject: '{{ payload.check_name }} {{ payload.current_state }}',
  category: 'alerts',
  verify: null,
  event_type: ['body:current_state'],
  dedupe: [],
};

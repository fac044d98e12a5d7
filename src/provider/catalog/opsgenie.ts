import type { Provider } from '../provider.ts';

/** Opsgenie's outgoing webhooks: an alert, and the action on it. */
export const opsgenie: Provider = {
  id: 'opsgenie',
  name: 'Opsgenie',
  subject: '#{{ payload.alert.tinyId }} {{ payload.alert.message }}',
  category: 'alerts',
  verify: null,
  event_type: ['body:action'],
  dedupe: [],
};

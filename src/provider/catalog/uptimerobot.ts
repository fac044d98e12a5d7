import type { Provider } from '../provider.ts';

/** UptimeRobot. Its variables are fields of JSON, of a form or of the query, as its settings say. */
export const uptimerobot: Provider = {
  id: 'uptimerobot',
  name: 'UptimeRobot',
  subject: '{{ payload.monitorFriendlyName }} {{ payload.alertTypeFriendlyName }}',
  category: 'alerts',
  verify: null,
  event_type: [
    'body:alertTypeFriendlyName',
    'body:alertType',
    'query:alertTypeFriendlyName',
    'query:alertType',
  ],
  dedupe: [],
};

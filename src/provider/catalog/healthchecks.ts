import type { Provider } from '../provider.ts';

/** Healthchecks.io, and other monitors of pings that post the body of its starter. */
export const healthchecks: Provider = {
  id: 'healthchecks',
  name: 'Healthchecks.io (pings of cron jobs)',
  subject: '{{ payload.name }}',
  category: 'alerts',
  verify: null,
  event_type: ['body:status'],
  dedupe: [],
};

import type { Provider } from '../provider.ts';

/** Prometheus Alertmanager's webhook, version 4. It repeats alerts on purpose, so no two notifications are duplicates. */
export const alertmanager: Provider = {
  id: 'alertmanager',
  name: 'Prometheus Alertmanager',
  category: 'alerts',
  verify: null,
  event_type: ['body:status'],
  dedupe: [],
};

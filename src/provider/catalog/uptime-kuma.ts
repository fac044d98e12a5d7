import type { Provider } from '../provider.ts';

/**
 * Uptime Kuma: JSON, or a form with the same JSON in the field `data`. `heartbeat.status` is 0 for down and 1 for up.
 */
export const uptimeKuma: Provider = {
  id: 'uptime-kuma',
  name: 'Uptime Kuma',
  subject: '{{ payload.monitor.name | default: payload.msg }}',
  category: 'alerts',
  verify: null,
  event_type: ['body:heartbeat.status'],
  dedupe: [],
  body: { json_field: 'data' },
};

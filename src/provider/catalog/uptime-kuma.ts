import type { Provider } from '../provider.ts';

/** Uptime Kuma: JSON, or a form whose field `data` holds the same JSON. `heartbeat.status` is 0 when down, 1 when up. */
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

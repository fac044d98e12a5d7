import type { Provider } from '../provider.ts';

/** Zabbix, with a media type whose script posts the body of its starter. */
export const zabbix: Provider = {
  id: 'zabbix',
  name: 'Zabbix',
  subject: '{{ payload.host }} {{ payload.name }}',
  category: 'alerts',
  verify: null,
  event_type: ['body:status'],
  dedupe: [],
};

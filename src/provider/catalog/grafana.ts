import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Grafana alerting's webhook, signed by its HMAC setting with its default header and no timestamp. */
export const grafana: Provider = {
  id: 'grafana',
  name: 'Grafana',
  category: 'alerts',
  verify: hmac({ header: ['X-Grafana-Alerting-Signature'] }),
  event_type: ['body:status'],
  dedupe: [],
};

import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Grafana alerting's webhook with its HMAC setting, the default header, and no timestamp. */
export const grafana: Provider = {
  id: 'grafana',
  name: 'Grafana',
  subject:
    '{{ payload.groupLabels.alertname | default: payload.commonLabels.alertname | default: payload.alerts[0].labels.alertname }} {{ payload.commonLabels.instance | default: payload.alerts[0].labels.instance }}{% if payload.alerts.size > 1 %} +{{ payload.alerts.size | minus: 1 }}{% endif %}',
  category: 'alerts',
  verify: hmac({ header: ['X-Grafana-Alerting-Signature'] }),
  event_type: ['body:status'],
  dedupe: [],
  left_out: { list: 'alerts', count: 'truncatedAlerts' },
  size_setting: 'group by more labels, or set *Max Alerts* of its contact point, which drops alerts',
};

import type { Provider } from '../provider.ts';

/** Prometheus Alertmanager's webhook, version 4. It repeats alerts on purpose, so no two notifications are duplicates. */
export const alertmanager: Provider = {
  id: 'alertmanager',
  name: 'Prometheus Alertmanager',
  subject:
    '{{ payload.groupLabels.alertname | default: payload.commonLabels.alertname | default: payload.alerts[0].labels.alertname }} {{ payload.commonLabels.instance | default: payload.alerts[0].labels.instance }}{% if payload.alerts.size > 1 %} +{{ payload.alerts.size | minus: 1 }}{% endif %}',
  category: 'alerts',
  verify: null,
  event_type: ['body:status'],
  dedupe: [],
  left_out: { list: 'alerts', count: 'truncatedAlerts' },
  size_setting:
    'group by more labels (`group_by`), or set `max_alerts` in its `webhook_configs` entry, which drops alerts',
};

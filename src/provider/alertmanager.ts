import { jsonSample, type Provider } from './provider.ts';

const commonLabels = { alertname: 'InstanceDown', job: 'shop', severity: 'critical' };
const NEVER = '0001-01-01T00:00:00Z';

function alert(instance: string, fingerprint: string, resolvedAt: string | null) {
  return {
    status: resolvedAt === null ? 'firing' : 'resolved',
    labels: { ...commonLabels, instance },
    annotations: { summary: `${instance} has been down for more than 5 minutes` },
    startsAt: '2026-01-05T08:25:00Z',
    endsAt: resolvedAt ?? NEVER,
    generatorURL: 'https://prometheus.example.com/graph?g0.expr=up+%3D%3D+0',
    fingerprint,
  };
}

/** Prometheus Alertmanager's webhook, version 4. It repeats alerts on purpose, so no two notifications are duplicates. */
export const alertmanager: Provider = {
  id: 'alertmanager',
  name: 'Prometheus Alertmanager',
  category: 'alerts',
  docs_url: 'https://prometheus.io/docs/alerting/latest/configuration/#webhook_config',
  verify: null,
  event_type: ['body:status'],
  dedupe: [],
  samples: [
    jsonSample('firing', {
      version: '4',
      groupKey: '{}:{alertname="InstanceDown"}',
      truncatedAlerts: 0,
      status: 'firing',
      receiver: 'hookbell',
      groupLabels: { alertname: 'InstanceDown' },
      commonLabels,
      commonAnnotations: {},
      externalURL: 'https://alertmanager.example.com',
      alerts: [
        alert('web-1.example.com', 'c1a3f0d2b4e59687', null),
        alert('web-2.example.com', '9f8e7d6c5b4a3021', null),
        alert('web-3.example.com', '0a1b2c3d4e5f6071', '2026-01-05T08:29:30Z'),
      ],
    }),
  ],
  routes: [
    {
      name: 'alerts',
      each: 'payload.alerts',
      to: 'on-call',
      send: {
        kind: 'text',
        message:
          '{% if item.status == "firing" %}🔥{% else %}✅{% endif %} {{ item.labels.alertname | bold }} {{ item.status }}\n{{ item.annotations.summary | plain }}',
      },
    },
  ],
};

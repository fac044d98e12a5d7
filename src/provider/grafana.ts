import { jsonSample, type Provider } from './provider.ts';

/** Grafana alerting's webhook, signed by its HMAC setting with its default header and no timestamp. */
export const grafana: Provider = {
  id: 'grafana',
  name: 'Grafana',
  category: 'alerts',
  docs_url:
    'https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/',
  verify: {
    scheme: 'hmac',
    header: ['X-Grafana-Alerting-Signature'],
    algorithm: 'sha256',
    encoding: 'hex',
    signed: '{raw_body}',
    secret_encoding: 'utf8',
  },
  event_type: ['body:status'],
  dedupe: [],
  samples: [
    jsonSample('firing', {
      receiver: 'hookbell',
      status: 'firing',
      orgId: 1,
      alerts: [
        {
          status: 'firing',
          labels: { alertname: 'High memory usage', team: 'shop', zone: 'eu-1' },
          annotations: { summary: 'The shop uses 92 % of its memory' },
          startsAt: '2026-01-05T08:25:00Z',
          endsAt: '0001-01-01T00:00:00Z',
          generatorURL: 'https://grafana.example.com/alerting/grafana/1afz29v7z/view',
          fingerprint: 'c6eadffa33fcdf37',
          silenceURL: 'https://grafana.example.com/alerting/silence/new',
          dashboardURL: '',
          panelURL: '',
          values: { A: 92 },
        },
      ],
      groupLabels: { alertname: 'High memory usage' },
      commonLabels: { alertname: 'High memory usage', team: 'shop', zone: 'eu-1' },
      commonAnnotations: { summary: 'The shop uses 92 % of its memory' },
      externalURL: 'https://grafana.example.com/',
      version: '1',
      groupKey: '{}:{alertname="High memory usage"}',
      truncatedAlerts: 0,
      title: '[FIRING:1] High memory usage (shop eu-1)',
      state: 'alerting',
      message: '**Firing**\n\nThe shop uses 92 % of its memory',
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

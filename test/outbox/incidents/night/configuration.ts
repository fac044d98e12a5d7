/** Whom a number belongs to, as the expected messages name them. */
export const PEOPLE: ReadonlyMap<string, string> = new Map([
  ['4915100000001', 'Ada'],
  ['4915100000002', 'Ben'],
  ['4915100000003', 'desk'],
]);
const [ADA = '', BEN = '', DESK = ''] = PEOPLE.keys();

const BERLIN = 'Europe/Berlin';

/** Notifies people of a cluster and of its services. Ada sleeps, Ben wants to know how it was, the desk is awake. */
export const NIGHT = {
  sources: {
    alerts: {
      verify: { scheme: 'none' },
      country: 'DE',
      locale: 'en-GB',
      timezone: BERLIN,
      routes: [
        {
          name: 'cluster',
          when: 'payload.alert == "ClusterDown"',
          to: ['ada', 'ben', 'desk'],
          priority: 'high',
          stop: true,
          incident: { key: '{{ payload.cluster }}', resolved: 'payload.status == "resolved"' },
          send: {
            kind: 'text',
            message:
              '{% if resolved.size > 0 %}✅ Cluster {{ item.cluster }} is back after {{ duration_ms | divided_by: 1000 | duration }}' +
              '{% else %}🔥 Cluster {{ item.cluster }} is down{% endif %}',
          },
        },
        {
          name: 'services',
          each: 'payload.alerts',
          to: ['ada', 'ben', 'desk'],
          incident: {
            key: '{{ item.alert }}/{{ item.instance }}',
            resolved: 'item.status == "resolved"',
            repeat: '4h',
            inhibited_by: 'cluster/{{ item.cluster }}',
            flapping: { changes: 6, per: '1h' },
          },
          group: { by: ['{{ item.service }}', '{{ item.alert }}'], wait: '30s', interval: '5m', max: 3 },
          throttle: [
            { max: 3, per: '10m' },
            { max: 10, per: '1h' },
          ],
          send: { kind: 'text', message: message() },
        },
      ],
    },
  },
  recipients: {
    ada: { numbers: [ADA], quiet: { from: '22:00', to: '07:00', timezone: BERLIN } },
    ben: { numbers: [BEN], quiet: { from: '23:00', to: '06:00', timezone: BERLIN, do: 'digest' } },
    desk: { numbers: [DESK] },
  },
  silences: {
    'sunday-maintenance': {
      when: 'item.env == "staging"',
      every: { days: ['sun'], from: '02:00', to: '04:00', timezone: BERLIN },
      reason: 'staging is rebuilt',
    },
  },
};

/** Says what is new, what has resolved and how long it lasted, and how many are firing. */
function message(): string {
  const about = '{{ about.service }}: {{ about.alert }}';
  return [
    '{% assign newest = new.last | default: resolved.last | default: last %}{% assign about = newest.item -%}',
    `{% if newest.flapping %}〰️ ${about} is flapping{% elsif count == 0 %}✅ ${about} is over{% else %}🔥 ${about}, {{ count }} firing{% endif %}`,
    '{% for one in new limit: 5 %}+ {{ one.item.instance }}{% if one.flapping %}, {{ one.changes }} changes{% endif %}',
    '{% endfor %}{% if new.size > 5 %}+ {{ new.size | minus: 5 }} more',
    '{% endif %}{% for one in resolved limit: 5 %}- {{ one.item.instance }} after {{ one.duration_ms | divided_by: 1000 | duration }}',
    '{% endfor %}{% if resolved.size > 5 %}- {{ resolved.size | minus: 5 }} more',
    '{% endif %}{% if new.size == 0 and resolved.size == 0 %}still {% for one in firing %}{{ one.item.instance }} {% endfor %}since {{ first.started_at | date: "%H:%M" }}{% endif %}',
  ].join('\n');
}

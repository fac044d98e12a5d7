import type { Examples } from '../spec.ts';

const disk = {
  id: 'inc_0hk7nd0gz3a9w4qk',
  account: 'default',
  source: 'alerts',
  route: 'on-call',
  key: 'disk',
  title: 'DiskFull db-1',
  summary: '96% of /var is used on db-1',
  severity: 'critical',
  critical: true,
  state: 'open',
  started_at: '2026-11-21T07:38:18.714Z',
  heard_at: '2026-11-21T07:43:18.009Z',
  occurrences: 2,
  flapping: false,
  event: 'evt_01m7ygnc6tevq7n99nkb7gx0s0',
};

const receiver = {
  phone: '4915112345678',
  state: 'notified',
  message: 'msg_000000009hk7nd0g',
  notified_at: '2026-11-21T07:38:48.791Z',
  items: { notified: 1, waiting: 1 },
};

const shown = {
  ...disk,
  silence_by: [{ source: 'alerts', route: 'on-call', keys: ['disk'] }, { source: 'alerts' }],
  links: {
    generatorURL: 'https://prometheus.example/graph',
    'annotations.runbook_url': 'https://wiki.example/disk',
  },
  steps: [{ at: '2026-11-21T07:48:18.714Z', step: 1, to: ['second-line'] }],
  next: { at: '2026-11-21T08:08:18.714Z', step: 2, to: ['managers'] },
  receivers: [
    {
      ...receiver,
      notifications: [
        {
          message: 'msg_000000009hk7nd0g',
          items: 1,
          state: 'sent',
          created_at: '2026-11-21T07:38:48.720Z',
          sent_at: '2026-11-21T07:38:48.791Z',
        },
      ],
    },
  ],
};

export const incidentExamples = {
  page: { page: { value: { items: [{ ...disk, receivers: [receiver] }], next_cursor: null } } },
  summary: {
    night: {
      value: {
        items: [
          {
            source: 'alerts',
            open: 38,
            unattended: 31,
            acknowledged: 2,
            silenced: 5,
            inhibited: 0,
            critical: 3,
            fired_at: '2026-11-21T07:43:18.009Z',
            worst: { ...disk, receivers: [receiver] },
          },
        ],
        next_cursor: null,
      },
    },
  },
  one: { incident: { value: shown } },
  acknowledged: {
    acknowledged: {
      value: {
        ...shown,
        state: 'acknowledged',
        acknowledged_at: '2026-11-21T07:45:40.120Z',
        acknowledged_by: 'anna@example.com',
      },
    },
  },
  many: {
    source: { value: { source: 'alerts' } },
    ids: { value: { incidents: ['inc_0hk7nd0gz3a9w4qk', 'inc_4vd2mj8s1x6ty5cb'] } },
  },
  changed: {
    changed: {
      value: {
        changed: 1,
        left: [{ incident: 'inc_4vd2mj8s1x6ty5cb', why: 'not_open' }],
        next_cursor: null,
      },
    },
  },
  resolved: {
    resolved: {
      value: {
        ...shown,
        state: 'resolved',
        resolved_at: '2026-11-21T07:51:02.310Z',
        resolved_by: 'anna@example.com',
      },
    },
  },
} as const satisfies Record<string, Examples>;

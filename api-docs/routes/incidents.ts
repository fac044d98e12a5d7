import { type Examples, PAGE, prose } from '../spec.ts';
import { changedMany, incident, incidentPage, openPage } from '../../src/outbox/answers/api-incident.ts';

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
  page: { page: { items: [{ ...disk, receivers: [receiver] }], next_cursor: null } },
  summary: {
    night: {
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
  one: { incident: shown },
  acknowledged: {
    acknowledged: {
      ...shown,
      state: 'acknowledged',
      acknowledged_at: '2026-11-21T07:45:40.120Z',
      acknowledged_by: 'anna@example.com',
    },
  },
  many: {
    source: { source: 'alerts' },
    ids: { incidents: ['inc_0hk7nd0gz3a9w4qk', 'inc_4vd2mj8s1x6ty5cb'] },
  },
  changed: {
    changed: {
      changed: 1,
      left: [{ incident: 'inc_4vd2mj8s1x6ty5cb', why: 'not_open' }],
      next_cursor: null,
    },
  },
  resolved: {
    resolved: {
      ...shown,
      state: 'resolved',
      resolved_at: '2026-11-21T07:51:02.310Z',
      resolved_by: 'anna@example.com',
    },
  },
} as const satisfies Record<string, Examples>;

const changes = {
  name: 'BulkIncidents',
  about: 'The incidents to change: by their ids, or all that match all filters.',
  keys: {
    incidents: 'The ids of up to 500 incidents. Cannot be combined with a filter.',
    source: 'Only incidents of this source.',
    group: 'Only incidents of this group: its values with `, ` between them, or one of them.',
    all: '`true`: all open incidents of every account. Cannot be combined with a filter.',
    cursor: 'The `next_cursor` of the previous response, to continue with the same filters.',
  },
  examples: incidentExamples.many,
};

/** Open and past incidents. */
export const incidentProse = prose('incidents', {
  listIncidents: {
    summary: 'List incidents',
    query: {
      source: 'Only of this source.',
      route: 'Only of this route.',
      state: 'Only those in this state: `open` (and not acknowledged), `acknowledged` or `resolved`.',
      since: ['Only those opened since then: a time, or how long ago.', '2h'],
      critical:
        '`true`: only those that cannot wait, by their sender’s severity or the `priority: high` of their route; `false`: only the others.',
      ...PAGE,
    },
    answer: {
      description: 'Open incidents first, of these the most severe first, then the newest.',
      schema: incidentPage,
      examples: incidentExamples.page,
    },
  },
  summarizeIncidents: {
    summary: 'Count open incidents by source',
    description: 'For a first look at night: counts each incident once, however many receivers it has.',
    answer: {
      description: 'Sources with open incidents; those with critical ones come first.',
      schema: openPage,
      examples: incidentExamples.summary,
    },
  },
  getIncident: {
    summary: 'Read an incident',
    answer: {
      description: 'The incident, and who was notified of what and when.',
      schema: incident,
      examples: incidentExamples.one,
    },
    problems: ['not-found'],
  },
  acknowledgeIncident: {
    summary: 'Acknowledge an incident',
    description:
      'Stops its reminders and escalation for as long as `acknowledged_for` of its route says. Everybody who was notified of it is still notified of its resolution. Only the first person who acknowledges it is recorded. 409 when it is not open.',
    answer: {
      description: 'The incident after the change.',
      schema: incident,
      examples: incidentExamples.acknowledged,
    },
    problems: ['not-found', 'conflict'],
  },
  resolveIncident: {
    summary: 'Resolve an incident',
    description:
      'Resolves it as if its sender had: everybody who was notified that it is open is notified that it has resolved, and nobody else. Its next item opens it again. 409 when it is not open.',
    answer: {
      description: 'The incident after the change.',
      schema: incident,
      examples: incidentExamples.resolved,
    },
    problems: ['not-found', 'conflict'],
  },
  acknowledgeIncidents: {
    summary: 'Acknowledge many incidents',
    description:
      'Acknowledges those with the ids in `incidents`, or all open ones that match the filters and that nobody has acknowledged, in steps of up to 500. Whoever was notified of several hears of them in one message. One that is over or unknown does not stop the rest.',
    query: { dry_run: '`true`: only count, and change nothing.' },
    body: changes,
    answer: {
      description: 'The result of this step. Ask again with `next_cursor` as `cursor` until it is null.',
      schema: changedMany,
      examples: incidentExamples.changed,
    },
  },
  resolveIncidents: {
    summary: 'Resolve many incidents',
    description:
      'Resolves those with the ids in `incidents`, or all that match the filters and are not over, in steps of up to 500. One that is over or unknown does not stop the rest.',
    query: { dry_run: '`true`: only count, and change nothing.' },
    body: changes,
    answer: {
      description: 'The result of this step. Ask again with `next_cursor` as `cursor` until it is null.',
      schema: changedMany,
      examples: incidentExamples.changed,
    },
  },
});

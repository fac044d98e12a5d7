import { PAGE, prose } from '../spec.ts';
import { changedMany, incident, incidentPage, openPage } from '../../src/outbox/answers/api-incident.ts';

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
  examples: {
    source: { source: 'alerts' },
    ids: { incidents: ['inc_0hk7nd0gz3a9w4qk', 'inc_4vd2mj8s1x6ty5cb'] },
  },
};

const CHANGED = {
  description: 'The result of this step. Ask again with `next_cursor` as `cursor` until it is null.',
  schema: changedMany,
};

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
    },
  },
  summarizeIncidents: {
    summary: 'Count open incidents by source',
    description: 'For a first look at night: counts each incident once, however many receivers it has.',
    answer: {
      description: 'Sources with open incidents; those with critical ones come first.',
      schema: openPage,
    },
  },
  getIncident: {
    summary: 'Read an incident',
    answer: { description: 'The incident, and who was notified of what and when.', schema: incident },
    problems: ['not-found'],
  },
  acknowledgeIncident: {
    summary: 'Acknowledge an incident',
    description:
      'Stops its reminders and escalation for as long as `acknowledged_for` of its route says. Everybody who was notified of it is still notified of its resolution. Only the first person who acknowledges it is recorded. 409 when it is not open.',
    answer: { description: 'The incident after the change.', schema: incident },
    problems: ['not-found', 'conflict'],
  },
  resolveIncident: {
    summary: 'Resolve an incident',
    description:
      'Resolves it as if its sender had: everybody who was notified that it is open is notified that it has resolved, and nobody else. Its next item opens it again. 409 when it is not open.',
    answer: { description: 'The incident after the change.', schema: incident },
    problems: ['not-found', 'conflict'],
  },
  acknowledgeIncidents: {
    summary: 'Acknowledge many incidents',
    description:
      'Acknowledges those with the ids in `incidents`, or all open ones that match the filters and that nobody has acknowledged, in steps of up to 500. Whoever was notified of several hears of them in one message. One that is over or unknown does not stop the rest.',
    query: { dry_run: '`true`: only count, and change nothing.' },
    body: changes,
    answer: CHANGED,
  },
  resolveIncidents: {
    summary: 'Resolve many incidents',
    description:
      'Resolves those with the ids in `incidents`, or all that match the filters and are not over, in steps of up to 500. One that is over or unknown does not stop the rest.',
    query: { dry_run: '`true`: only count, and change nothing.' },
    body: changes,
    answer: CHANGED,
  },
});

import { PAGE, prose } from '../spec.ts';
import { changedMany, incident, incidentPage, openPage } from '../../src/answers/api-incident.ts';
import {
  endedOverride,
  onCall,
  onCallCalendar,
  overrideByHand,
  receipt,
} from '../../src/admin/config/api-config.ts';
import { dryRun, ifMatch, PUBLISH_PROBLEMS, documentProse } from './documents.ts';
import { DESCRIPTIONS } from '../descriptions.ts';
import * as z from 'zod';
import { addedSilence, byHand, silenceLook, silencePage } from '../../src/answers/api-registry.ts';

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
    source: { value: { source: 'alerts' } },
    ids: { value: { incidents: ['inc_0hk7nd0gz3a9w4qk', 'inc_4vd2mj8s1x6ty5cb'] } },
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
  },
  acknowledgeIncident: {
    summary: 'Acknowledge an incident',
    description:
      'Stops its reminders and escalation for as long as `acknowledged_for` of its route says. Everybody who was notified of it is still notified of its resolution. Only the first person who acknowledges it is recorded. 409 when it is not open.',
    answer: { description: 'The incident after the change.', schema: incident },
    problems: ['conflict'],
  },
  resolveIncident: {
    summary: 'Resolve an incident',
    description:
      'Resolves it as if its sender had: everybody who was notified that it is open is notified that it has resolved, and nobody else. Its next item opens it again. 409 when it is not open.',
    answer: { description: 'The incident after the change.', schema: incident },
    problems: ['conflict'],
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

export const onCallProse = prose('recipients', {
  getOnCall: {
    summary: 'See who is on call',
    description: 'For a list with a `rotation`.',
    query: {
      at: ['The time to look at; by default now.', '2026-11-26T12:00:00Z'],
      from: 'The start of the range; by default `at`.',
      to: 'The end of the range, up to 92 days later; by default 28 days later.',
    },
    answer: { description: 'The people on call.', schema: onCall },
  },
  revokeCalendar: {
    summary: 'Revoke the link of a calendar',
    description:
      'All links to the calendar of the list that were given away stop working, and it gets a new one.',
    answer: { description: 'The new link.', schema: onCallCalendar },
  },
  addOverride: {
    summary: 'Put somebody else on call',
    description:
      'In force at once where it was made, and everywhere within 60 seconds. It is not a document: publishing and rolling back do not change it, and it needs no publish where the set is managed in git. An override by hand takes precedence over those of the document, and over those by hand that were made earlier. The same one again changes nothing. A publish that removes the person from the list ends it.',
    body: {
      name: 'NewOverride',
      about: 'Somebody who takes over.',
      keys: {
        person: 'The name of the person who takes over.',
        from: "When it begins, in the rotation's time zone; by default now. One that has begun begins now.",
        to: 'When it ends, at most 366 days from now.',
      },
      examples: { evening: { value: { person: 'ben', from: '2026-11-27T18:00', to: '2026-11-28T09:00' } } },
    },
    answer: { description: 'It was made.', schema: overrideByHand },
    problems: ['conflict'],
  },
  deleteOverride: {
    summary: 'End an override',
    description:
      'One that was made by hand ends now. One of the document is deleted, which publishes a version without it. If it has begun, whoever has the turn takes over at once.',
    query: { note: dryRun.note },
    headers: ifMatch,
    answer: { description: 'The override has ended.', schema: endedOverride },
    problems: [...PUBLISH_PROBLEMS],
  },
});

const ended = z
  .union([byHand, receipt])
  .meta({ id: 'EndedSilence', description: 'The silence that was ended.' });

const asDocuments = documentProse('silences');

export const silenceProse = prose('silences', {
  listSilences: {
    ...asDocuments.list,
    answer: { ...asDocuments.list.answer, schema: silencePage },
    description: 'Silences made by hand first, newest first, then documents.',
  },
  getSilence: asDocuments.read,
  putSilence: asDocuments.write,
  deleteSilence: {
    ...asDocuments.remove,
    summary: 'End a silence',
    description:
      'One that was added by hand ends now: receivers are notified of incidents that it held back and that are still open. One that is a document is deleted, which publishes a version without it.',
    query: dryRun,
    answer: { description: 'The silence has ended. With `dry_run=true`, nothing changed.', schema: ended },
    problems: ['conflict', ...PUBLISH_PROBLEMS],
  },
  previewSilence: {
    summary: 'Count the incidents that a silence would match',
    description:
      'Counts the open incidents that a silence would match, and lists fields in its condition that no recent event has. Silences nothing.',
    body: {
      name: 'SilenceCondition',
      about: 'A condition, to count what it would silence.',
      keys: {
        of: 'What it would silence, as in a silence.',
        when: 'A Liquid condition without braces, as in a silence.',
      },
      inner: { of: DESCRIPTIONS['silence.of'] },
      examples: {
        one: { value: { when: 'event.source == "alerts" and item.labels.env == "staging"' } },
        incidents: { value: { of: { source: 'alerts', route: 'on-call', keys: ['disk', 'C:\\temp'] } } },
      },
    },
    answer: { description: 'The count, and fields to check.', schema: silenceLook },
  },
  addSilence: {
    summary: 'Add a silence by hand',
    description:
      'In force at once where it was added, and everywhere within 60 seconds. It is not a document: publishing and rolling back do not change it.',
    body: {
      name: 'NewSilence',
      about: 'A silence that is added by hand.',
      keys: {
        of: 'What is silenced, as its texts are; no sign has a meaning. With `when`, both must hold.',
        when: 'The items to silence: a Liquid condition without braces, as in a route.',
        from: 'The start; by default now.',
        until: 'The end.',
        reason: 'The reason, for people who see the silence.',
      },
      inner: { of: DESCRIPTIONS['silence.of'] },
      examples: {
        backup: {
          value: { of: { source: 'alerts' }, until: '2026-02-01T04:00:00Z', reason: 'moving the database' },
        },
      },
    },
    answer: { description: 'It was added.', schema: addedSilence },
    problems: ['conflict'],
  },
});

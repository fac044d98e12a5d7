import { DESCRIPTIONS } from '../descriptions.ts';
import { prose } from '../spec.ts';
import { documentProse, dryRun, PUBLISH_PROBLEMS } from './documents.ts';
import * as z from 'zod';
import { receipt } from '../../src/admin/config/api-config.ts';
import { addedSilence, byHand, silenceLook, silencePage } from '../../src/registry/api-silence.ts';

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
    problems: ['conflict', 'not-found', ...PUBLISH_PROBLEMS],
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
        one: { when: 'event.source == "alerts" and item.labels.env == "staging"' },
        incidents: { of: { source: 'alerts', route: 'on-call', keys: ['disk', 'C:\\temp'] } },
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
        backup: { of: { source: 'alerts' }, until: '2026-02-01T04:00:00Z', reason: 'moving the database' },
      },
    },
    answer: { description: 'It was added.', schema: addedSilence },
    problems: ['conflict'],
  },
});

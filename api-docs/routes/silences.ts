import * as z from 'zod';
import { documentRoutes } from '../../src/admin/config/documents.ts';
import { silenceRoutes } from '../../src/admin/config/silences.ts';
import { silenceExamples } from '../examples/silences.ts';
import { receipt } from '../../src/admin/config/api-config.ts';
import { addedSilence, byHand, silenceLook, silencePage } from '../../src/registry/api-silence.ts';
import { described } from '../spec.ts';
import { documentProse, dryRun, PUBLISH_PROBLEMS } from './documents.ts';

const ended = z
  .union([byHand, receipt])
  .meta({ id: 'EndedSilence', description: 'The silence that was ended.' });

const { read, write } = documentRoutes.silences;
const asDocuments = documentProse('silences');

/** Silences, by document and by hand. */
export const silenceSpecs = described(
  { ...silenceRoutes, getSilence: read, putSilence: write },
  {
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
      answer: {
        description: 'The silence has ended. With `dry_run=true`, nothing changed.',
        schema: ended,
        examples: silenceExamples.ended,
      },
      problems: ['conflict', 'not-found', ...PUBLISH_PROBLEMS],
    },
    previewSilence: {
      tag: 'silences',
      summary: 'Count the incidents that a silence would match',
      description:
        'Counts the open incidents that a silence would match, and lists fields in its condition that no recent event has. Silences nothing.',
      body: silenceExamples.condition,
      answer: {
        description: 'The count, and fields to check.',
        schema: silenceLook,
        examples: silenceExamples.look,
      },
    },
    addSilence: {
      tag: 'silences',
      summary: 'Add a silence by hand',
      description:
        'In force at once where it was added, and everywhere within 60 seconds. It is not a document: publishing and rolling back do not change it.',
      body: silenceExamples.new,
      answer: { description: 'It was added.', schema: addedSilence, examples: silenceExamples.added },
      problems: ['conflict'],
    },
  },
);

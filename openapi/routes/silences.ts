import * as z from 'zod';
import { silenceExamples } from '../examples/silences.ts';
import { REQUEST_BODIES } from '../request-bodies.ts';
import { receipt } from '../schemas/config.ts';
import { byHand } from '../schemas/silences.ts';
import type { RouteSpec } from '../spec.ts';
import { documentRoutes } from './documents.ts';

const ended = z
  .union([byHand, receipt])
  .meta({ id: 'EndedSilence', description: 'The silence that was ended.' });

/** What a route of other documents is like, too, and what differs. */
const different = (route: RouteSpec): RouteSpec => {
  if (route.id === 'listSilences')
    return { ...route, description: 'Silences made by hand first, newest first, then documents.' };
  if (route.method !== 'delete') return route;
  return {
    ...route,
    summary: 'End a silence',
    description:
      'One that was added by hand ends now: receivers are notified of what it held back and is still open. One that is a document is deleted, which publishes a version without it.',
    answers: {
      200: {
        description: 'The silence has ended or will end.',
        schema: ended,
        examples: silenceExamples.ended,
      },
    },
    problems: ['conflict', ...(route.problems ?? [])],
  };
};

/** Silences, by document and by hand. */
export const silenceRoutes: readonly RouteSpec[] = [
  ...documentRoutes('silences').map(different),
  {
    method: 'post',
    path: '/silences',
    id: 'addSilence',
    tag: 'silences',
    summary: 'Add a silence by hand',
    description:
      'In force at once where it was added, and everywhere within 60 seconds. It is no document: no publish and no rollback changes it.',
    body: { schema: REQUEST_BODIES.newSilence, examples: silenceExamples.new },
    answers: { 201: { description: 'It was added.', schema: byHand, examples: silenceExamples.added } },
    problems: ['invalid', 'conflict'],
  },
];

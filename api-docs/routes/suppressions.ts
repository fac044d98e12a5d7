import { suppressionRoutes } from '../../src/admin/suppressions.ts';
import { MAX_SUPPRESSIONS } from '../../src/config/compiled/config.ts';
import { suppressionExamples } from '../examples/suppressions.ts';
import { suppression, suppressionPage } from '../../src/registry/api-suppression.ts';
import { described } from '../spec.ts';
import { PAGE } from './page.ts';

const one = { schema: suppression, examples: suppressionExamples.one };

/** Receivers who have opted out. */
export const suppressionSpecs = described(suppressionRoutes, {
  listSuppressions: {
    tag: 'suppressions',
    summary: 'List receivers who have opted out',
    description: 'The newest first.',
    query: PAGE,
    answer: {
      description: 'A page of receivers.',
      schema: suppressionPage,
      examples: suppressionExamples.page,
    },
  },
  getSuppression: {
    tag: 'suppressions',
    summary: 'Check whether a receiver has opted out',
    answer: { description: 'They have.', ...one },
    problems: ['not-found'],
  },
  putSuppression: {
    tag: 'suppressions',
    summary: 'Opt a receiver out',
    description: `No more messages are sent to the number, except by routes with \`transactional: true\`. Its waiting messages become \`suppressed\` when they are due. In force at once where it was added, and everywhere within 60 seconds. Publishing and rolling back do not change it. If the receiver has opted out already, nothing changes. At most ${MAX_SUPPRESSIONS.toLocaleString('en')} are kept; further ones get 409.`,
    body: suppressionExamples.new,
    answer: { description: 'The receiver has opted out.', ...one },
    problems: ['conflict'],
  },
  deleteSuppression: {
    tag: 'suppressions',
    summary: 'Opt a receiver in again',
    description:
      'Messages are sent to the number again. A suppressed message is sent only if you retry it, or replay its event.',
    answer: { description: 'It is removed.', ...one },
    problems: ['not-found'],
  },
});

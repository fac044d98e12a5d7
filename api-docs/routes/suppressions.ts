import { PAGE, prose } from '../spec.ts';
import { MAX_SUPPRESSIONS } from '../../src/config/compiled/config.ts';
import { suppression, suppressionPage } from '../../src/registry/api-suppression.ts';

export const suppressionProse = prose('suppressions', {
  listSuppressions: {
    summary: 'List receivers who have opted out',
    description: 'The newest first.',
    query: PAGE,
    answer: { description: 'A page of receivers.', schema: suppressionPage },
  },
  getSuppression: {
    summary: 'Check whether a receiver has opted out',
    answer: { description: 'They have.', schema: suppression },
    problems: ['not-found'],
  },
  putSuppression: {
    summary: 'Opt a receiver out',
    description: `No more messages are sent to the number, except by routes with \`transactional: true\`. Its waiting messages become \`suppressed\` when they are due. In force at once where it was added, and everywhere within 60 seconds. Publishing and rolling back do not change it. If the receiver has opted out already, nothing changes. At most ${MAX_SUPPRESSIONS.toLocaleString('en')} are kept; further ones get 409.`,
    body: {
      name: 'NewSuppression',
      about: 'The reason why a receiver is opted out.',
      keys: {
        reason: 'The reason, for people.',
        address: 'True if the receiver is not a number, such as a topic or a chat.',
      },
      examples: { asked: { reason: 'asked by phone' } },
    },
    answer: { description: 'The receiver has opted out.', schema: suppression },
    problems: ['conflict'],
  },
  deleteSuppression: {
    summary: 'Opt a receiver in again',
    description:
      'Messages are sent to the number again. A suppressed message is sent only if you retry it, or replay its event.',
    answer: { description: 'It is removed.', schema: suppression },
    problems: ['not-found'],
  },
});

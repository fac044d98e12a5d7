import { type Examples, PAGE, prose } from '../spec.ts';
import { MAX_SUPPRESSIONS } from '../../src/config/compiled/config.ts';
import { suppression, suppressionPage } from '../../src/registry/api-suppression.ts';

const asked = {
  phone: '4915112345678',
  at: '2026-02-01T01:58:12.031Z',
  by: 'ada@example.com',
  reason: 'asked by phone',
};
const pressed = {
  phone: '4915112345679',
  at: '2026-02-01T01:12:40.500Z',
  by: '+4915•••••79',
  reason: 'No more messages',
  message: 'msg_000000001hk7nd0g',
};

const suppressionExamples = {
  new: { asked: { reason: asked.reason } },
  one: { one: asked },
  page: { all: { items: [asked, pressed], next_cursor: null } },
} as const satisfies Record<string, Examples>;

const one = { schema: suppression, examples: suppressionExamples.one };

/** Receivers who have opted out. */
export const suppressionProse = prose('suppressions', {
  listSuppressions: {
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
    summary: 'Check whether a receiver has opted out',
    answer: { description: 'They have.', ...one },
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
      examples: suppressionExamples.new,
    },
    answer: { description: 'The receiver has opted out.', ...one },
    problems: ['conflict'],
  },
  deleteSuppression: {
    summary: 'Opt a receiver in again',
    description:
      'Messages are sent to the number again. A suppressed message is sent only if you retry it, or replay its event.',
    answer: { description: 'It is removed.', ...one },
    problems: ['not-found'],
  },
});

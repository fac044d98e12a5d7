import { pairRoutes } from '../../src/admin/config/pair.ts';
import { previewRoutes } from '../../src/admin/preview/preview.ts';
import { pairingExamples, previewExamples } from '../examples/preview.ts';
import { pairedKey, pairing } from '../../src/registry/api-pairing.ts';
import { previewed } from '../../src/admin/preview/api-preview.ts';
import { described } from '../spec.ts';

const PAIR_PROBLEMS = ['not-found', 'conflict'] as const;

/** Operations on a source besides publishing it. */
export const sourceSpecs = described(
  { ...previewRoutes, ...pairRoutes },
  {
    previewSource: {
      tag: 'sources',
      summary: 'Preview a webhook',
      description:
        'Renders a webhook, or the newest events, without verifying, sending or storing anything. With `draft` or `drafts` you see documents before they are published.',
      body: previewExamples.ask,
      answer: {
        description: 'The messages that would be sent, and the reasons for those that would not.',
        schema: previewed,
        examples: previewExamples.answer,
      },
      problems: ['not-found'],
    },
    openPairing: {
      tag: 'sources',
      summary: 'Open the pairing window',
      description:
        'Asana and Notion choose the key of their signatures and hand it over in their first request. The key is accepted within ten minutes. A second, different key voids both. A key that nobody takes is dropped.',
      answer: { description: 'It is open.', schema: pairing, examples: pairingExamples.open },
      problems: PAIR_PROBLEMS,
    },
    getPairing: {
      tag: 'sources',
      summary: 'Read the pairing window',
      description: 'The senders who offered a key, without the key.',
      answer: {
        description: 'The state of pairing.',
        schema: pairing,
        examples: pairingExamples.any,
      },
      problems: PAIR_PROBLEMS,
    },
    takePairedKey: {
      tag: 'sources',
      summary: 'Take the key',
      description:
        'The key is shown once and then deleted. Look at who offered it before you set it. 409 if no key has arrived.',
      answer: { description: 'The key.', schema: pairedKey, examples: pairingExamples.key },
      problems: PAIR_PROBLEMS,
    },
    closePairing: {
      tag: 'sources',
      summary: 'Close the pairing window',
      answer: { description: 'It is closed.', schema: pairing, examples: pairingExamples.closed },
      problems: PAIR_PROBLEMS,
    },
  },
);

import { prose } from '../spec.ts';
import { pairedKey, pairing } from '../../src/answers/api-registry.ts';
import { previewed } from '../../src/admin/preview/api-preview.ts';

const draft = {
  verify: { scheme: 'none' },
  country: 'DE',
  routes: [
    {
      name: 'hello',
      when: 'event.type == "signup"',
      to: '{{ payload.phone }}',
      send: { kind: 'text', message: 'Hello!' },
    },
  ],
};

export const sourceProse = prose('sources', {
  previewSource: {
    summary: 'Preview a webhook',
    description:
      'Renders a webhook, or the newest events, without verifying, sending or storing anything. With `draft` or `drafts` you see documents before they are published.',
    body: {
      name: 'PreviewRequest',
      about: 'A webhook, and optionally a draft of its source.',
      keys: {
        payload:
          'The parsed body. Exactly one of `payload`, `body`, `sample`, `samples` and `last` is given.',
        body: 'The text of the body, parsed by the `content-type` in `headers`.',
        headers: 'Headers of the webhook.',
        query: 'Query parameters of the webhook.',
        sample: "The name of a sample of the source's provider, see `GET /providers/{id}`.",
        samples: "`true`: all samples of the source's provider.",
        last: 'The number of newest events to render again and compare with the messages that were sent.',
        draft: 'A source to preview in place of the published one.',
        drafts: 'Documents by name, in place of published ones or in addition to them.',
      },
      inner: {
        drafts: {
          providers: 'Files of senders by their ids.',
          sources: 'Sources by their ids.',
          templates: 'Templates by their names.',
          recipients: 'Recipients lists by their names.',
        },
      },
      examples: {
        sample: { summary: 'A sample of the provider', value: { sample: 'checkout.session.completed' } },
        draft: {
          summary: 'A source before it is published',
          value: {
            payload: { type: 'signup', phone: '0151 23456789' },
            draft,
          },
        },
        last: { summary: 'The newest events, against what was sent', value: { last: 10 } },
      },
    },
    answer: {
      description: 'The messages that would be sent, and the reasons for those that would not.',
      schema: previewed,
    },
  },
  openPairing: {
    summary: 'Open the pairing window',
    description:
      'Asana and Notion choose the key of their signatures and hand it over in their first request. The key is accepted within ten minutes. A second, different key voids both. A key that nobody takes is dropped.',
    answer: { description: 'It is open.', schema: pairing },
    problems: ['conflict'],
  },
  getPairing: {
    summary: 'Read the pairing window',
    description: 'The senders who offered a key, without the key.',
    answer: { description: 'The state of pairing.', schema: pairing },
    problems: ['conflict'],
  },
  takePairedKey: {
    summary: 'Take the key',
    description:
      'The key is shown once and then deleted. Look at who offered it before you set it. 409 if no key has arrived.',
    answer: { description: 'The key.', schema: pairedKey },
    problems: ['conflict'],
  },
  closePairing: {
    summary: 'Close the pairing window',
    answer: { description: 'It is closed.', schema: pairing },
    problems: ['conflict'],
  },
});

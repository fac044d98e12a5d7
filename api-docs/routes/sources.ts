import { example, type Examples, prose } from '../spec.ts';
import { pairedKey, pairing } from '../../src/registry/api-pairing.ts';
import { previewed } from '../../src/admin/preview/api-preview.ts';

const message = {
  route: 'hello',
  kind: 'text',
  phone: '4915123456789',
  params: { message: 'Hello!' },
};

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

const previewExamples = {
  ask: {
    sample: example('A sample of the provider', { sample: 'checkout.session.completed' }),
    draft: example('A source before it is published', {
      payload: { type: 'signup', phone: '0151 23456789' },
      draft,
    }),
    last: example('The newest events, against what was sent', { last: 10 }),
  },
  answer: {
    one: example('One webhook', {
      event: {
        type: 'signup',
        dedupe_key: null,
        subject: null,
        headers: {},
        query: {},
        payload: { type: 'signup', phone: '0151 23456789' },
      },
      routes: [
        {
          route: 'hello',
          result: 'matched',
          receivers: ['4915123456789'],
          messages: [message],
          failures: [],
        },
      ],
      messages: [message],
      warnings: [],
    }),
    last: example('With `last`', {
      events: [
        {
          event: 'evt_01m7ygnc129ats8d9q95vre3gr',
          type: 'signup',
          received_at: '2026-11-21T07:38:11.002Z',
          routes: [{ route: 'hello', result: 'matched', receivers: ['4915123456789'], failures: [] }],
          sent: [{ message: 'msg_000000001hk7nd0g', state: 'sent', ...message, params: { message: 'Hi!' } }],
          would_send: [message],
          changes: [
            {
              kind: 'changed',
              route: 'hello',
              phone: '4915123456789',
              parameter: 'message',
              was: 'Hi!',
              now: 'Hello!',
            },
          ],
        },
      ],
      warnings: [],
      summary: { events: 1, same: 0, changed: 1, failed: 0, not_comparable: 0, left_out: 0 },
    }),
  },
} as const satisfies Record<string, Examples>;

const OPEN = { source: 'tasks', state: 'open', expires_at: '2026-11-21T07:48:11.002Z' };

const offers = [{ at: '2026-11-21T07:39:02.118Z', address: '192.0.2.10', user_agent: 'Asana' }];

const CAPTURED = { source: 'tasks', state: 'captured', expires_at: '2026-11-21T07:49:02.118Z', offers };

const pairingExamples = {
  open: { open: OPEN },
  any: {
    captured: example('A key came in', CAPTURED),
    open: example('Still waiting', OPEN),
    void: example('Two different keys came in', {
      ...CAPTURED,
      state: 'void',
      offers: [
        { at: '2026-11-21T07:38:12.530Z', address: '203.0.113.66', user_agent: 'curl/8.17.0' },
        ...offers,
      ],
      hint: 'Two different keys were handed over, and one of them by a stranger, so both are void. Delete the webhook at the provider, publish the source under an id that nobody can guess, and pair that one.',
    }),
  },
  key: {
    key: {
      ...CAPTURED,
      state: 'taken',
      secret: 'b537207f20cbfa02357cf448134da559',
      hint: 'This key is shown only once. If your provider offered it after you created the webhook, set it with `npx wrangler secret put TASKS_WEBHOOK_SECRET`, and publish the source with `secrets: [TASKS_WEBHOOK_SECRET]`.',
    },
  },
  closed: { closed: { source: 'tasks', state: 'closed' } },
} as const satisfies Record<string, Examples>;

const PAIR_PROBLEMS = ['not-found', 'conflict'] as const;

/** Operations on a source besides publishing it. */
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
      examples: previewExamples.ask,
    },
    answer: {
      description: 'The messages that would be sent, and the reasons for those that would not.',
      schema: previewed,
      examples: previewExamples.answer,
    },
    problems: ['not-found'],
  },
  openPairing: {
    summary: 'Open the pairing window',
    description:
      'Asana and Notion choose the key of their signatures and hand it over in their first request. The key is accepted within ten minutes. A second, different key voids both. A key that nobody takes is dropped.',
    answer: { description: 'It is open.', schema: pairing, examples: pairingExamples.open },
    problems: PAIR_PROBLEMS,
  },
  getPairing: {
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
    summary: 'Take the key',
    description:
      'The key is shown once and then deleted. Look at who offered it before you set it. 409 if no key has arrived.',
    answer: { description: 'The key.', schema: pairedKey, examples: pairingExamples.key },
    problems: PAIR_PROBLEMS,
  },
  closePairing: {
    summary: 'Close the pairing window',
    answer: { description: 'It is closed.', schema: pairing, examples: pairingExamples.closed },
    problems: PAIR_PROBLEMS,
  },
});

import { example, type Examples, PAGE, prose } from '../spec.ts';
import { sentMessage } from './messages.ts';
import { rejectionPage, rejectionWithBody, released } from '../../src/registry/api-rejection.ts';
import { foundNumber, replayed, replayedMany } from '../../src/admin/messages/api-messages.ts';
import { event, eventPage } from '../../src/outbox/answers/api-event.ts';

const summary = {
  id: 'evt_01m7ygnc129ats8d9q95vre3gr',
  source: 'shop',
  type: 'checkout.session.completed',
  state: 'routed',
  received_at: '2026-11-21T07:38:11.002Z',
  subject: '49.00 EUR Ada Lovelace',
  dedupe_key: 'evt_1Nv0FGQ9RKHgCVdK',
  duplicates: 1,
  config_version: 8,
  stored: true,
};

const failed = {
  id: 'evt_01m7ygnc6tevq7n99nkb7gx0s0',
  source: 'forms',
  type: null,
  state: 'failed',
  reason: 'route `hello`, parameter `to` ({{ payload.phone }}): is empty',
  received_at: '2026-11-21T07:38:09.530Z',
  duplicates: 0,
  config_version: 8,
  stored: true,
};

export const eventExamples = {
  number: { one: { number: '0151 234 567 89' } },
  foundNumber: {
    found: {
      messages: [sentMessage],
      events: [
        { ...failed, sent_to_it: [], why: 'route `hello`, parameter `to` ({{ payload.phone }}): is empty' },
      ],
      rejections: [],
      complete: true,
    },
  },
  page: {
    page: { items: [summary, failed], next_cursor: null },
    search: example('A search that has not finished', {
      items: [summary],
      next_cursor: 'eyJkZWZhdWx0IjoiZXZ0XzAxbTd5Z25jMTI5YXRzOGQ5cTk1dnJlM2dyIn0',
      searched: { events: 2000, bytes: 2411804, back_to: '2026-11-20T19:02:44.518Z', complete: false },
    }),
  },
  one: {
    event: {
      ...summary,
      payload: {
        type: 'checkout.session.completed',
        data: { object: { id: 'cs_1', amount_total: 12950, currency: 'eur' } },
      },
      headers: { 'content-type': 'application/json' },
      query: {},
      messages: [sentMessage],
    },
  },
  replay: {
    failed: example('Only what failed, on one route', { routes: ['paid'], only: 'failed' }),
  },
  replayMany: {
    failed: example('Events that could not be rendered', { state: 'failed', since: '2d' }),
    gone: example('Everything that failed, from one source', {
      source: 'shop',
      since: '2026-11-21T06:00:00Z',
      until: '2026-11-21T08:00:00Z',
      only: 'failed',
    }),
    next: example('The next step', { state: 'failed', since: '2d', cursor: 'mi8k3v2p.7hk2m9d0qz.' }),
  },
  replayedMany: {
    opened: {
      replayed: 0,
      messages: 0,
      skipped: {},
      looked_at: 0,
      events: [],
      next_cursor: 'mi8k3v2p.7hk2m9d0qz.',
    },
    step: {
      replayed: 1,
      messages: 2,
      skipped: { source_gone: 3 },
      looked_at: 4,
      events: [{ event: 'evt_01m7yh3v0jzq0b3rjw1k6m2x4c', replay_of: 'evt_01m7ygnc129ats8d9q95vre3gr' }],
      next_cursor: null,
    },
  },
  replayed: {
    replayed: {
      event: 'evt_01m7yh3v0jzq0b3rjw1k6m2x4c',
      replay_of: 'evt_01m7ygnc129ats8d9q95vre3gr',
      messages: ['msg_00000000bhk7nd0g'],
    },
  },
} as const satisfies Record<string, Examples>;

const SPAM = {
  n: 18,
  at: '2026-11-21T07:40:02.110Z',
  source: 'contact',
  status: 200,
  code: 'spam',
  detail: 'honeypot: the field `website`, which people do not see, was filled in',
  spam: 'honeypot',
};

const rejectionExamples: Examples = {
  page: {
    items: [
      SPAM,
      {
        n: 17,
        at: '2026-11-21T07:38:18.714Z',
        source: 'shop',
        status: 401,
        code: 'stale',
        detail: 'signature parameter t is 912 s old; 300 s are allowed',
        remedy: 'Check the sender’s clock. Old requests that are sent again are refused, too',
        from: '192.0.2.1, which calls itself "Shop/2.1"',
      },
    ],
    next_cursor: null,
  },
};

const spamExamples: Examples = {
  spam: { ...SPAM, body: { name: 'Ada', message: 'Do you deliver?' } },
};

const releasedExamples: Examples = {
  released: {
    event: 'evt_01ky1k2w7f8gq3v5m2n9c4t6xr',
    rejection: 18,
    duplicate: false,
    messages: ['msg_000000001hc2xq7d'],
  },
};

/** Received and rejected webhooks. */
export const eventProse = prose('events', {
  listEvents: {
    summary: 'List events',
    query: {
      source: 'Only events of this source.',
      state: 'Only events in this state.',
      type: 'Only events of this type, as the provider names it.',
      since: ['Only events received since then: a time, or a duration before now.', '2h'],
      until: ['Only events received before then: a time, or a duration before now.', '5m'],
      text: [
        'Only events with this text in a key or a value of the payload, ignoring case. A page reads at most 2,000 payloads of an account, or 4 MiB of them; `searched` shows how far back that was.',
        'Ada Lovelace',
      ],
      ...PAGE,
    },
    answer: {
      description: 'Newest first, without payloads.',
      schema: eventPage,
      examples: eventExamples.page,
    },
  },
  getEvent: {
    summary: 'Read an event',
    answer: {
      description: 'The event with payload, headers, query and messages.',
      schema: event,
      examples: eventExamples.one,
    },
    problems: ['not-found'],
  },
  findNumber: {
    summary: 'Find everything about a number',
    description:
      'Returns messages to it, and events and rejections that contain it, in any format: with a country code or a 0, with spaces or dashes. Compares the last nine digits. If nothing was sent to it, an event says why. Reads at most as many payloads as a search by `text`.',
    body: {
      name: 'NumberSearch',
      about: 'The number to look for.',
      keys: { number: 'A phone number, in any format.' },
      examples: eventExamples.number,
    },
    answer: {
      description: 'The results, newest first.',
      schema: foundNumber,
      examples: eventExamples.foundNumber,
    },
  },
  replayEvent: {
    summary: 'Replay an event',
    description:
      'Renders the stored event again with the active configuration, as a new event. It is never a duplicate: everything is sent again, unless the body selects less. Items of incidents and groups count again: an open incident gets one more occurrence, a resolved one opens again. 409 if the source is no longer configured or stores no payloads, or if `only` leaves nothing.',
    body: {
      name: 'Replay',
      about: 'The part of an event to send again; everything by default.',
      keys: {
        routes: "Only these routes of the event's source; by default all.",
        only: '`failed`: only what failed the first time: messages that are dead, expired or cancelled by a person (unless a fallback was sent), and routes that could not be rendered. Messages that were sent, are waiting or are `uncertain` are skipped.',
      },
      examples: eventExamples.replay,
    },
    answer: {
      description: 'The new event and its messages.',
      schema: replayed,
      examples: eventExamples.replayed,
    },
    problems: ['not-found', 'conflict', 'not-accepted', 'storage-full'],
  },
  replayEvents: {
    summary: 'Replay many events',
    description:
      'Replays stored events that match all filters, oldest first, in steps of at most 10 events. At least one filter, or `all: true`. The first call only opens the replay: it gives the `cursor` for the first step. Events received after that are not replayed, and a step that is repeated with the same cursor, within a day, replays nothing twice. Replays are not replayed again. After a 503, repeat the step.',
    query: { dry_run: '`true`: only count, and replay nothing.' },
    body: {
      name: 'BulkReplay',
      about: 'The events to replay, which match all filters, and the part of them to send again.',
      keys: {
        source: 'Only events of this source.',
        state: 'Only events in this state.',
        type: 'Only events of this type, as the provider names it.',
        since: 'Only events received since then: a time, or how long ago.',
        until:
          'Only events received before then: a time, or how long ago. Events that arrive after the replay began are never included.',
        text: 'Only events with this text in a key or a value of the payload, ignoring case.',
        all: '`true`: all stored events of every account. Cannot be combined with a filter.',
        routes: "Only these routes of each event's source; by default all.",
        only: '`failed`: only what failed the first time, as in the replay of one event.',
        cursor: 'The `next_cursor` of the previous response, to continue with the same filters.',
      },
      examples: eventExamples.replayMany,
    },
    answer: {
      description: 'The result of this step. Ask again with `next_cursor` as `cursor` until it is null.',
      schema: replayedMany,
      examples: eventExamples.replayedMany,
    },
    problems: ['not-accepted', 'storage-full'],
  },
  listRejections: {
    summary: 'List rejected webhooks',
    description:
      'The last 200 rejections, with reasons that senders do not get, and forms of the last 14 days that were taken for spam: at most 2,000 and 4 MiB of each source.',
    query: {
      source: 'Only rejections of this source.',
      spam: '`true`: only forms that were taken for spam; `false`: all but those.',
      ...PAGE,
    },
    answer: { description: 'Newest first.', schema: rejectionPage, examples: rejectionExamples },
  },
  getRejection: {
    summary: 'Read a rejection',
    answer: {
      description: 'The rejection. Spam has the fields of its form.',
      schema: rejectionWithBody,
      examples: spamExamples,
    },
    problems: ['not-found'],
  },
  releaseRejection: {
    summary: 'Release a form that is not spam',
    description:
      'Makes the event that the form would have made, with the active configuration, and sends its messages. Only once.',
    answer: { description: 'The event.', schema: released, examples: releasedExamples },
    problems: ['not-found', 'conflict', 'not-accepted', 'storage-full'],
  },
});

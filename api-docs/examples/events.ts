import type { Examples } from '../spec.ts';
import { sentMessage } from './messages.ts';

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
  number: { one: { value: { number: '0151 234 567 89' } } },
  foundNumber: {
    found: {
      value: {
        messages: [sentMessage],
        events: [
          { ...failed, sent_to_it: [], why: 'route `hello`, parameter `to` ({{ payload.phone }}): is empty' },
        ],
        rejections: [],
        complete: true,
      },
    },
  },
  page: {
    page: { value: { items: [summary, failed], next_cursor: null } },
    search: {
      summary: 'A search that has not finished',
      value: {
        items: [summary],
        next_cursor: 'eyJkZWZhdWx0IjoiZXZ0XzAxbTd5Z25jMTI5YXRzOGQ5cTk1dnJlM2dyIn0',
        searched: { events: 2000, bytes: 2411804, back_to: '2026-11-20T19:02:44.518Z', complete: false },
      },
    },
  },
  one: {
    event: {
      value: {
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
  },
  replay: {
    failed: { summary: 'Only what failed, on one route', value: { routes: ['paid'], only: 'failed' } },
  },
  replayMany: {
    failed: { summary: 'Events that could not be rendered', value: { state: 'failed', since: '2d' } },
    gone: {
      summary: 'Everything that failed, from one source',
      value: { source: 'shop', since: '2026-11-21T06:00:00Z', until: '2026-11-21T08:00:00Z', only: 'failed' },
    },
    next: {
      summary: 'The next step',
      value: { state: 'failed', since: '2d', cursor: 'mi8k3v2p.7hk2m9d0qz.' },
    },
  },
  replayedMany: {
    opened: {
      value: {
        replayed: 0,
        messages: 0,
        skipped: {},
        looked_at: 0,
        events: [],
        next_cursor: 'mi8k3v2p.7hk2m9d0qz.',
      },
    },
    step: {
      value: {
        replayed: 1,
        messages: 2,
        skipped: { source_gone: 3 },
        looked_at: 4,
        events: [{ event: 'evt_01m7yh3v0jzq0b3rjw1k6m2x4c', replay_of: 'evt_01m7ygnc129ats8d9q95vre3gr' }],
        next_cursor: null,
      },
    },
  },
  replayed: {
    replayed: {
      value: {
        event: 'evt_01m7yh3v0jzq0b3rjw1k6m2x4c',
        replay_of: 'evt_01m7ygnc129ats8d9q95vre3gr',
        messages: ['msg_00000000bhk7nd0g'],
      },
    },
  },
} as const satisfies Record<string, Examples>;

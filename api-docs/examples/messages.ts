import type { Examples } from '../spec.ts';

const retryingMessage = {
  id: 'msg_000000009hk7nd0g',
  event: 'evt_01m7ygnc6tevq7n99nkb7gx0s0',
  source: 'alerts',
  route: 'each-alert',
  account: 'default',
  kind: 'text',
  phone: '4915187654321',
  params: { phone: '4915187654321', message: 'DiskFull: 93 % of /var' },
  state: 'retrying',
  code: 'server-error' as const,
  reason: 'the gateway answered 500: it failed',
  attempts: [
    {
      n: 1,
      at: '2026-11-21T07:38:18.741Z',
      duration_ms: 3,
      outcome: 'server_error',
      detail: 'the gateway answered 500: it failed',
      http_status: 500,
      response: '{"success":false}',
    },
  ],
  next_attempt_at: '2026-11-21T07:38:23.511Z',
  waits: { for: 'retry', until: '2026-11-21T07:38:23.511Z', attempt: 2, of: 10 },
  created_at: '2026-11-21T07:38:18.714Z',
  config_version: 8,
};

export const sentMessage = {
  id: 'msg_000000001hk7nd0g',
  event: 'evt_01m7ygnc129ats8d9q95vre3gr',
  source: 'shop',
  route: 'paid',
  account: 'default',
  kind: 'text',
  phone: '4915112345678',
  params: { phone: '4915112345678', message: 'Thanks Ada!\nWe got *129,50 €*.' },
  state: 'sent',
  attempts: [
    {
      n: 1,
      at: '2026-11-21T07:38:11.020Z',
      duration_ms: 41,
      outcome: 'sent',
      http_status: 200,
      response: '{"success":true,"data":{"status_code":200}}',
    },
  ],
  created_at: '2026-11-21T07:38:11.007Z',
  sent_at: '2026-11-21T07:38:11.061Z',
  config_version: 8,
};

const queuedByHand = {
  id: 'msg_00000000ahk7nd0g',
  event: null,
  source: null,
  route: null,
  account: 'default',
  kind: 'text',
  phone: '4915112345678',
  params: { phone: '4915112345678', message: 'Sent by hand' },
  state: 'queued',
  attempts: [],
  waits: { for: 'pace', until: '2026-11-21T07:40:03.870Z' },
  created_at: '2026-11-21T07:40:02.113Z',
  config_version: 8,
};

const actions = [{ action: 'retry', by: 'token', at: '2026-11-21T07:40:02.113Z' }];
const { next_attempt_at: _, code: ____, reason: __, waits: ___, ...waiting } = retryingMessage;

export const messageExamples = {
  one: { retrying: { value: retryingMessage } },
  page: { page: { value: { items: [retryingMessage, sentMessage], next_cursor: null } } },
  send: {
    text: {
      summary: 'A text',
      value: { to: '+49 151 12345678', kind: 'text', message: 'Sent by hand' },
    },
    image: {
      summary: 'A picture by another account',
      value: {
        account: 'sales',
        to: '4915112345678',
        kind: 'image',
        image_url: 'https://example.com/offer.png',
        caption: 'New this week',
      },
    },
    status: { summary: 'A status, to all contacts', value: { kind: 'status', text: 'Closed on Monday' } },
  },
  queued: { queued: { value: queuedByHand } },
  retried: { retried: { value: { ...waiting, waits: { for: 'turn' }, state: 'queued', actions } } },
  cancelled: {
    cancelled: {
      value: {
        ...waiting,
        state: 'cancelled',
        code: 'cancelled',
        reason_params: { by: 'token' },
        reason: 'cancelled by token',
        actions: [{ action: 'cancel', by: 'token', at: '2026-11-21T07:40:02.113Z' }],
      },
    },
  },
  bulk: {
    outage: { summary: 'After an outage', value: { state: 'dead', since: '2h' } },
    source: { summary: 'Of one source', value: { state: 'uncertain', source: 'shop' } },
  },
  cancelMany: {
    flood: {
      summary: 'Messages of a flooded form that still wait',
      value: { source: 'contact-form', state: 'queued' },
    },
    receiver: { summary: 'To one receiver', value: { phone: '4915112345678', since: '2h' } },
    all: { summary: 'All that wait', value: { all: true } },
  },
  cancelledMany: {
    done: { value: { cancelled: 240, in_flight: 1, looked_at: 312, next_cursor: null } },
    more: {
      value: { cancelled: 20000, in_flight: 0, looked_at: 20000, next_cursor: 'default:20417' },
    },
  },
  bulkDone: {
    done: { value: { retried: 42, more: false, next_cursor: null } },
    counted: { value: { retried: 3, phones: ['4915112345678'], more: false, next_cursor: null } },
    more: { value: { retried: 20000, more: true, next_cursor: 'eyJkZWZhdWx0IjoiMjA0MTcifQ' } },
  },
} as const satisfies Record<string, Examples>;

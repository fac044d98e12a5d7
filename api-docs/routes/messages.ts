import { example, type Examples, PAGE, prose } from '../spec.ts';
import { KIND_NAMES, KIND_WORDS, MESSAGE_KINDS, type MessageKind } from '../../src/gateway/kinds.ts';
import { cancelledMany, retried } from '../../src/admin/messages/api-messages.ts';
import { message, messagePage } from '../../src/outbox/answers/api-message.ts';

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
  one: { retrying: retryingMessage },
  page: { page: { items: [retryingMessage, sentMessage], next_cursor: null } },
  send: {
    text: example('A text', { to: '+49 151 12345678', kind: 'text', message: 'Sent by hand' }),
    image: example('A picture by another account', {
      account: 'sales',
      to: '4915112345678',
      kind: 'image',
      image_url: 'https://example.com/offer.png',
      caption: 'New this week',
    }),
    status: example('A status, to all contacts', { kind: 'status', text: 'Closed on Monday' }),
  },
  queued: { queued: queuedByHand },
  retried: { retried: { ...waiting, waits: { for: 'turn' }, state: 'queued', actions } },
  cancelled: {
    cancelled: {
      ...waiting,
      state: 'cancelled',
      code: 'cancelled',
      reason_params: { by: 'token' },
      reason: 'cancelled by token',
      actions: [{ action: 'cancel', by: 'token', at: '2026-11-21T07:40:02.113Z' }],
    },
  },
  bulk: {
    outage: example('After an outage', { state: 'dead', since: '2h' }),
    source: example('Of one source', { state: 'uncertain', source: 'shop' }),
  },
  cancelMany: {
    flood: example('Messages of a flooded form that still wait', { source: 'contact-form', state: 'queued' }),
    receiver: example('To one receiver', { phone: '4915112345678', since: '2h' }),
    all: example('All that wait', { all: true }),
  },
  cancelledMany: {
    done: { cancelled: 240, in_flight: 1, looked_at: 312, next_cursor: null },
    more: { cancelled: 20000, in_flight: 0, looked_at: 20000, next_cursor: 'default:20417' },
  },
  bulkDone: {
    done: { retried: 42, more: false, next_cursor: null },
    counted: { retried: 3, phones: ['4915112345678'], more: false, next_cursor: null },
    more: { retried: 20000, more: true, next_cursor: 'eyJkZWZhdWx0IjoiMjA0MTcifQ' },
  },
} as const satisfies Record<string, Examples>;

const keysOf = (kind: MessageKind): Readonly<Record<string, string>> => ({
  ...KIND_WORDS[kind],
  account: 'The account that sends; by default `default`.',
  to: MESSAGE_KINDS[kind].hasReceiver
    ? 'The receiver: digits that start with the country code, or an international number as people write it.'
    : 'Refused: a status goes to all contacts and has no receiver.',
});

/** Messages: sent, on their way, or failed. */
export const messageProse = prose('messages', {
  listMessages: {
    summary: 'List messages',
    query: {
      state: 'Only those in this state.',
      source: 'Only of this source.',
      event: 'Only of this event.',
      phone: ['Only to this receiver, in digits.', '4915112345678'],
      ...PAGE,
    },
    answer: { description: 'Newest first.', schema: messagePage, examples: messageExamples.page },
  },
  sendMessage: {
    summary: 'Send a message now',
    description: 'It is queued at once. Its parameters are sent as they are, without Liquid.',
    body: {
      name: 'NewMessage',
      about: 'A message to send at once. Its parameters are sent as they are.',
      inner: Object.fromEntries(KIND_NAMES.map((kind) => [kind, keysOf(kind)])),
      examples: messageExamples.send,
    },
    answer: { description: 'The message is queued.', schema: message, examples: messageExamples.queued },
    problems: ['storage-full'],
  },
  retryMessages: {
    summary: 'Retry many messages',
    description:
      'Retries messages that match all filters, at once and with a new schedule, a thousand per account at a time.',
    query: { dry_run: '`true`: only count, and retry nothing.' },
    body: {
      name: 'BulkRetry',
      about: 'The messages to retry.',
      keys: {
        state: 'Only messages in this state.',
        source: 'Only messages of this source.',
        event: 'Only messages of this event.',
        phone: 'Only messages to this receiver, in digits.',
        since: 'Only messages accepted since then: a time, or how long ago.',
        cursor: 'The `next_cursor` of the previous response, to continue there.',
      },
      examples: messageExamples.bulk,
    },
    answer: {
      description: 'The result so far. Ask again with `next_cursor` as `cursor` until it is null.',
      schema: retried,
      examples: messageExamples.bulkDone,
    },
  },
  cancelMessages: {
    summary: 'Cancel many messages',
    description:
      'Cancels waiting messages (`queued`, `retrying`, `uncertain`) that match all filters. Messages in flight are not cancelled. At least one filter, or `all: true`.',
    query: { dry_run: '`true`: only count, and cancel nothing.' },
    body: {
      name: 'BulkCancel',
      about: 'The waiting messages to cancel, which match all filters.',
      keys: {
        state: 'Only messages in this state.',
        source: 'Only messages of this source.',
        event: 'Only messages of this event.',
        phone: 'Only messages to this receiver, in digits.',
        since: 'Only messages accepted since then: a time, or how long ago.',
        all: '`true`: all waiting messages of every account. Cannot be combined with a filter.',
        cursor: 'The `next_cursor` of the previous response, to continue there.',
      },
      examples: messageExamples.cancelMany,
    },
    answer: {
      description: 'The result so far. Ask again with `next_cursor` as `cursor` until it is null.',
      schema: cancelledMany,
      examples: messageExamples.cancelledMany,
    },
  },
  getMessage: {
    summary: 'Read a message',
    answer: {
      description: 'The message with all its attempts.',
      schema: message,
      examples: messageExamples.one,
    },
    problems: ['not-found'],
  },
  retryMessage: {
    summary: 'Retry a message',
    description:
      'Tries it at once, with a new schedule, and regardless of its `expires`. 409 when it is queued, on its way, sent already or superseded. A notification is rendered again when its turn comes, or is superseded.',
    answer: {
      description: 'The message after the change.',
      schema: message,
      examples: messageExamples.retried,
    },
    problems: ['not-found', 'conflict'],
  },
  cancelMessage: {
    summary: 'Cancel a message',
    description:
      'It will not be sent. 409 when it is on its way, sent already or superseded. The next notification includes what a cancelled one says.',
    answer: {
      description: 'The message after the change.',
      schema: message,
      examples: messageExamples.cancelled,
    },
    problems: ['not-found', 'conflict'],
  },
});

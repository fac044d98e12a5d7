import { PAGE, prose } from '../spec.ts';
import { KIND_NAMES, KIND_WORDS, MESSAGE_KINDS, type MessageKind } from '../../src/gateway/kinds.ts';
import { cancelledMany, retried } from '../../src/admin/messages/api-messages.ts';
import { message, messagePage } from '../../src/answers/api-message.ts';
import { MAX_SUPPRESSIONS } from '../../src/config/compiled/config.ts';
import { suppression, suppressionPage } from '../../src/answers/api-registry.ts';

const keysOf = (kind: MessageKind): Readonly<Record<string, string>> => ({
  ...KIND_WORDS[kind],
  account: 'The account that sends; by default `default`.',
  to: MESSAGE_KINDS[kind].hasReceiver
    ? 'The receiver: digits that start with the country code, or an international number as people write it.'
    : 'Refused: a status goes to all contacts and has no receiver.',
});

const FILTER = {
  state: 'Only messages in this state.',
  source: 'Only messages of this source.',
  event: 'Only messages of this event.',
  phone: 'Only messages to this receiver, in digits.',
  since: 'Only messages accepted since then: a time, or how long ago.',
};

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
    answer: { description: 'Newest first.', schema: messagePage },
  },
  sendMessage: {
    summary: 'Send a message now',
    description: 'It is queued at once. Its parameters are sent as they are, without Liquid.',
    body: {
      name: 'NewMessage',
      about: 'A message to send at once. Its parameters are sent as they are.',
      inner: Object.fromEntries(KIND_NAMES.map((kind) => [kind, keysOf(kind)])),
      examples: {
        text: { summary: 'A text', value: { to: '+49 151 12345678', kind: 'text', message: 'Sent by hand' } },
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
    },
    answer: { description: 'The message is queued.', schema: message },
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
        ...FILTER,
        cursor: 'The `next_cursor` of the previous response, to continue there.',
      },
      examples: {
        outage: { summary: 'After an outage', value: { state: 'dead', since: '2h' } },
        source: { summary: 'Of one source', value: { state: 'uncertain', source: 'shop' } },
      },
    },
    answer: {
      description: 'The result so far. Ask again with `next_cursor` as `cursor` until it is null.',
      schema: retried,
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
        ...FILTER,
        all: '`true`: all waiting messages of every account. Cannot be combined with a filter.',
        cursor: 'The `next_cursor` of the previous response, to continue there.',
      },
      examples: {
        flood: {
          summary: 'Messages of a flooded form that still wait',
          value: {
            source: 'contact-form',
            state: 'queued',
          },
        },
        receiver: { summary: 'To one receiver', value: { phone: '4915112345678', since: '2h' } },
        all: { summary: 'All that wait', value: { all: true } },
      },
    },
    answer: {
      description: 'The result so far. Ask again with `next_cursor` as `cursor` until it is null.',
      schema: cancelledMany,
    },
  },
  getMessage: {
    summary: 'Read a message',
    answer: { description: 'The message with all its attempts.', schema: message },
  },
  retryMessage: {
    summary: 'Retry a message',
    description:
      'Tries it at once, with a new schedule, and regardless of its `expires`. 409 when it is queued, on its way, sent already or superseded. A notification is rendered again when its turn comes, or is superseded.',
    answer: { description: 'The message after the change.', schema: message },
    problems: ['conflict'],
  },
  cancelMessage: {
    summary: 'Cancel a message',
    description:
      'It will not be sent. 409 when it is on its way, sent already or superseded. The next notification includes what a cancelled one says.',
    answer: { description: 'The message after the change.', schema: message },
    problems: ['conflict'],
  },
});

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
      examples: { asked: { value: { reason: 'asked by phone' } } },
    },
    answer: { description: 'The receiver has opted out.', schema: suppression },
    problems: ['conflict'],
  },
  deleteSuppression: {
    summary: 'Opt a receiver in again',
    description:
      'Messages are sent to the number again. A suppressed message is sent only if you retry it, or replay its event.',
    answer: { description: 'It is removed.', schema: suppression },
  },
});

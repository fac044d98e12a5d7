import { messageRoutes } from '../../src/admin/messages/messages.ts';
import { operateRoutes } from '../../src/admin/messages/operate.ts';
import { retryManyRoutes } from '../../src/admin/messages/retry-many.ts';
import { cancelManyRoutes } from '../../src/admin/messages/cancel-many.ts';
import { messageExamples } from '../examples/messages.ts';
import { cancelledMany, retried } from '../../src/admin/messages/api-bulk.ts';
import { message, messagePage } from '../../src/outbox/answers/api-message.ts';
import { described } from '../spec.ts';
import { PAGE } from './page.ts';

/** Messages: sent, on their way, or failed. */
export const messageSpecs = described(
  { ...messageRoutes, ...operateRoutes, ...retryManyRoutes, ...cancelManyRoutes },
  {
    listMessages: {
      tag: 'messages',
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
      tag: 'messages',
      summary: 'Send a message now',
      description: 'It is queued at once. Its parameters are sent as they are, without Liquid.',
      body: messageExamples.send,
      answer: { description: 'The message is queued.', schema: message, examples: messageExamples.queued },
      problems: ['storage-full'],
    },
    retryMessages: {
      tag: 'messages',
      summary: 'Retry many messages',
      description:
        'Retries messages that match all filters, at once and with a new schedule, a thousand per account at a time.',
      query: { dry_run: '`true`: only count, and retry nothing.' },
      body: messageExamples.bulk,
      answer: {
        description: 'The result so far. Ask again with `next_cursor` as `cursor` until it is null.',
        schema: retried,
        examples: messageExamples.bulkDone,
      },
    },
    cancelMessages: {
      tag: 'messages',
      summary: 'Cancel many messages',
      description:
        'Cancels waiting messages (`queued`, `retrying`, `uncertain`) that match all filters. Messages in flight are not cancelled. At least one filter, or `all: true`.',
      query: { dry_run: '`true`: only count, and cancel nothing.' },
      body: messageExamples.cancelMany,
      answer: {
        description: 'The result so far. Ask again with `next_cursor` as `cursor` until it is null.',
        schema: cancelledMany,
        examples: messageExamples.cancelledMany,
      },
    },
    getMessage: {
      tag: 'messages',
      summary: 'Read a message',
      answer: {
        description: 'The message with all its attempts.',
        schema: message,
        examples: messageExamples.one,
      },
      problems: ['not-found'],
    },
    retryMessage: {
      tag: 'messages',
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
      tag: 'messages',
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
  },
);

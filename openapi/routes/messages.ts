import { bulkQuery } from '../../src/admin/messages/bulk.ts';
import { messagesQuery } from '../../src/admin/messages/messages.ts';
import { messageExamples } from '../examples/messages.ts';
import { REQUEST_BODIES } from '../request-bodies.ts';
import { cancelledMany, message, messagePage, retried } from '../schemas/messages.ts';
import { queryOf, type RouteSpec } from '../spec.ts';
import { PAGE } from './page.ts';

/** What was sent, is being sent, or could not be. */
export const messageRoutes: readonly RouteSpec[] = [
  {
    method: 'get',
    path: '/messages',
    id: 'listMessages',
    tag: 'messages',
    summary: 'List messages',
    query: queryOf(messagesQuery, {
      state: 'Only those in this state.',
      source: 'Only of this source.',
      event: 'Only of this event.',
      phone: ['Only to this receiver, in digits.', '4915112345678'],
      ...PAGE,
    }),
    answers: {
      200: { description: 'Newest first.', schema: messagePage, examples: messageExamples.page },
    },
    problems: ['invalid'],
  },
  {
    method: 'post',
    path: '/messages',
    id: 'sendMessage',
    tag: 'messages',
    summary: 'Send a message now',
    description: 'It is queued at once. Its parameters are sent as they are, without Liquid.',
    body: { schema: REQUEST_BODIES.send, examples: messageExamples.send },
    answers: {
      202: { description: 'The message is queued.', schema: message, examples: messageExamples.queued },
    },
    problems: ['invalid', 'storage-full'],
  },
  {
    method: 'post',
    path: '/messages/retry',
    id: 'retryMessages',
    tag: 'messages',
    summary: 'Retry many messages',
    description:
      'Tries those again that match all filters, at once and with a new schedule, a thousand of an account at a time.',
    query: queryOf(bulkQuery, { dry_run: '`true`: only count, and retry nothing.' }),
    body: { schema: REQUEST_BODIES.bulk, examples: messageExamples.bulk },
    answers: {
      200: {
        description: 'The result so far. Ask again with `next_cursor` as `cursor` until it is null.',
        schema: retried,
        examples: messageExamples.bulkDone,
      },
    },
    problems: ['invalid'],
  },
  {
    method: 'post',
    path: '/messages/cancel',
    id: 'cancelMessages',
    tag: 'messages',
    summary: 'Cancel many messages',
    description:
      'Cancels what still waits (`queued`, `retrying`, `uncertain`) and matches all filters. Calls under way are not cancelled. At least one filter, or `all: true`.',
    query: queryOf(bulkQuery, { dry_run: '`true`: only count, and cancel nothing.' }),
    body: { schema: REQUEST_BODIES.cancel, examples: messageExamples.cancelMany },
    answers: {
      200: {
        description: 'The result so far. Ask again with `next_cursor` as `cursor` until it is null.',
        schema: cancelledMany,
        examples: messageExamples.cancelledMany,
      },
    },
    problems: ['invalid'],
  },
  {
    method: 'get',
    path: '/messages/{id}',
    id: 'getMessage',
    tag: 'messages',
    summary: 'Read a message',
    answers: {
      200: {
        description: 'The message with all its attempts.',
        schema: message,
        examples: messageExamples.one,
      },
    },
    problems: ['not-found'],
  },
  {
    method: 'post',
    path: '/messages/{id}/retry',
    id: 'retryMessage',
    tag: 'messages',
    summary: 'Retry a message',
    description:
      'Tries it at once, with a new schedule, and regardless of its `expires`. 409 when it is queued, on its way, sent already or superseded. A notification says then what is so by then, or is superseded.',
    answers: {
      200: {
        description: 'The message after the change.',
        schema: message,
        examples: messageExamples.retried,
      },
    },
    problems: ['not-found', 'conflict'],
  },
  {
    method: 'post',
    path: '/messages/{id}/cancel',
    id: 'cancelMessage',
    tag: 'messages',
    summary: 'Cancel a message',
    description:
      'It is not sent any more. 409 when it is on its way, sent already or superseded. What a cancelled notification says stays due for the next one.',
    answers: {
      200: {
        description: 'The message after the change.',
        schema: message,
        examples: messageExamples.cancelled,
      },
    },
    problems: ['not-found', 'conflict'],
  },
];

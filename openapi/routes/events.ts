import { numberedQuery } from '../../src/admin/request/pages.ts';
import { bulkQuery } from '../../src/admin/messages/bulk.ts';
import { eventsQuery } from '../../src/admin/messages/events.ts';
import { rejectionExamples } from '../examples/config.ts';
import { REQUEST_BODIES } from '../request-bodies.ts';
import { eventExamples } from '../examples/events.ts';
import { rejectionPage } from '../schemas/history.ts';
import { event, eventPage, replayed, replayedMany } from '../schemas/events.ts';
import { queryOf, type RouteSpec } from '../spec.ts';
import { PAGE } from './page.ts';

/** What was received, and what was rejected. */
export const eventRoutes: readonly RouteSpec[] = [
  {
    method: 'get',
    path: '/events',
    id: 'listEvents',
    tag: 'events',
    summary: 'List events',
    query: queryOf(eventsQuery, {
      source: 'Only of this source.',
      state: 'Only those in this state.',
      type: "Only of this type, by the provider's name.",
      since: ['Only those received since then: a time, or how long ago.', '2h'],
      until: ['Only those received before then: a time, or how long ago.', '5m'],
      text: [
        'Only those with this text in a key or a value of the payload, in upper or lower case. A page reads at most 2,000 payloads of an account, or 4 MiB of them; `searched` says how far that was.',
        'Ada Lovelace',
      ],
      ...PAGE,
    }),
    answers: {
      200: {
        description: 'Newest first, without payloads.',
        schema: eventPage,
        examples: eventExamples.page,
      },
    },
    problems: ['invalid'],
  },
  {
    method: 'get',
    path: '/events/{id}',
    id: 'getEvent',
    tag: 'events',
    summary: 'Read an event',
    answers: {
      200: {
        description: 'The event with payload, headers, query and messages.',
        schema: event,
        examples: eventExamples.one,
      },
    },
    problems: ['not-found'],
  },
  {
    method: 'post',
    path: '/events/{id}/replay',
    id: 'replayEvent',
    tag: 'events',
    summary: 'Replay an event',
    description:
      "Renders the stored event again with today's configuration, as a new event. Dedupe does not apply: everything is sent again, unless the body says less. What waits for notifications (incidents, groups) is taken in again: an incident that is open counts once more, one that has resolved opens again. 409 when its source is no longer configured or keeps no payloads, and when `only` leaves nothing.",
    body: { schema: REQUEST_BODIES.replay, examples: eventExamples.replay, isOptional: true },
    answers: {
      202: {
        description: 'The new event and its messages.',
        schema: replayed,
        examples: eventExamples.replayed,
      },
    },
    problems: ['not-found', 'conflict', 'invalid', 'not-accepted', 'storage-full'],
  },
  {
    method: 'post',
    path: '/events/replay',
    id: 'replayEvents',
    tag: 'events',
    summary: 'Replay many events',
    description:
      'Replays what is kept and matches all filters, oldest first, in steps: at most 10 events a call. At least one filter, or `all: true`. The first call only opens the replay: it gives the `cursor` for the first step. What is received after that is not replayed, and a step that is repeated with the same cursor, within a day, replays nothing twice. Replays are not replayed again. A 503 is no answer of a step: repeat it.',
    query: queryOf(bulkQuery, { dry_run: '`true`: only count, and replay nothing.' }),
    body: { schema: REQUEST_BODIES.replayMany, examples: eventExamples.replayMany },
    answers: {
      200: {
        description: 'The result of this step. Ask again with `next_cursor` as `cursor` until it is null.',
        schema: replayedMany,
        examples: eventExamples.replayedMany,
      },
    },
    problems: ['invalid', 'not-accepted', 'storage-full'],
  },
  {
    method: 'get',
    path: '/rejections',
    id: 'listRejections',
    tag: 'events',
    summary: 'List rejected webhooks',
    description: 'The last 200 rejections, with reasons that senders do not get.',
    query: queryOf(numberedQuery, PAGE),
    answers: { 200: { description: 'Newest first.', schema: rejectionPage, examples: rejectionExamples } },
    problems: ['invalid'],
  },
];

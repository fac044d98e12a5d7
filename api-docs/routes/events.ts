import { eventRoutes } from '../../src/admin/messages/events.ts';
import { findNumberRoutes } from '../../src/admin/messages/find-number.ts';
import { replayRoutes } from '../../src/admin/messages/replay.ts';
import { rejectionRoutes } from '../../src/admin/rejections.ts';
import { replayManyRoutes } from '../../src/admin/messages/replay-many.ts';
import { rejectionExamples, releasedExamples, spamExamples } from '../examples/config.ts';
import { eventExamples } from '../examples/events.ts';
import { rejectionPage, rejectionWithBody, released } from '../../src/registry/api-rejection.ts';
import { foundNumber } from '../../src/admin/messages/api-found-number.ts';
import { replayed, replayedMany } from '../../src/admin/messages/api-replay.ts';
import { event, eventPage } from '../../src/outbox/answers/api-event.ts';
import { described } from '../spec.ts';
import { PAGE } from './page.ts';

/** Received and rejected webhooks. */
export const eventSpecs = described(
  { ...eventRoutes, ...findNumberRoutes, ...replayRoutes, ...replayManyRoutes, ...rejectionRoutes },
  {
    listEvents: {
      tag: 'events',
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
      tag: 'events',
      summary: 'Read an event',
      answer: {
        description: 'The event with payload, headers, query and messages.',
        schema: event,
        examples: eventExamples.one,
      },
      problems: ['not-found'],
    },
    findNumber: {
      tag: 'events',
      summary: 'Find everything about a number',
      description:
        'Returns messages to it, and events and rejections that contain it, in any format: with a country code or a 0, with spaces or dashes. Compares the last nine digits. If nothing was sent to it, an event says why. Reads at most as many payloads as a search by `text`.',
      body: eventExamples.number,
      answer: {
        description: 'The results, newest first.',
        schema: foundNumber,
        examples: eventExamples.foundNumber,
      },
    },
    replayEvent: {
      tag: 'events',
      summary: 'Replay an event',
      description:
        'Renders the stored event again with the active configuration, as a new event. It is never a duplicate: everything is sent again, unless the body selects less. Items of incidents and groups count again: an open incident gets one more occurrence, a resolved one opens again. 409 if the source is no longer configured or stores no payloads, or if `only` leaves nothing.',
      body: eventExamples.replay,
      answer: {
        description: 'The new event and its messages.',
        schema: replayed,
        examples: eventExamples.replayed,
      },
      problems: ['not-found', 'conflict', 'not-accepted', 'storage-full'],
    },
    replayEvents: {
      tag: 'events',
      summary: 'Replay many events',
      description:
        'Replays stored events that match all filters, oldest first, in steps of at most 10 events. At least one filter, or `all: true`. The first call only opens the replay: it gives the `cursor` for the first step. Events received after that are not replayed, and a step that is repeated with the same cursor, within a day, replays nothing twice. Replays are not replayed again. After a 503, repeat the step.',
      query: { dry_run: '`true`: only count, and replay nothing.' },
      body: eventExamples.replayMany,
      answer: {
        description: 'The result of this step. Ask again with `next_cursor` as `cursor` until it is null.',
        schema: replayedMany,
        examples: eventExamples.replayedMany,
      },
      problems: ['not-accepted', 'storage-full'],
    },
    listRejections: {
      tag: 'events',
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
      tag: 'events',
      summary: 'Read a rejection',
      answer: {
        description: 'The rejection. Spam has the fields of its form.',
        schema: rejectionWithBody,
        examples: spamExamples,
      },
      problems: ['not-found'],
    },
    releaseRejection: {
      tag: 'events',
      summary: 'Release a form that is not spam',
      description:
        'Makes the event that the form would have made, with the active configuration, and sends its messages. Only once.',
      answer: { description: 'The event.', schema: released, examples: releasedExamples },
      problems: ['not-found', 'conflict', 'not-accepted', 'storage-full'],
    },
  },
);

import { PAGE, prose } from '../spec.ts';
import { rejectionPage, rejectionWithBody, released } from '../../src/answers/api-registry.ts';
import { foundNumber, replayed, replayedMany } from '../../src/admin/messages/api-messages.ts';
import { event, eventPage } from '../../src/answers/api-event.ts';

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
    answer: { description: 'Newest first, without payloads.', schema: eventPage },
  },
  getEvent: {
    summary: 'Read an event',
    answer: { description: 'The event with payload, headers, query and messages.', schema: event },
  },
  findNumber: {
    summary: 'Find everything about a number',
    description:
      'Returns messages to it, and events and rejections that contain it, in any format: with a country code or a 0, with spaces or dashes. Compares the last nine digits. If nothing was sent to it, an event says why. Reads at most as many payloads as a search by `text`.',
    body: {
      name: 'NumberSearch',
      about: 'The number to look for.',
      keys: { number: 'A phone number, in any format.' },
      examples: { one: { value: { number: '0151 234 567 89' } } },
    },
    answer: { description: 'The results, newest first.', schema: foundNumber },
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
      examples: {
        failed: { summary: 'Only what failed, on one route', value: { routes: ['paid'], only: 'failed' } },
      },
    },
    answer: { description: 'The new event and its messages.', schema: replayed },
    problems: ['conflict', 'not-accepted', 'storage-full'],
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
      examples: {
        failed: { summary: 'Events that could not be rendered', value: { state: 'failed', since: '2d' } },
        gone: {
          summary: 'Everything that failed, from one source',
          value: {
            source: 'shop',
            since: '2026-11-21T06:00:00Z',
            until: '2026-11-21T08:00:00Z',
            only: 'failed',
          },
        },
        next: {
          summary: 'The next step',
          value: { state: 'failed', since: '2d', cursor: 'mi8k3v2p.7hk2m9d0qz.' },
        },
      },
    },
    answer: {
      description: 'The result of this step. Ask again with `next_cursor` as `cursor` until it is null.',
      schema: replayedMany,
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
    answer: { description: 'Newest first.', schema: rejectionPage },
  },
  getRejection: {
    summary: 'Read a rejection',
    answer: { description: 'The rejection. Spam has the fields of its form.', schema: rejectionWithBody },
  },
  releaseRejection: {
    summary: 'Release a form that is not spam',
    description:
      'Makes the event that the form would have made, with the active configuration, and sends its messages. Only once.',
    answer: { description: 'The event.', schema: released },
    problems: ['conflict', 'not-accepted', 'storage-full'],
  },
});

import * as z from 'zod';
import { METRICS } from '../../src/metrics/series.ts';
import { asJson, configVersion, count, eventId, messageId, pageOf, time } from './parts.ts';
import { rejectionNumber } from './history.ts';
import { messageKind, messageState } from './messages.ts';

const check = z
  .object({
    id: z.string().meta({ description: 'A stable id, such as `secret:STRIPE_SECRET`.' }),
    status: z.enum(['ok', 'warn', 'fail', 'unknown']).meta({
      description: '`unknown`: the check could not decide.',
    }),
    title: z.string().meta({ description: 'The name of the check.' }),
    detail: z.string().meta({ description: 'The result.' }),
    remedy: z.string().optional().meta({ description: 'Instructions to fix it.' }),
  })
  .meta({ id: 'Check', description: 'The result of one check.' });

export const diagnosis = z
  .object({
    version: z.string().meta({ description: 'The version of hookbell.' }),
    now: time.meta({ description: 'The time of the relay’s clock.' }),
    checks: z.array(check).meta({ description: 'Most important first.' }),
  })
  .meta({ id: 'Diagnosis', description: 'The checks of a deployment.' });

/** A card of the console that somebody is done with. */
export const done = z
  .object({
    card: z.string().meta({ description: 'The subject of the card, such as `incidents:monitor`.' }),
    mark: z.number().min(0).meta({
      description:
        'The `mark` with which it was marked as done. The card is shown again when its mark is higher.',
    }),
    by: z.string(),
    at: time,
  })
  .meta({ id: 'Done', description: 'A card of the console’s first page that somebody has marked as done.' });

export const donePage = pageOf(done, 'DonePage', 'The cards that are done, newest first.');

export const newestRelease = z
  .object({
    version: z.string(),
    since: z.string().meta({ description: 'The version of the relay when this was reported.' }),
    changes: z
      .array(z.string())
      .meta({ description: 'The changes after `since`, as the changelog lists them.' }),
  })
  .meta({ id: 'NewestRelease', description: 'A version of hookbell that is newer than a relay.' });

export const release = z
  .object({
    version: z.string().meta({ description: 'The version of the relay.' }),
    newest: newestRelease.nullable().meta({ description: 'Null: none was reported.' }),
  })
  .meta({ id: 'Release', description: 'The version of the relay, and the newest that it knows of.' });

/** Counts by name. */
const counts = z
  .record(z.string(), z.int().min(0))
  .meta(asJson({ type: 'object', additionalProperties: { type: 'integer', minimum: 0 } }));

const seconds = z.number().min(0);

const sourceStats = z
  .object({
    account: z.string(),
    events: counts.nullable().meta({
      description:
        'Events by their states; null, like `duplicates`, when the account could not be read just now.',
    }),
    duplicates: count.nullable(),
    rejections: counts.nullable().meta({ description: 'Rejected webhooks, by reason.' }),
    last_event_at: time.nullable(),
    heartbeat: z.object({ expected: z.string(), overdue: z.boolean() }).optional().meta({
      description:
        '`overdue`: true if it has been silent for longer than `expected`. Absent without a `heartbeat`.',
    }),
  })
  .meta({ id: 'SourceStats', description: 'The counters of one source.' });

const accountStats = z
  .object({
    messages: counts.meta({ description: 'The number of times that messages reached each state.' }),
    attempts: counts.meta({ description: 'Calls to the gateway by their outcomes.' }),
    queue: counts.meta({ description: 'The number of messages in each state now.' }),
    oldest_waiting_seconds: seconds,
    latency_seconds: z.object({ median: seconds, p95: seconds }).nullable().meta({
      description: "From the webhook to the gateway's acceptance; null: nothing was sent yet.",
    }),
  })
  .meta({ id: 'AccountStats', description: 'The counters of one account.' });

export const many = z
  .object({
    items: z.array(
      z.object({
        path: z.string(),
        status: z.int().min(100).max(999).meta({ description: 'The status of its response.' }),
        body: z
          .unknown()
          .meta({ description: 'The JSON body of its response; null if the body is not valid JSON.' }),
      }),
    ),
  })
  .meta({ id: 'Many', description: 'Responses of several requests.' });

export const stats = z
  .object({
    sources: z.record(z.string(), sourceStats),
    accounts: z.record(z.string(), accountStats.nullable()).meta({
      description: 'Null: it could not be read.',
    }),
  })
  .meta({
    id: 'Stats',
    description: 'All counters since the relay was deployed, by source and account.',
  });

export const series = z
  .object({
    metric: z.enum(METRICS),
    from: time.meta({ description: 'The start of the first step.' }),
    to: time.meta({ description: 'The end of the last step.' }),
    step_seconds: z.int().min(300).max(86_400),
    points: z
      .array(z.object({ at: time, value: count }))
      .meta({ description: 'Every step with its start; 0 where nothing was counted.' }),
    complete_from: time.meta({
      description: 'Steps from this time on are complete. Earlier ones may lack counts.',
    }),
  })
  .meta({ id: 'Series', description: 'Counters by time.' });

const about = z
  .object({ form: z.enum(['group', 'digest']), new: count, resolved: count, firing: count })
  .meta({ id: 'AboutFrame', description: 'The content of a notification, as numbers.' });

const why = z.string().optional().meta({
  description:
    'The reason for its state: at most 300 characters, with numbers masked; `hidden` for a viewer.',
});

/** A frame of the tail. */
export const frame = z
  .discriminatedUnion('type', [
    z
      .object({ type: z.literal('hello'), at: time, version: configVersion })
      .meta({ id: 'HelloFrame', description: 'The first frame. Everything after it is shown.' }),
    z
      .object({
        type: z.literal('event'),
        at: time,
        event: eventId,
        source: z.string(),
        event_type: z.string().nullable(),
        subject: z.string().optional().meta({ description: 'As in the list of events.' }),
        state: z.string(),
        duplicate: z.boolean(),
        reason: why,
        waiting: count
          .optional()
          .meta({ description: 'The number of items that wait for a notification; absent: none.' }),
        account: z.string(),
      })
      .meta({ id: 'EventFrame', description: 'An event was accepted, or was a duplicate.' }),
    z
      .object({
        type: z.literal('message'),
        at: time,
        message: messageId,
        event: eventId.nullable(),
        source: z.string().nullable(),
        route: z.string().nullable(),
        kind: messageKind,
        state: messageState,
        outcome: z.string().optional(),
        http_status: z.int().min(100).max(999).optional(),
        duration_ms: count.optional(),
        n: z.int().min(1).max(1_000_000).optional().meta({ description: "The attempt's number." }),
        reason: why,
        next_attempt_at: time.optional(),
        about: about.optional().meta({ description: 'The incidents and items that it is about.' }),
        account: z.string(),
      })
      .meta({
        id: 'MessageFrame',
        description: 'A message reached a state. After an attempt, the frame has its outcome.',
      }),
    z
      .object({
        type: z.literal('rejection'),
        n: rejectionNumber,
        at: time,
        source: z.string(),
        status: z.int().min(400).max(599),
        reason: z.string(),
        detail: z.string(),
      })
      .meta({ id: 'RejectionFrame', description: 'A webhook was rejected.' }),
    z
      .object({ type: z.literal('dropped'), count })
      .meta({ id: 'DroppedFrame', description: 'The number of further frames that were not sent.' }),
  ])
  .meta({
    id: 'Frame',
    description: 'One frame of the tail: ids, names and states, never a payload, a text or a receiver.',
  });

import * as z from 'zod';
import { OUTCOMES } from '../../src/gateway/outcome.ts';
import { MESSAGE_STATES, WAIT_REASONS } from '../../src/outbox/state/states.ts';
import { configVersion, count, eventId, incidentId, messageId, pageOf, texts, time } from './parts.ts';

export const messageState = z.enum(MESSAGE_STATES).meta({
  id: 'MessageState',
  description:
    '`queued` waits for its turn; `sending`: its call is under way; `retrying` failed and will be tried again; `uncertain`: nobody knows whether it was sent, and its route says `hold`; `dead` will not be tried again by itself; `expired` was older than its route allows; `cancelled` by a person, or counted by a digest; `superseded`: a notification whose incidents had changed before it could be sent, so that it had nothing left to say or a newer notification says it.',
});

export const messageKind = z
  .enum(['text', 'image', 'voice', 'link-preview', 'poll', 'status'])
  .meta({ id: 'MessageKind', description: 'The six kinds of message that the gateway sends.' });

const attempt = z
  .object({
    n: z.int().min(1).max(1_000_000).meta({ description: 'The first is 1.' }),
    at: time,
    duration_ms: count,
    outcome: z.enum(OUTCOMES).meta({ description: 'The result of the call.' }),
    http_status: z.int().min(100).max(999).optional().meta({ description: 'Absent when no answer came.' }),
    response: z.string().optional().meta({
      description:
        "The first 1 KiB of the gateway's answer, in which the account's secrets are redacted; `hidden` for a viewer.",
    }),
    detail: z
      .string()
      .optional()
      .meta({ description: 'The outcome as text, unless it was sent; `hidden` for a viewer.' }),
  })
  .meta({ id: 'Attempt', description: 'One call of the gateway for a message.' });

const about = z
  .object({
    form: z.enum(['group', 'digest']).meta({
      description: '`group`: what belongs together. `digest`: what was held back, of all groups.',
    }),
    new: count.meta({ description: 'How many have opened since the last notification.' }),
    resolved: count.meta({ description: 'How many have resolved since then.' }),
    firing: count.meta({ description: 'How many are open.' }),
    incidents: z.array(incidentId).meta({ description: 'The first 20 of them.' }),
    summarized: count.optional().meta({
      description: 'How many messages it summarizes that waited for its receiver (`digest_above`).',
    }),
    since: time.optional().meta({ description: 'When the first of those was accepted.' }),
  })
  .meta({
    id: 'About',
    description: 'What a notification says of incidents and items, as it was made or sent last.',
  });

const action = z
  .object({
    action: z.enum(['retry', 'cancel']),
    by: z.string().meta({ description: 'Who asked: `token`, or whom Cloudflare Access knows.' }),
    at: time,
  })
  .meta({ id: 'Action', description: 'What a person did with a message.' });

export const waits = z
  .object({
    for: z.enum(WAIT_REASONS).meta({
      description:
        '`pause`: the account is paused. `login`: its login is not set. `circuit`: the gateway failed too often in a row, and one message at a time is tried. `retry`: its next attempt. `delay`: of its route. `receiver`: its receiver got its messages of the hour. `pace`: the account has used its rate for this minute. `turn`: others go first, or its receiver is being sent another.',
    }),
    until: time.optional().meta({
      description: 'It is not sent before this, unless something changes; absent: nobody knows.',
    }),
    detail: z.string().optional().meta({
      description:
        'By whom and why the account is paused, which secrets are missing, or the last failure of an open circuit; `hidden` for a viewer.',
    }),
    per_hour: count
      .optional()
      .meta({ description: "`receiver`: how many that is, the account's `per_recipient`." }),
    attempt: count
      .optional()
      .meta({ description: 'Of a message that is tried again: the number of its next attempt.' }),
    of: count.optional().meta({ description: 'How many attempts it has, if they fail as the last one did.' }),
  })
  .meta({ id: 'Waits', description: 'What a message waits for.' });

export const message = z
  .object({
    id: messageId,
    event: eventId.nullable().meta({
      description: 'Null, as `source` and `route`, if it was sent by hand; a digest may have a source alone.',
    }),
    source: z.string().nullable(),
    route: z.string().nullable(),
    account: z.string(),
    kind: messageKind,
    phone: z
      .string()
      .nullable()
      .meta({ description: "The gateway's digits, masked for a viewer; null for a status." }),
    params: texts.meta({
      description:
        'Exactly the form fields of the call, without the login. For a viewer each value but `phone` is `hidden`.',
    }),
    state: messageState,
    reason: z.string().optional().meta({
      description: 'Why it is in this state, when there is something to say; `hidden` for a viewer.',
    }),
    attempts: z.array(attempt),
    actions: z.array(action).optional(),
    about: about.optional().meta({ description: 'Absent: it is about an item of its event alone.' }),
    fallback: messageId.optional().meta({ description: 'The message that is sent since this one is dead.' }),
    fallback_of: messageId
      .optional()
      .meta({ description: 'The message that is dead, for which this one is sent.' }),
    next_attempt_at: time.optional(),
    waits: waits.optional().meta({ description: 'What it waits for; absent: it does not wait to be sent.' }),
    created_at: time,
    sent_at: time.optional(),
    config_version: configVersion.meta({ description: 'The version of the configuration that rendered it.' }),
  })
  .meta({
    id: 'Message',
    description: 'One call of the gateway for one receiver: event × route × item × receiver.',
  });

export const messagePage = pageOf(message, 'MessagePage', 'Messages, newest first.');

export const cancelledMany = z
  .object({
    cancelled: count.meta({ description: 'How many messages were cancelled, or would be.' }),
    in_flight: count.meta({ description: 'How many were left: their calls were under way.' }),
    looked_at: count.meta({ description: 'How many messages were looked at.' }),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Where the next call continues, as its `cursor`; null: all were looked at.' }),
  })
  .meta({ id: 'Cancelled' });

export const retried = z
  .object({
    retried: count.meta({ description: 'How many messages are tried again, or would be.' }),
    more: z.boolean().meta({ description: '`true`: there are more than one call retries; ask again.' }),
    next_cursor: z.string().nullable().meta({
      description:
        'Where the next call continues, as its `cursor`; null: all were looked at. Without it the next call begins at the oldest again.',
    }),
  })
  .meta({ id: 'Retried' });

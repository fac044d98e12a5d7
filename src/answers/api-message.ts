import * as z from 'zod';
import { KIND_NAMES } from '../gateway/kinds.ts';
import { OUTCOMES } from '../gateway/outcome.ts';
import { REASONS } from '../lib/api-codes.ts';
import { MESSAGE_STATES, NOTIFY_REASONS, WAIT_REASONS } from '../schema/states.ts';
import {
  configVersion,
  count,
  eventId,
  incidentId,
  keyOf,
  messageId,
  pageOf,
  texts,
  time,
  type AnswerOf,
  optional,
  component,
  oneOf,
  text,
  textOrNull,
} from '../schema/api-parts.ts';

export const messageState = z.enum(MESSAGE_STATES).meta({
  id: 'MessageState',
  description:
    '`queued` waits for its turn; `sending`: its call is in flight; `retrying`: an attempt failed, and another follows; `uncertain`: it may have been sent, and its route has `on_uncertain: hold`; `dead`: not tried again unless a person retries it; `expired`: older than its route allows; `cancelled`: by a person, or because a digest includes it; `superseded`: a notification that a newer one replaces or that has nothing left to say, or a message whose fallback another account sends; `suppressed`: its receiver has opted out.',
});

export const messageKind = z
  .enum(KIND_NAMES)
  .meta({ id: 'MessageKind', description: 'The six kinds of message that the gateway sends.' });

export const reasonCode = keyOf(REASONS).meta({
  id: 'ReasonCode',
  description: 'The reason as a constant: docs/errors.md lists them.',
});

export const reasonParams = optional(texts, 'The values of the reason, each `hidden` for a viewer.');

const attempt = component('Attempt', 'One call to the gateway for a message.', {
  n: z.int().min(1).max(1_000_000).describe('The number of the attempt, from 1.'),
  at: time,
  duration_ms: count,
  outcome: oneOf(OUTCOMES, 'The result of the call.'),
  http_status: optional(z.int().min(100).max(999), 'Absent when no answer came.'),
  response: text(
    "The first 1 KiB of the gateway's answer, in which the account's secrets are redacted; `hidden` for a viewer.",
  ).optional(),
  code: reasonCode.optional(),
  params: reasonParams,
  detail: text('The reason as text, unless it was sent; `hidden` for a viewer.').optional(),
});

const about = component(
  'About',
  'The incidents and items of a notification, as it was last rendered or sent.',
  {
    form: oneOf(
      ['group', 'digest'],
      '`group`: incidents of one group. `digest`: what was held back, from all groups.',
    ),
    why: oneOf(
      NOTIFY_REASONS,
      'Why it went out. `first`: the first of its group. `new`: an incident opened since the last one. `joined`, `turn`: what is open when its receiver joins a list or begins a turn. `escalated`: a step. `resolved`: an end. `removed`: not watched any more. `repeat`: still open. `unacknowledged`: an acknowledgement ran out. `flapping`, and `stable`: its end. `corrected`: an earlier message may not have arrived. `digest`: too much for single messages. `morning`: the end of quiet hours.',
    ),
    new: count.describe('The number of incidents that opened since the last notification.'),
    resolved: count.describe('The number of incidents that resolved since then.'),
    firing: count.describe('The number of open incidents.'),
    incidents: z.array(incidentId).describe('The first 20 incidents.'),
    summarized: optional(count, 'The number of waiting messages that it summarizes (`digest_above`).'),
    since: optional(time, 'The time when the first of those was accepted.'),
  },
);

const action = component('Action', 'An action of a person on a message.', {
  action: z.enum(['retry', 'cancel']),
  by: text(
    'The person who asked: the name given at sign-in, `token` or `operator`, or the identity from Cloudflare Access.',
  ),
  at: time,
});

export const waits = component('Waits', 'The reason why a message waits.', {
  for: oneOf(
    WAIT_REASONS,
    '`pause`: the account is paused. `login`: its login is not set. `circuit`: the gateway failed too often in a row, and one message at a time is tried. `retry`: its next attempt. `delay`: the `delay` of its route. `receiver`: its receiver is at the hourly limit. `contact`: it would be the receiver’s first message, and the account’s new contacts of the day are used up. `pace`: the account has used its rate for this minute. `turn`: others go first, or its receiver is being sent another.',
  ),
  until: optional(time, 'The earliest time when it is sent, unless something changes; absent: unknown.'),
  code: reasonCode.optional(),
  params: reasonParams,
  detail: text(
    'By whom and why the account is paused, which secrets are missing, or the last failure of an open circuit; `hidden` for a viewer.',
  ).optional(),
  per_hour: optional(count, "For `receiver`: the account's `per_recipient`."),
  per_day: optional(count, "For `contact`: the account's `new_contacts`."),
  attempt: optional(count, 'For `retry`: the number of its next attempt.'),
  of: optional(count, 'The number of attempts that it gets if they fail like the last one.'),
});

export const message = component(
  'Message',
  'One call to the gateway for one receiver: event × route × item × receiver.',
  {
    id: messageId,
    event: eventId
      .nullable()
      .describe('Null, like `source` and `route`, if it was sent by hand; a digest may have only a source.'),
    source: z.string().nullable(),
    route: z.string().nullable(),
    account: z.string(),
    kind: messageKind,
    phone: textOrNull(
      'The receiver: a number in digits, or an address. Masked for a viewer; null for a status.',
    ),
    params: texts.describe(
      'The parameters of its kind, and `phone`. A `v2` gateway gets exactly these as form fields, with the login. For a viewer each value but `phone` is `hidden`.',
    ),
    state: messageState,
    code: reasonCode.optional(),
    reason_params: reasonParams,
    reason: text('The reason for its state, if there is one; `hidden` for a viewer.').optional(),
    attempts: z.array(attempt),
    actions: z.array(action).optional(),
    about: optional(about, 'Absent: the message is about one item of its event.'),
    fallback: optional(messageId, 'The fallback that is sent in place of this message.'),
    fallback_account: text(
      'The account that sends the fallback, if it is another. Without `fallback`, that account has not accepted it yet.',
    ).optional(),
    fallback_of: optional(messageId, 'The message for which this one is the fallback.'),
    fallback_of_account: text('The account of that message, if it is another.').optional(),
    escaped_at: optional(
      time,
      'The time when it went to the escape channel because it was not sent; absent: it did not.',
    ),
    next_attempt_at: time.optional(),
    waits: optional(waits, 'The reason why it waits; absent: it does not wait to be sent.'),
    created_at: time,
    sent_at: time.optional(),
    config_version: configVersion.describe('The version of the configuration that rendered it.'),
  },
);

/** Times are ISO 8601. `params` are exactly the form fields sent, without credentials and links that can be pressed. */
export type MessageView = AnswerOf<typeof message>;

export const messagePage = pageOf(message, 'MessagePage', 'Messages, newest first.');

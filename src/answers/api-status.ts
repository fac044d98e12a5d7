import * as z from 'zod';
import {
  count,
  pageOf,
  time,
  type AnswerOf,
  component,
  flag,
  oneOf,
  optional,
  text,
} from '../schema/api-parts.ts';
import { BLOCKERS, QUEUE_STATES } from '../schema/states.ts';
import { reasonCode, reasonParams } from './api-message.ts';

export const accountStatus = component('AccountStatus', "An account's status.", {
  account: z.string(),
  queued: count,
  retrying: count,
  sending: count,
  uncertain: count,
  dead: count,
  waiting: count.describe(
    'Items that wait for a notification, counted for each receiver. They are not messages yet.',
  ),
  open_incidents: count.describe('The number of open incidents.'),
  circuit: z.object({
    state: oneOf(['closed', 'open'], '`open`: the gateway failed too often in a row.'),
    failures: count.describe('The current number of failures in a row.'),
    probe_at: optional(time, 'The time of the next attempt through an open circuit.'),
    last_error: optional(
      z.object({ at: time, code: reasonCode, params: reasonParams, detail: z.string() }),
      'The last of these failures.',
    ),
  }),
  waits_for: optional(
    z.object({
      for: oneOf(
        BLOCKERS,
        '`circuit`: the gateway is failing, and one message at a time is tried. `receiver`: receivers are at their hourly limit. `contact`: it would be the receiver’s first message, and the account’s new contacts of the day are used up. `retry`: the time of an attempt, or a `delay`.',
      ),
      until: optional(time, 'Absent: unknown, or it is tried now.'),
    }),
    'The reason why the first waiting message waits. Absent: none waits, or it is being sent.',
  ),
  paused: z
    .object({
      since: time,
      by: text('A person, or `gateway` after a 401 or 403.'),
      code: reasonCode,
      params: reasonParams,
      reason: z.string(),
    })
    .nullable(),
  rate: z
    .object({ per_minute: count, burst: count })
    .nullable()
    .describe("The account's pace; null for no limit."),
  receivers_at_cap: optional(
    z.object({
      receivers: count,
      messages: count.describe('The number of messages that wait for them.'),
      per_hour: count.describe("The account's `per_recipient`."),
      next_at: time.describe('When the first of these messages may be sent.'),
      last_at: time.describe('When the last of these messages may be sent.'),
    }),
    'Receivers at their hourly limit with waiting messages; absent: none.',
  ),
  canary: optional(
    z.object({
      sent_at: optional(time, 'When its link was last sent; absent: not yet.'),
      answered_at: optional(time, 'When that link was pressed; absent: it was not.'),
      next_at: time.describe('When it is sent next.'),
    }),
    'The canary; absent: the account has none.',
  ),
  escape: optional(
    z.object({
      failures: count.describe('The number of calls in a row that failed.'),
      last: optional(
        z.object({ at: time, detail: text('Why it failed; absent: it did not.').optional() }),
        'Its last call; absent: there was none.',
      ),
    }),
    'The escape channel; absent: the account has none.',
  ),
  storage: z
    .object({
      bytes: count,
      max_bytes: count,
      state: oneOf(
        ['ok', 'low', 'full'],
        '`low`, from 80 % on: finished events are deleted early; `full`, from 95 % on: webhooks get 503.',
      ),
    })
    .describe('The storage that its outbox uses.'),
  inexact: optional(
    z.array(z.enum(QUEUE_STATES)),
    'States with too many messages to be counted: `queued` is an estimate then, the others are minimums.',
  ),
  drain_seconds: count.nullable().meta({
    description:
      "The time that the queue takes at the account's pace and within its receivers' limits; null while a pause or an open circuit holds it back.",
  }),
  drain_at_least: flag('It may take longer: there are too many receivers or messages to examine.').optional(),
});

export type OutboxStatus = AnswerOf<typeof accountStatus>;
export type CanaryStatus = NonNullable<OutboxStatus['canary']>;

const unreachable = optional(
  z.array(z.string()),
  'Accounts whose status could not be read now; absent: none.',
);

export const accountStatusPage = pageOf(accountStatus, 'AccountStatusPage', 'The status of each account.')
  .extend({ unreachable })
  .meta({ id: 'AccountStatusPage', description: 'The status of each account.' });

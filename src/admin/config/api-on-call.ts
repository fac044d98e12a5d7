import * as z from 'zod';
import { activated } from './api-config.ts';
import { component, time, type AnswerOf, flag, text, optional } from '../../schema/api-parts.ts';

const span = component('OnCallSpan', 'The time for which a person is on call.', {
  person: text('Their name in the list.'),
  since: time.nullable().describe('null: they have been on call for as long as can be seen.'),
  until: time.nullable().describe('null: they are on call for as long as can be seen.'),
});

const calendar = text(
  'The secret link of an iCalendar feed, 60 days ahead. Whoever has it sees who is on call; `hidden` for a viewer.',
);

const times = {
  person: text('The person who takes over.'),
  from: text("Its start, in the rotation's time zone."),
  to: text("Its end, in the rotation's time zone."),
  since: time,
  until: time,
};

const byHand = {
  id: text('The id of one that was made by hand.'),
  by: text(
    'The person who made it: the name given at sign-in, `token` or `operator`, or the identity from Cloudflare Access.',
  ),
  created_at: time,
  list: text('The list.'),
};
const ended = {
  ended_at: optional(time, 'The time when it was ended early.'),
  is_gone: flag(
    'True if a publish ended it, since it removed the person. It is listed for as long as it was to last.',
  ).optional(),
};

export const overrideByHand = component('OverrideByHand', 'An override that was made by hand.', {
  origin: z.enum(['hand']),
  ...byHand,
  ...times,
  ...ended,
});

const listed = z
  .object({ origin: z.enum(['document', 'hand']), ...times, ...ended })
  .extend(z.object(byHand).partial().shape)
  .meta({ id: 'OnCallOverride', description: 'An override of a rotation.' });

export const endedOverride = z
  .union([overrideByHand, activated])
  .meta({ id: 'EndedOverride', description: 'The override that was ended.' });

export type ShownOverride = AnswerOf<typeof listed>;

export const onCall = component('OnCall', 'The people on call in a list.', {
  name: text('The list.'),
  timezone: text('The time zone of its rotation.'),
  at: time.describe('The time that `now` and `next` are about.'),
  now: span,
  next: span.nullable().describe('null: nobody else will be on call.'),
  spans: z.array(span).describe('All spans of the range, at most 1,000.'),
  overrides: z.array(listed).describe('The overrides that have not ended, in order.'),
  calendar,
});

export const onCallCalendar = component('OnCallCalendar', 'The new link of a calendar.', { calendar });

import * as z from 'zod';
import { activated } from './api-config.ts';
import { time, type AnswerOf } from '../../schema/api-parts.ts';

const span = z
  .object({
    person: z.string().meta({ description: 'Their name in the list.' }),
    since: time.nullable().meta({ description: 'null: they have been on call for as long as can be seen.' }),
    until: time.nullable().meta({ description: 'null: they are on call for as long as can be seen.' }),
  })
  .meta({ id: 'OnCallSpan', description: 'The time for which a person is on call.' });

const calendar = z.string().meta({
  description:
    'The secret link of an iCalendar feed, 60 days ahead. Whoever has it sees who is on call; `hidden` for a viewer.',
});

const times = {
  person: z.string().meta({ description: 'The person who takes over.' }),
  from: z.string().meta({ description: "Its start, in the rotation's time zone." }),
  to: z.string().meta({ description: "Its end, in the rotation's time zone." }),
  since: time,
  until: time,
};

const byHand = {
  id: z.string().meta({ description: 'The id of one that was made by hand.' }),
  by: z.string().meta({
    description:
      'The person who made it: the name given at sign-in, `token` or `operator`, or the identity from Cloudflare Access.',
  }),
  created_at: time,
  list: z.string().meta({ description: 'The list.' }),
};
const ended = {
  ended_at: time.optional().meta({ description: 'The time when it was ended early.' }),
  is_gone: z.boolean().optional().meta({
    description:
      'True if a publish ended it, since it removed the person. It is listed for as long as it was to last.',
  }),
};

export const overrideByHand = z
  .object({ origin: z.enum(['hand']), ...byHand, ...times, ...ended })
  .meta({ id: 'OverrideByHand', description: 'An override that was made by hand.' });

const listed = z
  .object({ origin: z.enum(['document', 'hand']), ...times, ...ended })
  .extend(z.object(byHand).partial().shape)
  .meta({ id: 'OnCallOverride', description: 'An override of a rotation.' });

export const endedOverride = z
  .union([overrideByHand, activated])
  .meta({ id: 'EndedOverride', description: 'The override that was ended.' });

export type ShownOverride = AnswerOf<typeof listed>;

export const onCall = z
  .object({
    name: z.string().meta({ description: 'The list.' }),
    timezone: z.string().meta({ description: 'The time zone of its rotation.' }),
    at: time.meta({ description: 'The time that `now` and `next` are about.' }),
    now: span,
    next: span.nullable().meta({ description: 'null: nobody else will be on call.' }),
    spans: z.array(span).meta({ description: 'All spans of the range, at most 1,000.' }),
    overrides: z.array(listed).meta({ description: 'The overrides that have not ended, in order.' }),
    calendar,
  })
  .meta({ id: 'OnCall', description: 'The people on call in a list.' });

export const onCallCalendar = z
  .object({ calendar })
  .meta({ id: 'OnCallCalendar', description: 'The new link of a calendar.' });

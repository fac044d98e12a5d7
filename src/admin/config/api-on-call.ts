import * as z from 'zod';
import { time } from '../../schema/api-parts.ts';

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

/** The answer of `GET /recipients/{name}/on-call`. */
export const onCall = z
  .object({
    name: z.string().meta({ description: 'The list.' }),
    timezone: z.string().meta({ description: 'The time zone of its rotation.' }),
    at: time.meta({ description: 'The time that `now` and `next` are about.' }),
    now: span,
    next: span.nullable().meta({ description: 'null: nobody else will be on call.' }),
    spans: z.array(span).meta({ description: 'All spans of the range, at most 1,000.' }),
    overrides: z
      .array(
        z
          .object({
            person: z.string().meta({ description: 'The person who takes over.' }),
            from: z.string().meta({ description: 'Its start, as written in the list.' }),
            to: z.string().meta({ description: 'Its end, as written in the list.' }),
            since: time,
            until: time,
          })
          .meta({ id: 'OnCallOverride', description: 'An override of a rotation.' }),
      )
      .meta({ description: 'The overrides that have not ended, in order.' }),
    calendar,
  })
  .meta({ id: 'OnCall', description: 'The people on call in a list.' });

/** The answer of `DELETE /recipients/{name}/calendar`. */
export const onCallCalendar = z
  .object({ calendar })
  .meta({ id: 'OnCallCalendar', description: 'The new link of a calendar.' });

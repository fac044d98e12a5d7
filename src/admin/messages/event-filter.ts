import * as z from 'zod/mini';
import { EVENT_STATES } from '../../outbox/state/states.ts';
import { oneOf } from '../../schema/parts.ts';
import { moment } from '../request/input.ts';

/** The shortest and the longest text to search for. Shorter ones are in nearly every payload. */
const [MIN, MAX] = [3, 200];

/** The filters of the list of events, in a query or a body. */
export const eventFilter = {
  source: z.optional(z.string({ error: 'must be the id of a source' })),
  state: z.optional(oneOf(EVENT_STATES)),
  type: z.optional(z.string({ error: 'must be text' })),
  since: z.optional(moment),
  until: z.optional(moment),
  text: z.optional(
    z.string({ error: 'must be text' }).check(
      z.refine((text) => text.length >= MIN && text.length <= MAX, {
        error: `must have ${MIN} to ${MAX} characters`,
        params: { minLength: MIN, maxLength: MAX },
      }),
    ),
  ),
};

import { fieldError } from '../../lib/problem.ts';
import * as z from 'zod/mini';
import { oneOf } from '../../schema/parts.ts';
import { invalid } from '../request/input.ts';

/** The maximum number of receivers in one response. The console adds up the receivers of all steps. */
export const MAX_PHONES = 2_000;

/** The query of routes that change many things at once. */
export const bulkQuery = { dry_run: z.optional(oneOf(['true', 'false'])) };

/** The filters of messages, in a body. */
export const messageFilter = {
  source: z.optional(z.string({ error: 'must be the id of a source' })),
  event: z.optional(z.string({ error: 'must be the id of an event' })),
  phone: z.optional(z.string({ error: 'must be a number: digits, as text' })),
};

export const bulkCursor = z.optional(
  z.string({ error: 'must be the `next_cursor` of the previous response' }),
);

/** Required if there is no filter, since a forgotten filter would match everything. `what` names everything. */
export const bulkAll = (what: string) => z.optional(z.literal(true, { error: `must be true: ${what}` }));

/**
 * Refuses a request that has neither a filter nor `all`, or both; null if it is fine. `filters`: the names of the
 * filters.
 */
export function unclear(filter: object, all: true | undefined, filters: string): Response | null {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return isFiltered === (all === true)
    ? invalid([
        isFiltered
          ? fieldError('all', 'conflict', 'must not be combined with a filter')
          : fieldError('all', 'required', `must be true if no filter is given: ${filters}`),
      ])
    : null;
}

/** The `cursor` is not from this route, or is too old. */
export const wrongCursor = (): Response =>
  invalid([], '`cursor` must be the `next_cursor` of the previous response.');

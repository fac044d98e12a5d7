import type { Context } from 'hono';
import * as z from 'zod/mini';
import type { Page } from '../../outbox/read/read.ts';
import { checkQuery, invalid, queryNumber } from './input.ts';

/** A list over several outboxes has a position in each of them in its cursor. An address ends at 16 KB. */
const MAX_CURSOR = 15_000;

/** `limit` and `cursor`, as every list takes them. */
export const pageParams = {
  limit: z._default(queryNumber(1, 200), 50),
  cursor: z.optional(
    z.string().check(z.maxLength(MAX_CURSOR, { error: `must not be longer than ${MAX_CURSOR} characters` })),
  ),
};

/** A position among what is numbered, as `next_cursor` gives it. */
export const numberCursor = z.optional(queryNumber(1, Number.MAX_SAFE_INTEGER));

/** What a list of numbered things is asked. */
export const numberedQuery = { ...pageParams, cursor: numberCursor };

/** Answers a list: one page, by what its query says. `read` gives null where the cursor is none of this list. */
export async function answerPage<Shape extends z.core.$ZodShape>(
  context: Context,
  shape: Shape,
  read: (query: z.output<z.ZodMiniObject<Shape, z.core.$strict>>) => Promise<Page<unknown> | null>,
): Promise<Response> {
  const query = checkQuery(shape, context);
  if (!query.ok) return query.error;
  const page = await read(query.value);
  return page === null ? invalid('`cursor` must be a `next_cursor` of this list.', []) : Response.json(page);
}

/** The page of `limit` numbered things. `found` has one more where there are more. */
export function numberedPage<Item>(
  found: readonly Item[],
  limit: number,
  numberOf: (item: Item) => number,
): Page<Item> {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next_cursor: found.length > limit && last !== undefined ? String(numberOf(last)) : null };
}

import * as z from 'zod/mini';
import type { Page } from '../../outbox/read/read.ts';
import { invalid, queryNumber } from './input.ts';

/** A cursor of a list over several outboxes has a position in each of them. Cloudflare limits addresses to 16 KB. */
const MAX_CURSOR = 15_000;

/** The numbers of items on a page: those that may be asked for, and the default. */
export const [MIN_LIMIT, MAX_LIMIT, LIMIT] = [1, 200, 50] as const;

/** `limit` and `cursor`, which every list accepts. */
export const pageParams = {
  limit: z._default(queryNumber(MIN_LIMIT, MAX_LIMIT), LIMIT),
  cursor: z.optional(
    z.string().check(z.maxLength(MAX_CURSOR, { error: `must have at most ${MAX_CURSOR} characters` })),
  ),
};

/** A position in a list of numbered items, as `next_cursor` gives it. */
export const numberCursor = z.optional(queryNumber(1, Number.MAX_SAFE_INTEGER));

/** The query of a list of numbered items. */
export const numberedQuery = { ...pageParams, cursor: numberCursor };

/** Returns the page of a list. Without a page, the cursor is not of this list: returns that problem. */
export const pageOr = <Found>(page: Found | null): Found | Response =>
  page ?? invalid('`cursor` must be a `next_cursor` of this list.', []);

/** A list that is always complete. */
export const wholeList = <Item>(items: readonly Item[]): Page<Item> => ({ items, next_cursor: null });

/** Makes a page of `limit` numbered items. `found` has one item more if another page follows. */
export function numberedPage<Item>(
  found: readonly Item[],
  limit: number,
  numberOf: (item: Item) => number,
): Page<Item> {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next_cursor: found.length > limit && last !== undefined ? String(numberOf(last)) : null };
}

import * as z from 'zod/mini';
import type { Page } from '../../outbox/read/read.ts';
import { recordOf } from '../../schema/parts.ts';

/** The cursor of a list over several outboxes: the position in each. An outbox that is absent has no more items. */
type Positions = Readonly<Record<string, string | null>>;

const positionsSchema = recordOf(z.nullable(z.string()));

interface MergeOptions<Item> {
  readonly outboxes: readonly string[];
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly read: (outbox: string, cursor: string | undefined) => Promise<Page<Item>>;
  /** ISO 8601 in UTC, or another text that grows with time. */
  readonly time: (item: Item) => string;
  readonly isOldestFirst?: true | undefined;
  readonly position: (item: Item) => string;
  /** True if a text can be a position in this list. The cursor of another list must not pass for one. */
  readonly isPosition: (text: string) => boolean;
}

/** Merges the lists of several outboxes into one page; null if the cursor is not of this list. */
export async function mergePages<Item>(options: MergeOptions<Item>): Promise<Page<Item> | null> {
  const { outboxes, cursor } = options;
  const start =
    cursor === undefined
      ? Object.fromEntries(outboxes.map((outbox) => [outbox, null]))
      : decodePositions(cursor, options.isPosition);
  if (start === null) return null;
  const open = outboxes.filter((outbox) => Object.hasOwn(start, outbox));
  const lists = await Promise.all(
    open.map(async (outbox) => {
      const from = start[outbox] ?? null;
      return { outbox, from, page: await options.read(outbox, from ?? undefined), taken: 0 };
    }),
  );
  const items = takeFirst(lists, options);
  const next = Object.fromEntries(lists.flatMap((list) => restOf(list, options.position)));
  return { items, next_cursor: Object.keys(next).length === 0 ? null : encodePositions(next) };
}

/** A page of one outbox. `taken`: the number of its first items that are in the merged page. */
interface List<Item> {
  readonly outbox: string;
  readonly from: string | null;
  readonly page: Page<Item>;
  taken: number;
}

/**
 * Takes the newest (or the oldest) next item of all lists until the page is full. Each list keeps its own order, even
 * if its times are out of order (a clock may be set back), since its cursor is a position in it. The merged page ends
 * when the page of one list is used up and more may follow: those items may be newer than the ones of the others.
 */
function takeFirst<Item>(lists: readonly List<Item>[], { limit, time, isOldestFirst }: MergeOptions<Item>) {
  const isBefore = (one: Item, other: Item): boolean =>
    isOldestFirst === true ? time(one) < time(other) : time(one) > time(other);
  const items: Item[] = [];
  while (items.length < limit) {
    let first: { list: List<Item>; item: Item } | null = null;
    for (const list of lists) {
      const item = list.page.items[list.taken];
      if (item === undefined) {
        if (list.page.next_cursor !== null) return items;
      } else if (first === null || isBefore(item, first.item)) first = { list, item };
    }
    if (first === null) return items;
    items.push(first.item);
    first.list.taken += 1;
  }
  return items;
}

/** Returns the position at which a list continues; empty at its end. */
function restOf<Item>(
  { outbox, from, page, taken }: List<Item>,
  position: (item: Item) => string,
): readonly [string, string | null][] {
  if (taken === page.items.length) return page.next_cursor === null ? [] : [[outbox, page.next_cursor]];
  const last = page.items[taken - 1];
  return [[outbox, last === undefined ? from : position(last)]];
}

export const encodePositions = (positions: Positions): string =>
  btoa(JSON.stringify(positions)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** Null if the text is not a cursor, or contains anything but positions. */
export function decodePositions(cursor: string, isPosition: (text: string) => boolean): Positions | null {
  try {
    const text = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
    const { data } = positionsSchema.safeParse(JSON.parse(text));
    return data && Object.values(data).every((one) => one === null || isPosition(one)) ? data : null;
  } catch {
    return null;
  }
}

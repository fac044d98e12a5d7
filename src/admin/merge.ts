import * as z from 'zod';
import type { Page } from '../outbox/read.ts';

/** A list over several outboxes: each outbox's own position; an outbox that is absent has nothing more. */
type Positions = Readonly<Record<string, string | null>>;

const positionsSchema = z.record(z.string(), z.nullable(z.string()));

/** How to read one outbox's page, and how its items sort: a time in ms or ISO 8601. */
export interface MergeOptions<Item> {
  readonly outboxes: readonly string[];
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly read: (outbox: string, cursor: string | undefined) => Promise<Page<Item>>;
  readonly time: (item: Item) => string;
  readonly position: (item: Item) => string;
}

/** One page of several outboxes' lists, newest first; null when the cursor is none of ours. */
export async function mergePages<Item>(options: MergeOptions<Item>): Promise<Page<Item> | null> {
  const { outboxes, limit, cursor } = options;
  const start =
    cursor === undefined ? Object.fromEntries(outboxes.map((outbox) => [outbox, null])) : decode(cursor);
  if (start === null) return null;
  const open = outboxes.filter((outbox) => Object.hasOwn(start, outbox));
  const pages = await Promise.all(
    open.map(async (outbox) => ({
      outbox,
      page: await options.read(outbox, start[outbox] ?? undefined),
    })),
  );
  const merged = pages
    .flatMap(({ outbox, page }) => page.items.map((item) => ({ outbox, item })))
    .toSorted((a, b) => options.time(b.item).localeCompare(options.time(a.item)));
  const taken = merged.slice(0, limit);
  const next = Object.fromEntries(
    pages.flatMap(({ outbox, page }) => {
      const mine = taken.filter((entry) => entry.outbox === outbox);
      const last = mine.at(-1);
      if (mine.length === page.items.length)
        return page.next_cursor === null ? [] : [[outbox, page.next_cursor]];
      return [[outbox, last === undefined ? (start[outbox] ?? null) : options.position(last.item)]];
    }),
  );
  return {
    items: taken.map(({ item }) => item),
    next_cursor: Object.keys(next).length === 0 ? null : encode(next),
  };
}

const encode = (positions: Positions): string =>
  btoa(JSON.stringify(positions)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

function decode(cursor: string): Positions | null {
  try {
    const parsed = positionsSchema.safeParse(
      JSON.parse(atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))),
    );
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

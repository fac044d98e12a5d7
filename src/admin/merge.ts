import * as z from 'zod';
import type { Page } from '../outbox/read.ts';

/** A list over several outboxes: each account's own position; an account that is absent has nothing more. */
type Positions = Readonly<Record<string, string | null>>;

const positionsSchema = z.record(z.string(), z.nullable(z.string()));

/** How to read one account's page, and how its items sort: a time in ms or ISO 8601. */
export interface MergeOptions<Item> {
  readonly accounts: readonly string[];
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly read: (account: string, cursor: string | undefined) => Promise<Page<Item>>;
  readonly time: (item: Item) => string;
  readonly position: (item: Item) => string;
}

/** One page of several accounts' lists, newest first; null when the cursor is none of ours. */
export async function mergePages<Item>(options: MergeOptions<Item>): Promise<Page<Item> | null> {
  const { accounts, limit, cursor } = options;
  const start =
    cursor === undefined ? Object.fromEntries(accounts.map((account) => [account, null])) : decode(cursor);
  if (start === null) return null;
  const open = accounts.filter((account) => Object.hasOwn(start, account));
  const pages = await Promise.all(
    open.map(async (account) => ({
      account,
      page: await options.read(account, start[account] ?? undefined),
    })),
  );
  const merged = pages
    .flatMap(({ account, page }) => page.items.map((item) => ({ account, item })))
    .toSorted((a, b) => options.time(b.item).localeCompare(options.time(a.item)));
  const taken = merged.slice(0, limit);
  const next = Object.fromEntries(
    pages.flatMap(({ account, page }) => {
      const mine = taken.filter((entry) => entry.account === account);
      const last = mine.at(-1);
      if (mine.length === page.items.length)
        return page.next_cursor === null ? [] : [[account, page.next_cursor]];
      return [[account, last === undefined ? (start[account] ?? null) : options.position(last.item)]];
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

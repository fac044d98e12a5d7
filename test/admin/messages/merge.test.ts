import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergePages } from '../../../src/admin/messages/merge.ts';
import type { Page } from '../../../src/outbox/read/read.ts';
import { searchedIn } from '../../../src/admin/messages/events.ts';
import { eventIdFloor } from '../../../src/lib/id.ts';
import type { EventPage } from '../../../src/outbox/read/events.ts';
import type { EventSummary } from '../../../src/answers/api-event.ts';

interface Item {
  readonly id: string;
  readonly at: string;
}

/** Outboxes whose items are newest first, and which look at `scan` items a page at most. */
type Outboxes = Readonly<Record<string, readonly Item[]>>;

function page(items: readonly Item[], cursor: string | undefined, limit: number, scan: number): Page<Item> {
  const start = cursor === undefined ? 0 : items.findIndex(({ id }) => id === cursor) + 1;
  const seen = items.slice(start, start + scan);
  const isMore = start + scan < items.length;
  if (seen.length > limit) return { items: seen.slice(0, limit), next_cursor: seen[limit - 1]?.id ?? null };
  return { items: seen, next_cursor: isMore ? (seen.at(-1)?.id ?? null) : null };
}

const read = (
  outboxes: Outboxes,
  options: { limit: number; cursor?: string; scan?: number; reads?: string[] },
) =>
  mergePages<Item>({
    outboxes: Object.keys(outboxes),
    limit: options.limit,
    cursor: options.cursor,
    read: (outbox, cursor) => {
      options.reads?.push(outbox);
      return Promise.resolve(page(outboxes[outbox] ?? [], cursor, options.limit, options.scan ?? 20_000));
    },
    time: ({ at }) => at,
    position: ({ id }) => id,
    isPosition: (text) => text.startsWith('x_'),
  });

/** All pages one after the other. */
async function readAll(outboxes: Outboxes, limit: number, scan = 20_000) {
  const pages: (readonly Item[])[] = [];
  let cursor: string | undefined;
  for (let round = 0; round < 500; round += 1) {
    const merged = await read(outboxes, { limit, scan, ...(cursor !== undefined && { cursor }) });
    if (merged === null) throw new Error('its own cursor was refused');
    pages.push(merged.items);
    if (merged.next_cursor === null) return pages;
    cursor = merged.next_cursor;
  }
  throw new Error('no end');
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** Up to four outboxes; `isInOrder`: as an outbox lists them while its clock was never set back. */
const outboxesOf = (isInOrder: boolean) =>
  fc.array(fc.array(fc.nat({ max: 30 }), { maxLength: 25 }), { minLength: 1, maxLength: 4 }).map((lists) =>
    Object.fromEntries(
      lists.map((times, outbox) => [
        outbox === 0 ? 'default' : `sales-${outbox}`,
        (isInOrder ? times.toSorted((a, b) => b - a) : times).map((at, n) => ({
          id: `x_${outbox}_${n}`,
          at: iso(at),
        })),
      ]),
    ),
  );

const ids = (items: readonly Item[]): readonly string[] => items.map(({ id }) => id);

const encode = (value: unknown): string => btoa(JSON.stringify(value)).replaceAll('=', '');

const dated = (at: number): Item => ({ id: `x_${at}`, at: iso(at) });

it('a list over several outboxes has each item once and the newest first, whatever the limit, and however few rows an outbox looks at', () =>
  fc.assert(
    fc.asyncProperty(
      outboxesOf(true),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom(1, 2, 3, 4, undefined),
      async (outboxes, limit, scan) => {
        const pages = await readAll(outboxes, limit, scan);
        expect(ids(pages.flat()).toSorted()).toEqual(ids(Object.values(outboxes).flat()).toSorted());
        const times = pages.flat().map(({ at }) => at);
        expect(times).toEqual(times.toSorted().toReversed());
        if (scan === undefined) for (const items of pages.slice(0, -1)) expect(items).toHaveLength(limit);
      },
    ),
    { numRuns: 200 },
  ));

it('a list over several outboxes is oldest first where its lists are', async () => {
  const lists: Outboxes = {
    default: [1, 4, 5].map((at) => ({ id: `x_0_${at}`, at: iso(at) })),
    sales: [2, 3, 6].map((at) => ({ id: `x_1_${at}`, at: iso(at) })),
  };
  const merged = await mergePages<Item>({
    outboxes: Object.keys(lists),
    limit: 5,
    cursor: undefined,
    read: (outbox, cursor) => Promise.resolve(page(lists[outbox] ?? [], cursor, 5, 100)),
    time: ({ at }) => at,
    isOldestFirst: true,
    position: ({ id }) => id,
    isPosition: () => true,
  });
  expect(merged?.items.map(({ at }) => Date.parse(at))).toEqual([1, 2, 3, 4, 5]);
  expect(merged?.next_cursor).not.toBeNull();
});

it('a list over several outboxes loses and repeats nothing when a clock was set back', () =>
  fc.assert(
    fc.asyncProperty(outboxesOf(false), fc.integer({ min: 1, max: 9 }), async (outboxes, limit) => {
      const found = ids((await readAll(outboxes, limit)).flat());
      expect(found.toSorted()).toEqual(ids(Object.values(outboxes).flat()).toSorted());
    }),
  ));

it('a list over several outboxes asks an outbox that has come to its end no more', async () => {
  const [one, two, three] = [dated(9), dated(8), dated(7)];
  const outboxes = { a: [one], b: [two, three] };
  const first = await read(outboxes, { limit: 2 });
  const reads: string[] = [];
  const second = await read(outboxes, { limit: 2, cursor: first?.next_cursor ?? '', reads });
  expect(reads).toEqual(['b']);
  expect(second).toEqual({ items: [three], next_cursor: null });
});

it('a cursor is none of this list unless it was made for it', async () => {
  const encoded = [[], { a: 5 }, { a: 'y_1' }, 'x_1', null].map(encode);
  for (const cursor of ['', 'abc', '!!!', ...encoded])
    expect([cursor, await read({ a: [] }, { limit: 5, cursor })]).toEqual([cursor, null]);
});

it('a cursor fits into an address', async () => {
  const outboxes = Object.fromEntries(
    Array.from({ length: 128 }, (_, n) => [
      `${'a'.repeat(20)}-${n}`,
      [0, 1].map((place) => ({ id: `x_${'0'.repeat(26)}${n}_${place}`, at: iso(n) })),
    ]),
  );
  const first = await read(outboxes, { limit: 1 });
  expect(first?.next_cursor).toMatch(/^[A-Za-z0-9_-]+$/);
  expect(first?.next_cursor?.length).toBeLessThan(15_000);
});

it('a cursor of an outbox that is gone is left out', async () => {
  const cursor = encode({ gone: 'x_1', a: null });
  expect(await read({ a: [{ id: 'x_2', at: iso(1) }] }, { limit: 5, cursor })).toMatchObject({
    items: [{ id: 'x_2' }],
  });
});

const at = (second: number): string => eventIdFloor(second * 1_000);
const item = (second: number): EventSummary => ({
  id: at(second),
  source: 'shop',
  type: null,
  state: 'routed',
  received_at: iso(second * 1_000),
  duplicates: 0,
  config_version: 1,
  stored: true,
});

/** A page of an object: the events that it found, and the time where the page ends. */
const pageOf = (found: readonly number[], end: number | null): EventPage => ({
  items: found.map(item),
  next_cursor: end === null ? null : at(end),
  searched: { events: 10, bytes: 500 },
});

const searched = (pages: readonly EventPage[], shown: readonly number[], next_cursor: string | null) =>
  searchedIn(pages, { items: shown.map(item), next_cursor });

it('how far a search looked is to the end, to the object that came least far, or to the last one shown', () => {
  const all = { events: 20, bytes: 1_000, back_to: null, complete: true };
  expect(searched([pageOf([9], null), pageOf([], null)], [9], null)).toEqual(all);
  const rows = [
    [[pageOf([], 50), pageOf([], 70), pageOf([], null)], [], 70_000],
    // Another page has more of what was found.
    [[pageOf([90], null), pageOf([80], null)], [90], 90_000],
    // An object is behind what another one found.
    [[pageOf([], 95), pageOf([90], null)], [], 95_000],
  ] as const;
  for (const [pages, shown, back] of rows)
    expect(searched(pages, shown, 'next')).toMatchObject({ back_to: iso(back), complete: false });
});

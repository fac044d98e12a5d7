import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Page } from '../../../src/outbox/read/read.ts';
import { numberedPage, pageOr } from '../../../src/admin/request/pages.ts';

const identity = (n: number): number => n;

/** Numbers from `last` down to 1, read like a list of them: one more than asked for. */
const read = (last: number, limit: number, cursor: number | null): readonly number[] => {
  const from = Math.min(last, (cursor ?? Infinity) - 1);
  return Array.from({ length: Math.max(0, Math.min(from, limit + 1)) }, (_, n) => from - n);
};

const page = (limit: number, cursor: number | null = null) =>
  numberedPage(read(5, limit, cursor), limit, identity);

describe('a page of numbered things', () => {
  it('says where the next one begins, and that there is none after the last', () => {
    expect(page(3)).toEqual({ items: [5, 4, 3], next_cursor: '3' });
    expect(page(3, 3)).toEqual({ items: [2, 1], next_cursor: null });
    expect(page(5)).toEqual({ items: [5, 4, 3, 2, 1], next_cursor: null });
  });

  it('leads to every thing once, whatever the limit is', () => {
    fc.assert(
      fc.property(fc.nat({ max: 40 }), fc.integer({ min: 1, max: 9 }), (last, limit) => {
        const seen: number[] = [];
        for (let cursor: number | null = null, pages = 0; pages <= last; pages += 1) {
          const page: Page<number> = numberedPage(read(last, limit, cursor), limit, identity);
          seen.push(...page.items);
          if (page.next_cursor === null) break;
          cursor = Number(page.next_cursor);
        }
        expect(seen).toEqual(read(last, last, null));
      }),
    );
  });
});

describe('a list', () => {
  it('refuses a cursor of another one', async () => {
    const refused = pageOr<Page<number>>(null);
    expect(refused instanceof Response ? [refused.status, await refused.json()] : refused).toMatchObject([
      422,
      { title: 'Invalid', detail: '`cursor` must be a `next_cursor` of this list.' },
    ]);
    expect(pageOr(page(3))).toEqual(page(3));
  });
});

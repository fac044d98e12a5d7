import { expect } from 'vitest';
import type { Page } from '../../../src/outbox/read/read.ts';

export const idsOf = ({ items }: Page<{ id: string }>): readonly string[] => items.map(({ id }) => id);

/** All pages, one after the other. */
export function walk<Item>(pageAt: (cursor: string | undefined) => Page<Item>): readonly Item[] {
  const items: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 1_000; page += 1) {
    const { items: more, next_cursor } = pageAt(cursor);
    items.push(...more);
    if (next_cursor === null) return items;
    expect(next_cursor).not.toBe(cursor);
    cursor = next_cursor;
  }
  throw new Error('the pages do not end');
}

import { diffArrays } from 'diff/lib/diff/array.js';
import { isObject } from './same.ts';

/** With more changes than this, entries are compared by their places alone. */
const MAX_CHANGES = 1_000;

/**
 * Finds the earlier entry of each entry of a list: an equal one, or the one that was changed into it, which is found by
 * its `name`, or else by its place; -1 if the entry is new. Each earlier entry is used at most once, in order.
 */
export function earlierEntries(before: readonly unknown[], after: readonly unknown[]): readonly number[] {
  const found: number[] = [];
  let at = 0;
  let gap: Gap = { olds: [], news: [] };
  const close = (): void => {
    found.push(...pairs(gap, before, after));
    gap = { olds: [], news: [] };
  };
  let next = 0;
  const parts = diffArrays(before.map(asText), after.map(asText), { maxEditLength: MAX_CHANGES });
  if (parts === undefined) return after.map((_, index) => (index < before.length ? index : -1));
  for (const { added, removed, value } of parts) {
    if (removed) gap.olds.push(...value.map(() => at++));
    else if (added) gap.news.push(...value.map(() => next++));
    else {
      close();
      found.push(...value.map(() => at++));
      next += value.length;
    }
  }
  close();
  return found;
}

/** Neighbours that differ: their indexes before and after. */
interface Gap {
  readonly olds: number[];
  readonly news: number[];
}

/** In order: an old entry that was passed over is gone. */
function pairs(
  { olds, news }: Gap,
  before: readonly unknown[],
  after: readonly unknown[],
): readonly number[] {
  const isLone = olds.length === 1 && news.length === 1;
  let left = olds;
  return news.map((index) => {
    const name = nameOf(after[index]);
    const at = isLone ? 0 : left.findIndex((old) => nameOf(before[old]) === name);
    const found = left[at];
    if (found === undefined) return -1;
    left = left.slice(at + 1);
    return found;
  });
}

const nameOf = (entry: unknown): string | null =>
  isObject(entry) && typeof entry['name'] === 'string' ? entry['name'] : null;

const asText = (value: unknown): string => JSON.stringify(value) ?? 'null';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { earlierEntries } from '../../patch/entries.ts';
import { documents } from './support.ts';

const route = (name: string, to = 'x') => ({ name, to });

/** Entries that no other word has. */
const long = (word: string) => Array.from({ length: 1_500 }, (_, n) => `${word}${n}`);

describe('the entries of a list', () => {
  it('stay the same when others come and go', () => {
    expect(earlierEntries(['a', 'b', 'c'], ['b', 'x', 'c'])).toEqual([1, -1, 2]);
    expect(earlierEntries(['a'], ['x', 'y', 'a', 'z'])).toEqual([-1, -1, 0, -1]);
    expect(earlierEntries(['a', 'b'], [])).toEqual([]);
    expect(earlierEntries([], ['a'])).toEqual([-1]);
  });

  it('are known by their names when they were changed', () => {
    const before = [route('a'), route('b'), route('c')];
    expect(earlierEntries(before, [route('new'), route('b', 'y'), route('c', 'y')])).toEqual([-1, 1, 2]);
    expect(earlierEntries(before, [route('a', 'y'), route('c', 'y')])).toEqual([0, 2]);
  });

  it('are known by their places when they have no names, or when one was renamed', () => {
    expect(earlierEntries(['a', 'b', 'c'], ['a', 'x', 'c'])).toEqual([0, 1, 2]);
    expect(earlierEntries([route('a'), route('b')], [route('a'), route('c')])).toEqual([0, 1]);
  });

  it('are each given once, in order', () => {
    const lists = fc.array(fc.oneof(documents, fc.constantFrom('a', 'b', route('a'), route('b'))), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(lists, lists, (before, after) => {
        const found = earlierEntries(before, after);
        expect(found).toHaveLength(after.length);
        const given = found.filter((at) => at >= 0);
        expect(given).toEqual([...new Set(given)].toSorted((a, b) => a - b));
        for (const at of given) expect(at).toBeLessThan(before.length);
      }),
    );
  });

  it('are compared by their places alone in long lists that differ wholly', () => {
    expect(earlierEntries(long('a').slice(1), long('b')).slice(-2)).toEqual([1_498, -1]);
  });
});

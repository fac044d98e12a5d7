import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { earlierEntries, mergeEdit } from '../../../shared/yaml-patch/rewrite.ts';
import { sameDocument } from '../../../shared/yaml-patch/same.ts';
import { unifiedDiff } from '../../../shared/yaml-patch/patch.ts';
import { documents } from './support.ts';

/** Entries that no other word has. */
const long = (word: string) => Array.from({ length: 1_500 }, (_, n) => `${word}${n}`);

const turned = (one: object) => Object.fromEntries(Object.entries(one).toReversed());

describe('two documents', () => {
  it('are the same whatever the order of their keys, and as they would be sent', () => {
    fc.assert(fc.property(documents, (one) => sameDocument(one, turned(one))));
    expect(sameDocument({ a: undefined, b: NaN }, { b: null })).toBe(true);
  });

  it('are not the same with another type, key, order or length', () => {
    const rows: readonly (readonly [unknown, unknown])[] = [
      [{ a: 1 }, { a: '1' }],
      [{ a: 1 }, { a: 1, b: null }],
      [{ a: 1 }, { b: 1 }],
      [
        [1, 2],
        [2, 1],
      ],
      [[1], [1, 2]],
      [[], {}],
      [{}, null],
      [JSON.parse('{"__proto__":1}'), { a: 1 }],
    ];
    for (const [a, b] of rows) expect([sameDocument(a, b), sameDocument(b, a)]).toEqual([false, false]);
  });
});

describe('an edit that is merged', () => {
  const lines = fc
    .array(fc.constantFrom('a', 'b', 'c', '', '  d'), { maxLength: 12 })
    .map((all) => all.join('\n'));

  it('leaves what it did not touch as it was written, and wins where lines were laid out in another way', () => {
    const rows = [
      ['a:  1\nb: 2\nc:  3', 'a: 1\nb: 2\nc: 3', 'a: 1\nb: 4\nc: 3', 'a:  1\nb: 4\nc:  3'],
      ['a:  1\nb:  2\nc:  3', 'a: 1\nb: 2\nc: 3', 'a: 1\nb: 4\nc: 3', 'a:  1\nb: 4\nc:  3'],
      ['a:\n  [1,\n  2]\nb: 1', 'a: [1, 2]\nb: 1', 'a: [1, 3]\nb: 1', 'a: [1, 3]\nb: 1'],
    ] as const;
    for (const [written, before, after, merged] of rows)
      expect(mergeEdit(written, before, after)).toBe(merged);
  });

  it('is the edited text when nobody wrote in another way, and the written one when nothing was edited', () => {
    fc.assert(
      fc.property(lines, lines, (one, other) => {
        expect([mergeEdit(one, one, other), mergeEdit(other, one, one)]).toEqual([other, other]);
      }),
    );
  });

  it('is taken whole where too much differs', () => {
    const [a = '', b = '', c = ''] = ['a', 'b', 'c'].map((word) => long(word).join('\n'));
    expect(mergeEdit(a, b, c)).toBe(c);
  });
});

const route = (name: string, to = 'x') => ({ name, to });

describe('the entries of a list', () => {
  const before = [route('a'), route('b'), route('c')];

  it('are known by themselves, by their names, or by their places', () => {
    const rows: readonly (readonly [readonly unknown[], readonly unknown[], readonly number[]])[] = [
      [
        ['a', 'b', 'c'],
        ['b', 'x', 'c'],
        [1, -1, 2],
      ],
      [['a'], ['x', 'y', 'a', 'z'], [-1, -1, 0, -1]],
      [['a', 'b'], [], []],
      [[], ['a'], [-1]],
      [before, [route('new'), route('b', 'y'), route('c', 'y')], [-1, 1, 2]],
      [before, [route('a', 'y'), route('c', 'y')], [0, 2]],
      [
        ['a', 'b', 'c'],
        ['a', 'x', 'c'],
        [0, 1, 2],
      ],
      [
        [route('a'), route('b')],
        [route('a'), route('c')],
        [0, 1],
      ],
    ];
    for (const [old, now, places] of rows) expect(earlierEntries(old, now)).toEqual(places);
  });

  it('are each given once, in order', () => {
    const entries = fc.oneof(documents, fc.constantFrom('a', 'b', route('a'), route('b')));
    const lists = fc.array(entries, { maxLength: 8 });
    fc.assert(
      fc.property(lists, lists, (old, now) => {
        const found = earlierEntries(old, now);
        expect(found).toHaveLength(now.length);
        const given = found.filter((at) => at >= 0);
        expect(given).toEqual([...new Set(given)].toSorted((a, b) => a - b));
        for (const at of given) expect(at).toBeLessThan(old.length);
      }),
    );
  });

  it('are compared by their places alone in long lists that differ wholly', () => {
    expect(earlierEntries(long('a').slice(1), long('b')).slice(-2)).toEqual([1_498, -1]);
  });
});

describe('a unified diff', () => {
  /** Few different lines, so that many stay; the last one perhaps without its end. */
  const text = fc
    .tuple(fc.array(fc.constantFrom('a', 'b', '', '\r', '- c'), { maxLength: 40 }), fc.constantFrom('', 'd'))
    .map(([lines, last]) => lines.map((line) => `${line}\n`).join('') + last);

  it('is what the library for it writes', () => {
    const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
    fc.assert(
      fc.property(text, text, (before, after) => {
        const expected = createTwoFilesPatch('a/x', 'b/x', before, after, undefined, undefined, options);
        expect(unifiedDiff('x', before, after)).toBe(expected);
      }),
    );
  });

  it('of a file that is made or deleted has no name on the other side', () => {
    expect(unifiedDiff('x', null, 'a\n')).toBe('--- /dev/null\n+++ b/x\n@@ -0,0 +1,1 @@\n+a\n');
    expect(unifiedDiff('x', 'a', null)).toBe(
      '--- a/x\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n\\ No newline at end of file\n',
    );
  });
});

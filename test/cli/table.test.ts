import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tableLines } from '../../cli/table.ts';
import { widthOf } from '../../cli/text.ts';

const plain = (line: string): string => line;

describe('a table', () => {
  it('aligns its columns, and cuts those that give way', () => {
    const shape = [{ title: 'ID' }, { title: 'N', align: 'right' as const }, { title: 'TEXT', gives: true }];
    expect(
      tableLines(
        shape,
        [
          ['a', '5', 'a text\nthat is long'],
          ['bcd', '10', ''],
        ],
        20,
        plain,
      ),
    ).toEqual(['ID    N  TEXT', 'a     5  a text ⏎ t…', 'bcd  10']);
  });

  it('fits whatever is in the columns that give way', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 120 });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), (rows) => {
        const shape = [
          { title: 'A', gives: true },
          { title: 'B', gives: true },
        ];
        for (const line of tableLines(shape, rows, 80, plain)) expect(widthOf(line)).toBeLessThanOrEqual(80);
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { fieldLines } from '../../cli/fields.ts';

const plain = (text: string): string => text;

describe('names and values', () => {
  it('stand beside each other, and what has no value is left out', () => {
    expect(
      fieldLines(
        [
          ['id', 'evt_1'],
          ['reason', undefined],
          ['state', 'the first line\nthe second'],
        ],
        40,
        plain,
      ),
    ).toEqual(['id     evt_1', 'state  the first line', '       the second']);
  });

  it('stand below each other where a word has no room', () => {
    expect(
      fieldLines(
        [
          ['MESSAGE', 'msg_000000009hk7nd0g is dead'],
          ['TO', '4915112345678'],
        ],
        22,
        plain,
      ),
    ).toEqual(['MESSAGE', '  msg_000000009hk7nd0g', '  is dead', 'TO       4915112345678']);
  });
});

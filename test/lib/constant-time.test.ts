import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { equalsInConstantTime } from '../../src/lib/constant-time.ts';

describe('equalsInConstantTime', () => {
  it('is true of equal texts alone, whatever their lengths', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        async (given, expected) => {
          expect(await equalsInConstantTime(given, expected)).toBe(given === expected);
          expect(await equalsInConstantTime(expected, expected)).toBe(true);
        },
      ),
    );
  });

  it.each([
    ['', 'secret'],
    ['secre', 'secret'],
    ['secret ', 'secret'],
    ['SECRET', 'secret'],
    ['secret\0', 'secret'],
    ['é', 'e\u0301'],
  ])('%j is not %j', async (given, expected) => {
    expect(await equalsInConstantTime(given, expected)).toBe(false);
  });
});

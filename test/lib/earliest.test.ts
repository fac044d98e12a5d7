import fc from 'fast-check';
import { expect, it } from 'vitest';
import { earliest } from '../../src/lib/earliest.ts';

it('is never when there is no time', () => {
  expect([earliest([]), earliest([null, null])]).toEqual([null, null]);
});

it('is one of the times, and none of them is earlier', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer())), fc.integer(), (others, one) => {
      const times = [...others, one].filter((at) => at !== null);
      expect(earliest([...others, one])).toBe(Math.min(...times));
    }),
  );
});

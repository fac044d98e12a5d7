import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import * as id from '../../src/lib/id.ts';

const { eventIdFloor, fromBase32, newEventId, randomBase32, toBase32 } = id;
const NOW = Date.UTC(2026, 0, 5, 8, 30);
const zeros = (count: number) => new Uint8Array(count);
const counting = (count: number) => Uint8Array.from({ length: count }, (_, at) => at);
const ones = (count: number) => new Uint8Array(count).fill(255);

/** 45 bits: what nine digits hold. */
const numbers = fc.integer({ min: 0, max: 2 ** 45 - 1 });
const times = fc.integer({ min: 0, max: Date.UTC(3000, 0, 1) });

it('base 32 is read back as it was written, and sorts as text like the numbers do', () => {
  fc.assert(
    fc.property(numbers, numbers, (a, b) => {
      expect(fromBase32(toBase32(a, 9))).toBe(a);
      expect(toBase32(a, 9) < toBase32(b, 9)).toBe(a < b);
    }),
  );
  for (const text of ['i', 'l', 'o', 'u', 'A', '-', ' 1', '1.5', '😀', 'z'.repeat(11)])
    expect(fromBase32(text), text).toBeNull();
});

it('random digits use each byte once, and all digits occur', () => {
  expect(randomBase32(32, counting)).toBe('0123456789abcdefghjkmnpqrstvwxyz');
});

it('event ids say when, then 80 random bits', () => {
  expect(newEventId(NOW, zeros)).toMatch(/^evt_[0-9a-z]{10}0{16}$/);
  expect(newEventId(NOW, ones)).toMatch(/^evt_[0-9a-z]{10}z{16}$/);
});

it('event ids sort by the time of receipt, and by the floor of their own millisecond and the next', () => {
  fc.assert(
    fc.property(times, times, (earlier, later) => {
      expect(newEventId(earlier, zeros) >= eventIdFloor(earlier)).toBe(true);
      expect(newEventId(earlier, ones) < eventIdFloor(earlier + 1)).toBe(true);
      fc.pre(earlier < later);
      expect(newEventId(earlier, ones) < newEventId(later, zeros)).toBe(true);
    }),
  );
  expect(eventIdFloor(-1)).toBe(`evt_${'0'.repeat(26)}`);
});

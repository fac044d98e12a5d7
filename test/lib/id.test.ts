import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  eventIdFloor,
  fromBase32,
  newEventId,
  randomBase32,
  secureRandomBytes,
  toBase32,
} from '../../src/lib/id.ts';

const NOW = Date.UTC(2026, 0, 5, 8, 30);
const zeros = (count: number) => new Uint8Array(count);
const counting = (count: number) => Uint8Array.from({ length: count }, (_, at) => at);
const ones = (count: number) => new Uint8Array(count).fill(255);

/** 45 bits: what nine digits hold. */
const numbers = fc.integer({ min: 0, max: 2 ** 45 - 1 });
const times = fc.integer({ min: 0, max: Date.UTC(3000, 0, 1) });

describe('base 32', () => {
  it('is read back as it was written', () => {
    fc.assert(
      fc.property(numbers, (value) => {
        expect(fromBase32(toBase32(value, 9))).toBe(value);
      }),
    );
  });

  it('sorts as text like the numbers do', () => {
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        expect(toBase32(a, 9) < toBase32(b, 9)).toBe(a < b);
      }),
    );
  });

  it.each(['i', 'l', 'o', 'u', 'A', '-', ' 1', '1.5', '😀', 'z'.repeat(11)])(
    '%j stands for no number',
    (text) => {
      expect(fromBase32(text)).toBeNull();
    },
  );

  it('random digits use each byte once, and all digits occur', () => {
    expect(randomBase32(32, counting)).toBe('0123456789abcdefghjkmnpqrstvwxyz');
  });
});

describe('event ids', () => {
  it('say when, then 80 random bits', () => {
    expect(newEventId(NOW, zeros)).toMatch(/^evt_[0-9a-z]{10}0{16}$/);
    expect(newEventId(NOW, ones)).toMatch(/^evt_[0-9a-z]{10}z{16}$/);
  });

  it('sort by the time of receipt, whatever their random part', () => {
    fc.assert(
      fc.property(times, times, (earlier, later) => {
        fc.pre(earlier < later);
        expect(newEventId(earlier, ones) < newEventId(later, zeros)).toBe(true);
      }),
    );
  });

  it('are not below the floor of their own millisecond, and below that of the next', () => {
    fc.assert(
      fc.property(times, (time) => {
        expect(newEventId(time, zeros) >= eventIdFloor(time)).toBe(true);
        expect(newEventId(time, ones) < eventIdFloor(time + 1)).toBe(true);
      }),
    );
  });

  it('the floor of a time before 1970 is below every id', () => {
    expect(eventIdFloor(-1)).toBe(`evt_${'0'.repeat(26)}`);
  });

  it('made at once from real randomness differ', () => {
    const ids = Array.from({ length: 1_000 }, () => newEventId(NOW, secureRandomBytes));
    expect(new Set(ids).size).toBe(1_000);
  });
});

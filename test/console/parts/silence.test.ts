import { describe, expect, test } from 'vitest';
import { nextMorning } from '../../../console/parts/silence/morning.ts';
import { ofSource, ofType, quoted } from '../../../console/parts/silence/conditions.ts';

const on = (day: number, hour: number): Date => new Date(2026, 2, day, hour, 30);

describe('until morning', () => {
  test('is seven o’clock today or tomorrow, and at least an hour away', () => {
    expect(nextMorning(on(1, 2))).toEqual(new Date(2026, 2, 1, 7));
    expect(nextMorning(on(1, 23))).toEqual(new Date(2026, 2, 2, 7));
    expect(nextMorning(on(1, 6))).toEqual(new Date(2026, 2, 2, 7));
  });
});

describe('what is silenced from an event', () => {
  test('is its type, or all of its source', () => {
    expect(ofSource('shop')).toBe('event.source == "shop"');
    expect(ofType('shop', 'a.b')).toBe('event.source == "shop" and event.type == "a.b"');
    expect(ofType('shop', null)).toBeNull();
  });

  test('is quoted as Liquid can', () => {
    expect([quoted('a'), quoted('a"b'), quoted('a"b\'c')]).toEqual(['"a"', "'a\"b'", null]);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RUNS } from './harness.ts';
import { SeededRandom } from './random.ts';

const NAME = fc.string({ maxLength: 12 });
const draw = (random: SeededRandom, count: number): number[] =>
  Array.from({ length: count }, () => random.next());

describe('a stream of random numbers', () => {
  test('gives the same numbers for the same name', () => {
    fc.assert(
      fc.property(NAME, (name) => {
        expect(draw(new SeededRandom(name), 20)).toEqual(draw(new SeededRandom(name), 20));
      }),
      RUNS,
    );
  });

  test('is independent of what its parent and its siblings draw', () => {
    fc.assert(
      fc.property(NAME, NAME, fc.nat(30), fc.nat(30), (name, own, parents, siblings) => {
        const quiet = new SeededRandom(name).fork(own);
        const parent = new SeededRandom(name);
        const sibling = parent.fork(`${own}'s sibling`);
        draw(parent, parents);
        const busy = parent.fork(own);
        const first = draw(busy, 5);
        draw(sibling, siblings);
        expect([...first, ...draw(busy, 5)]).toEqual(draw(quiet, 10));
      }),
      RUNS,
    );
  });

  test('has nothing in common with one whose name differs by a character', () => {
    const streams = Array.from({ length: 50 }, (_, seed) => draw(new SeededRandom(`seed ${seed}`), 40));
    expect(new Set(streams.flat()).size).toBe(50 * 40);
    // Across the streams, each position is spread as the numbers of one stream are.
    for (let position = 0; position < 40; position += 1) {
      const mean = streams.reduce((sum, stream) => sum + (stream[position] ?? 0), 0) / 50;
      expect(Math.abs(mean - 0.5)).toBeLessThan(0.2);
    }
  });

  test('gives each whole number of a range, both ends too, about equally often', () => {
    const random = new SeededRandom('dice');
    const counts = new Map<number, number>();
    for (let throws = 0; throws < 6_000; throws += 1) {
      const number = random.int(1, 6);
      counts.set(number, (counts.get(number) ?? 0) + 1);
    }
    expect(new Set(counts.keys())).toEqual(new Set([1, 2, 3, 4, 5, 6]));
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });

  test('is never true by a chance of 0, and always by one of 1', () => {
    const random = new SeededRandom('chance');
    for (let tries = 0; tries < 1_000; tries += 1) {
      expect(random.chance(0)).toBe(false);
      expect(random.chance(1)).toBe(true);
    }
  });

  test('has bytes of all values', () => {
    expect(new Set(new SeededRandom('bytes').bytes(10_000)).size).toBe(256);
  });

  test('picks nothing from nothing', () => {
    expect(() => new SeededRandom('x').pick([])).toThrow('there is nothing to pick from');
  });
});

import { expect, it } from 'vitest';
import { createCache } from '../../src/lib/cache.ts';

it('makes a value once, and forgets the oldest when it is full', () => {
  const made: string[] = [];
  const cached = createCache<number>(2);
  for (const key of ['a', 'b', 'a', 'c', 'b', 'a']) cached(key, () => made.push(key));
  expect(made).toEqual(['a', 'b', 'c', 'a']);
});

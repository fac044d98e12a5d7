import { describe, expect, it } from 'vitest';
import { fnv } from '../../src/lib/fnv.ts';

describe('fnv', () => {
  it.each([
    ['', 0x811c9dc5],
    ['a', 0xe40c292c],
    ['foobar', 0xbf9cf968],
  ])('of %j is what its authors publish', (text, hash) => {
    expect(fnv(text)).toBe(hash);
  });
});

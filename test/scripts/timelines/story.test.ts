import { describe, expect, it } from 'vitest';
import { ms, posts } from '../../../scripts/timelines/story.ts';

describe('times', () => {
  it.each([
    ['0s', 0],
    ['90s', 90_000],
    ['1h30m', 5_400_000],
    ['2m5s', 125_000],
  ])('%s are %d ms', (text, expected) => {
    expect(ms(text)).toBe(expected);
  });
});

describe('posts', () => {
  it('are what fires (+) and what has resolved (-), in order', () => {
    expect(posts(['a: +1m -3m', 'b: +2m'])).toEqual([
      { at: 60_000, name: 'a', is: 'firing' },
      { at: 120_000, name: 'b', is: 'firing' },
      { at: 180_000, name: 'a', is: 'resolved' },
    ]);
  });
});

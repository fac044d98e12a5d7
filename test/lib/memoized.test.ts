import { describe, expect, it } from 'vitest';
import { memoized } from '../../src/lib/memoized.ts';

describe('an answer that is kept', () => {
  it('is worked out once for each name', () => {
    const asked: string[] = [];
    const answer = memoized((name) => {
      asked.push(name);
      return { name };
    });
    expect(answer('a')).toBe(answer('a'));
    expect(answer('b')).toEqual({ name: 'b' });
    expect(asked).toEqual(['a', 'b']);
  });
});

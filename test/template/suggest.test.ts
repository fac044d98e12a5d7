import { describe, expect, it } from 'vitest';
import { didYouMean } from '../../src/template/suggest.ts';

describe('didYouMean', () => {
  it.each([
    ['mony', 'money'],
    ['upcsae', 'upcase'],
    ['pyload', 'payload'],
    ['plian', 'plain'],
  ])('takes %s for %s', (word, meant) => {
    expect(didYouMean(word, ['money', 'upcase', 'payload', 'plain'])).toBe(` (did you mean "${meant}"?)`);
  });

  it.each(['nonsense', 'x', ''])('makes nothing of "%s"', (word) => {
    expect(didYouMean(word, ['money', 'upcase'])).toBe('');
  });
});

import { describe, expect, it } from 'vitest';
import { whyTooLarge } from '../../src/gateway/params-size.ts';

describe('a message’s parameters', () => {
  it('fit when they are four of the longest texts, in any language', () => {
    const text = '漢'.repeat(65_536);
    expect(whyTooLarge({ url: text, text, title: text, description: text })).toBeNull();
  });

  it('do not when their row would not hold them: what JSON has to escape is six times as long', () => {
    const text = '\u0001'.repeat(65_536);
    expect(whyTooLarge({ url: text, text })).toBeNull();
    expect(whyTooLarge({ url: text, text, title: text })).toMatch(/1,?179,?6\d\d bytes.*800,?000/);
  });
});

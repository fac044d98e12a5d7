import { describe, expect, it } from 'vitest';
import { unknownName } from '../../src/config/unknown-name.ts';

describe('a name that stands for nothing', () => {
  it('is answered with the one that was probably meant', () => {
    expect(unknownName('template', 'piad', ['paid', 'payment'])).toBe(
      'there is no template `piad`; did you mean `paid`?',
    );
  });

  it('is answered with all there are when none is close', () => {
    expect(unknownName('account', 'constructor', ['default', 'sales'])).toBe(
      'there is no account `constructor`; there are default, sales',
    );
    expect(unknownName('account', 'x', ['default'])).toBe('there is no account `x`; there is default');
  });

  it('is answered with so many of them that the error is still seen', () => {
    const known = Array.from({ length: 500 }, (_, n) => `list-${n}`);
    const told = unknownName('recipients list', 'qqqqqqqq', known);
    expect(told).toContain('list-11 …');
    expect(told).not.toContain('list-12');
  });

  it('says so when there are none at all', () => {
    expect(unknownName('template', 'x', [])).toBe('there is no template `x`; there are none yet');
  });
});

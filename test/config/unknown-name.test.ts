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

  it('is answered with at most as many as leave the error in sight', () => {
    const known = Array.from({ length: 500 }, (_, n) => `list-${n}`);
    const reported = unknownName('recipients list', 'qqqqqqqq', known);
    expect(reported).toContain('list-11 …');
    expect(reported).not.toContain('list-12');
  });

  it('says so when there are none at all', () => {
    expect(unknownName('template', 'x', [])).toBe('there is no template `x`; there are none yet');
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSuppressed } from '../../src/config/suppressed.ts';

const receiver = fc.stringMatching(/^[0-9a-z-]{1,15}$/);

describe('whether a receiver has opted out', () => {
  it('is whether they are in the text, whatever was asked of other texts before', () => {
    fc.assert(
      fc.property(fc.array(receiver, { maxLength: 20 }), receiver, (out, other) => {
        const config = { suppressions: out.join('\n') };
        for (const one of out) expect(isSuppressed(config, one)).toBe(true);
        expect(isSuppressed(config, other)).toBe(out.includes(other));
      }),
    );
  });

  it('is no of everybody where nobody has', () => {
    expect(isSuppressed({ suppressions: '' }, '')).toBe(false);
  });
});

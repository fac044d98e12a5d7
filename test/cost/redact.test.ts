import * as fc from 'fast-check';
import { describe, it } from 'vitest';
import { redact } from '../../src/lib/redact.ts';
import { expectLinear } from './growth.ts';

const SECRETS = ['whsec_abcdefghijklmnop', 'relay@example.com', 'user:pa\\\\ss/word', 'ü€😀 secret', 'key'];

/** The beginnings of escapes and encodings, and of the secrets. */
const HOSTILE = ['\\', '\\\\', '\\u', '%', '&#0', '&#x', '/', '=', 'whsec_', 'user:pa\\'];

describe('what redaction costs', () => {
  it.each(HOSTILE)('grows with the length of a text of %j', (part) => {
    expectLinear((size) => {
      const text = part.repeat(Math.ceil(size / part.length));
      return () => redact(text, SECRETS);
    });
  });

  it.each(HOSTILE)('grows with it where a text of %j was cut off', (part) => {
    expectLinear((size) => {
      const text = part.repeat(Math.ceil(size / part.length));
      return () => redact(text, SECRETS, true);
    });
  });

  it('grows with the length of any text of these', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...HOSTILE), { minLength: 2, maxLength: 5 }), (parts) => {
        const part = parts.join('');
        expectLinear((size) => {
          const text = part.repeat(Math.ceil(size / part.length));
          return () => redact(text, SECRETS);
        }, 1 << 14);
      }),
      { numRuns: 6 },
    );
  });
});

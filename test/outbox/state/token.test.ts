import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountsOf, isOf, keyedCode, readToken, tokenOf } from '../../../src/outbox/state/token.ts';
import { TOKEN_LENGTH } from '../../../src/render/links.ts';

const KEY = 'a-key-of-the-tests';

const pressable = fc.record({
  seq: fc.integer({ min: 1, max: 2 ** 40 - 1 }),
  action: fc.stringMatching(/^[a-z][a-z0-9_]{0,19}$/),
  phone: fc.option(fc.stringMatching(/^[1-9]\d{6,14}$/)),
});
const account = fc.stringMatching(/^[a-z][a-z0-9_-]{0,31}$/);

describe('the token of a link', () => {
  it('names its outbox and its message, and proves action and receiver', () => {
    fc.assert(
      fc.property(account, pressable, (name, of) => {
        const token = tokenOf(KEY, name, of);
        expect(token).toMatch(/^[0-9a-hjkmnp-tv-z]{24}$/);
        expect(accountsOf(token, ['another', name])).toContain(name);
        const read = readToken(KEY, token);
        expect(read?.seq).toBe(of.seq);
        expect(read !== null && isOf(KEY, read, of)).toBe(true);
      }),
    );
  });

  it('is of no other message, action or receiver', () => {
    fc.assert(
      fc.property(account, pressable, pressable, (name, of, other) => {
        fc.pre(JSON.stringify(of) !== JSON.stringify(other));
        const read = readToken(KEY, tokenOf(KEY, name, of));
        expect(read !== null && isOf(KEY, read, other)).toBe(false);
        expect(tokenOf(KEY, name, of)).not.toBe(tokenOf(KEY, name, other));
      }),
    );
  });

  it('works with no digit changed, left out or added, and with no other key', () => {
    const digits = '0123456789abcdefghjkmnpqrstvwxyz';
    fc.assert(
      fc.property(pressable, fc.nat(TOKEN_LENGTH - 1), fc.nat(31), (of, at, digit) => {
        const token = tokenOf(KEY, 'default', of);
        const changed = token.slice(0, at) + digits.charAt(digit) + token.slice(at + 1);
        const works = (text: string, key = KEY): boolean => {
          const read = readToken(key, text);
          const isHere = accountsOf(text, ['default']).length > 0;
          return isHere && read !== null && read.seq === of.seq && isOf(key, read, of);
        };
        expect(works(changed)).toBe(changed === token);
        expect(works(token.slice(0, at))).toBe(false);
        expect(works(`${token}0`)).toBe(false);
        expect(works(token, 'another key')).toBe(false);
      }),
    );
  });

  it('does not show how many messages there are', () => {
    const hidden = Array.from({ length: 100 }, (_, n) =>
      tokenOf(KEY, 'default', { seq: n + 1, action: 'yes', phone: null }).slice(2, 10),
    );
    // The first 100 numbers have six leading zeros.
    expect(hidden.filter((digits) => digits.startsWith('00'))).toHaveLength(0);
    expect(new Set(hidden.map((digits) => digits.slice(0, 3))).size).toBeGreaterThan(90);
  });

  it('is a text that is no token when it is not of base 32', () => {
    for (const text of ['', 'hello', 'u'.repeat(24), '-'.repeat(24)])
      expect(readToken(KEY, text)).toSatisfy((read) => read === null || typeof read === 'object');
    expect(readToken(KEY, 'short')).toBeNull();
  });
});

describe('a code', () => {
  it('is the same for a text, and another one with another key', () => {
    expect(keyedCode(KEY, 'a')).toBe(keyedCode(KEY, 'a'));
    expect(keyedCode(KEY, 'a')).not.toBe(keyedCode(KEY, 'b'));
    expect(keyedCode(KEY, 'a')).not.toBe(keyedCode('another', 'a'));
  });
});

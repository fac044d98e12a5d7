import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../../src/signature/basics/encoding.ts';
import { encode } from '../support.ts';

const bytes = fc.uint8Array({ maxLength: 100 });

describe('decodeText', () => {
  it.each(['hex', 'base64', 'base64url'] as const)('gives back any bytes written as %s', (encoding) => {
    fc.assert(
      fc.property(bytes, (original) => {
        expect(decodeText(encode(original, encoding), encoding)).toEqual(original);
      }),
    );
  });

  it('takes hex in either case', () => {
    expect(decodeText('DEADbeef', 'hex')).toEqual(Uint8Array.of(0xde, 0xad, 0xbe, 0xef));
  });

  it('takes base64 without its padding', () => {
    expect(decodeText('Zg', 'base64')).toEqual(Uint8Array.of(0x66));
  });

  it.each([
    ['hex', 'abc', 'a digit is missing'],
    ['hex', '0xab', 'it has a prefix'],
    ['hex', 'ab ', 'there is a space'],
    ['hex', 'zz', 'those are no digits'],
    ['hex', 'ａｂ', 'those are full-width letters'],
    ['base64', 'Zg=', 'half of the padding is missing'],
    ['base64', 'Zg==Zg==', 'padding stands in the middle'],
    ['base64', 'Zh==', 'its surplus bits are not zero'],
    ['base64', 'Z', 'one digit is no byte'],
    ['base64', 'Z g=', 'there is a space'],
    ['base64', 'a-_b', 'it is base64url'],
    ['base64url', 'a+/b', 'it is plain base64'],
  ] as const)('refuses the %s %j: %s', (encoding, text, _why) => {
    expect(decodeText(text, encoding)).toBeNull();
  });

  it('lets one text stand for given bytes, padding aside', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9+/]{1,8}$/), (text) => {
        const decoded = decodeText(text, 'base64');
        fc.pre(decoded !== null);
        expect(encode(decoded, 'base64').replace(/=+$/, '')).toBe(text);
      }),
    );
  });
});

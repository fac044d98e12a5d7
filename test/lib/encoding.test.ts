import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeText, decodeUtf8 } from '../../src/lib/encoding.ts';
import { bytesOf, encode } from '../signature/support.ts';

it.each(['hex', 'base64', 'base64url'] as const)('gives back any bytes written as %s', (encoding) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (original) => {
      expect(decodeText(encode(original, encoding), encoding)).toEqual(original);
    }),
  );
});

it('takes hex in either case, and base64 without its padding', () => {
  expect(decodeText('DEADbeef', 'hex')).toEqual(Uint8Array.of(0xde, 0xad, 0xbe, 0xef));
  expect(decodeText('Zg', 'base64')).toEqual(Uint8Array.of(0x66));
});

it.each([
  ['hex', 'abc', 'a digit is missing'],
  ['hex', '0xab', 'it has a prefix'],
  ['hex', 'ａｂ', 'those are full-width letters'],
  ['base64', 'Zh==', 'its surplus bits are not zero'],
  ['base64', 'a-_b', 'it is base64url'],
  ['base64url', 'a+/b', 'it is plain base64'],
] as const)('refuses the %s %j: %s', (encoding, text, _why) => {
  expect(decodeText(text, encoding)).toBeNull();
});

it('lets one text stand for given bytes, padding aside, and gives back any UTF-8 whole, but nothing for bytes that are none', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9+/]{1,8}$/), (text) => {
      const decoded = decodeText(text, 'base64');
      fc.pre(decoded !== null);
      expect(encode(decoded, 'base64').replace(/=+$/, '')).toBe(text);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.uint8Array(), (text, more) => {
      for (const whole of [text, `\uFEFF${text}`]) expect(decodeUtf8(bytesOf(whole))).toBe(whole);
      expect(decodeUtf8(Uint8Array.of(...bytesOf(text), 0x80, ...more))).toBeNull();
    }),
  );
  expect(decodeUtf8(Uint8Array.of(0x61, 0xff))).toBeNull();
  expect(decodeUtf8(Uint8Array.of(0xc3))).toBeNull();
});

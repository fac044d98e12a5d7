import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUtf8 } from '../../../src/signature/basics/utf8.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('decodeUtf8', () => {
  it('gives back any text whole, a byte order mark too', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(decodeUtf8(bytes(text))).toBe(text);
        expect(decodeUtf8(bytes(`\uFEFF${text}`))).toBe(`\uFEFF${text}`);
      }),
    );
  });

  it('gives nothing for bytes that are no text', () => {
    expect(decodeUtf8(Uint8Array.of(0x61, 0xff))).toBeNull();
    expect(decodeUtf8(Uint8Array.of(0xc3))).toBeNull();
  });

  it('knows the byte that lengthens a hashed text from text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.uint8Array(), (text, more) => {
        expect(decodeUtf8(Uint8Array.of(...bytes(text), 0x80, ...more))).toBeNull();
      }),
    );
  });
});

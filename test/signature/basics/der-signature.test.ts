import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { derToRaw } from '../../../src/signature/schemes/signed.ts';
import { hexBytes } from '../support.ts';

/** A number as DER writes it. */
function integer(digits: Uint8Array): Uint8Array {
  const first = digits.findIndex((byte) => byte !== 0);
  const minimal = first < 0 ? Uint8Array.of(0) : digits.subarray(first);
  const positive = (minimal[0] ?? 0) >= 0x80 ? Uint8Array.of(0, ...minimal) : minimal;
  return Uint8Array.of(0x02, positive.length, ...positive);
}
const sequence = (...parts: readonly Uint8Array[]) => {
  const content = parts.flatMap((part) => [...part]);
  return Uint8Array.of(0x30, content.length, ...content);
};

const padded = (digits: Uint8Array) => [...new Uint8Array(32 - digits.length), ...digits];

it('derToRaw gives both numbers 32 bytes, whatever their size', () => {
  const number = fc.uint8Array({ minLength: 0, maxLength: 32 });
  fc.assert(
    fc.property(number, number, (r, s) => {
      expect(derToRaw(sequence(integer(r), integer(s)))).toEqual(Uint8Array.of(...padded(r), ...padded(s)));
    }),
  );
});

it.each([
  ['nothing', ''],
  ['a sequence of nothing', '3000'],
  ['one number', '3003020101'],
  ['another kind of list', '3106020101020101'],
  ['another kind of number', '3006040101020101'],
  ['a byte in the list behind the numbers', '300702010102010100'],
  ['a list that claims more than there is', '3007020101020101'],
  ['a length in the long form', '308106020101020101'],
  ['a negative number', '3006020181020101'],
  ['a zero in two bytes', '300702020000020101'],
  ['a number of 33 bytes', `30260221${'01'.repeat(33)}020101`],
])('derToRaw refuses %s', (_, hex) => {
  expect(derToRaw(hexBytes(hex))).toBeNull();
});

it('derToRaw never throws, and takes no second spelling of a signature', () => {
  const some = sequence(integer(new Uint8Array(32).fill(0x81)), integer(new Uint8Array(31).fill(0x7f)));
  const changed = fc
    .tuple(fc.nat({ max: some.length - 1 }), fc.nat({ max: 255 }))
    .map(([at, byte]) => some.with(at, byte));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 90 }), changed), (bytes) => {
      const raw = derToRaw(bytes);
      if (raw === null) return;
      expect(sequence(integer(raw.subarray(0, 32)), integer(raw.subarray(32)))).toEqual(bytes);
    }),
    { numRuns: 200 },
  );
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bitWriter } from '../../scripts/bit-writer.ts';
import { type BitCoder, bitReader, modelled, type NextBit } from '../../src/lib/bit-model.ts';

type Bit = ReturnType<BitCoder>;

/** What reads so many bytes: by the place in the byte and its bits so far, and by the byte before. */
function readBytes(count: number, next: NextBit): Uint8Array {
  const bytes = new Uint8Array(count);
  for (let at = 0; at < count; at += 1) {
    let byte = 1;
    while (byte < 256) byte = byte * 2 + next(byte, (bytes[at - 1] ?? 0) * 256 + byte);
    bytes[at] = byte;
  }
  return bytes;
}

const bitsOf = (bytes: Uint8Array): Bit[] =>
  [...bytes].flatMap((byte) =>
    [7, 6, 5, 4, 3, 2, 1, 0].map((place): Bit => ((byte >> place) % 2 === 1 ? 1 : 0)),
  );

function pack(bytes: Uint8Array): string {
  const { code, base64 } = bitWriter(bitsOf(bytes));
  readBytes(bytes.length, modelled(code));
  return base64();
}

describe('packed bits', () => {
  it('are read as they were: whatever bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(readBytes(bytes.length, modelled(bitReader(pack(bytes))))).toEqual(bytes);
      }),
      { numRuns: 50 },
    );
  });

  it('are read as they were: whatever their chances are said to be', () => {
    const chance = fc.oneof(
      fc.double({ min: 1e-9, max: 1 - 1e-9, noNaN: true }),
      fc.constantFrom(1e-9, 0.5, 1 - 1e-9),
    );
    const bit = fc.constantFrom<Bit>(0, 1);
    fc.assert(
      fc.property(fc.array(fc.tuple(bit, chance), { maxLength: 500 }), (all) => {
        const bits = all.map(([one]) => one);
        const { code, base64 } = bitWriter(bits);
        for (const [, likely] of all) code(likely);
        const read = bitReader(base64());
        expect(all.map(([, likely]) => read(likely))).toEqual(bits);
      }),
    );
  });

  it('take less room the more they are alike', () => {
    expect(pack(new Uint8Array(3_000).fill(65)).length).toBeLessThan(80);
  });

  it('are no more than were given', () => {
    const { code } = bitWriter([1]);
    expect(code(0.5)).toBe(1);
    expect(() => code(0.5)).toThrow('more bits were asked for than there are');
  });
});

import * as fc from 'fast-check';

/** Any code point. fast-check's own takes a second to set up. */
const character = fc
  .integer({ min: 0, max: 0x10_ff_ff - 0x8_00 })
  .map((n) => String.fromCodePoint(n < 0xd8_00 ? n : n + 0x8_00));

/** Any well-formed text. */
export const anyText = (maxLength?: number): fc.Arbitrary<string> =>
  fc.string({ unit: character, ...(maxLength !== undefined && { maxLength }) });

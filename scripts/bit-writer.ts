import type { BitCoder } from '../src/lib/bit-model.ts';

/** Writes bits for `bitReader` of `src/lib/bit-model.ts`: whoever reads with `code` gets them one by one. */
export function bitWriter(bits: Iterable<0 | 1>): { readonly code: BitCoder; readonly base64: () => string } {
  const bytes: number[] = [];
  const source = bits[Symbol.iterator]();
  let low = 0;
  let high = 0xff_ff_ff_ff;
  const code: BitCoder = (chance) => {
    const next = source.next();
    if (next.done === true) throw new Error('more bits were asked for than there are');
    const middle = low + Math.floor((high - low) * chance);
    if (next.value === 1) high = middle;
    else low = middle + 1;
    for (; (low ^ high) >>> 24 === 0; high = ((high << 8) | 255) >>> 0) {
      bytes.push(low >>> 24);
      low = (low << 8) >>> 0;
    }
    return next.value;
  };
  // `high` with zeros below its first byte is in the part that is left: its first byte is more than that of `low`.
  const base64 = (): string =>
    btoa([...bytes, high >>> 24].map((byte) => String.fromCharCode(byte)).join(''));
  return { code, base64 };
}

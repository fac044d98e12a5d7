import { crc32 } from 'node:zlib';

const PADDING = 64;

/**
 * A JSON object with a key more whose text gives the whole the CRC-32 of another body: what anybody can do who has seen
 * one. A CRC is linear, so which of the zeros become ones is a system of equations with 32 rows.
 */
export function withChecksumOf(json: string, other: string): string {
  const padded = (bits: readonly boolean[]): string =>
    `${json.slice(0, -1)},"pad":"${bits.map((bit) => (bit ? '1' : '0')).join('')}"}`;
  const zeros = Array.from({ length: PADDING }, () => false);
  const base = crc32(padded(zeros));
  const basis: { value: number; bits: bigint }[] = [];
  for (const index of zeros.keys()) {
    const one = crc32(padded(zeros.with(index, true)));
    const reduced = reduce({ value: (one ^ base) >>> 0, bits: 1n << BigInt(index) }, basis);
    if (reduced.value !== 0) basis.push(reduced);
  }
  const { value, bits } = reduce({ value: (base ^ crc32(other)) >>> 0, bits: 0n }, basis);
  if (value !== 0) throw new Error('more padding is needed');
  return padded(zeros.map((_, index) => ((bits >> BigInt(index)) & 1n) === 1n));
}

interface Row {
  readonly value: number;
  readonly bits: bigint;
}

const topBit = (value: number): number => 31 - Math.clz32(value);

/** The rest of a row once every row that shares its highest bit is added to it, in turn. */
function reduce(row: Row, basis: readonly Row[]): Row {
  let { value, bits } = row;
  for (;;) {
    const top = topBit(value);
    const fit = value === 0 ? undefined : basis.find((one) => topBit(one.value) === top);
    if (fit === undefined) return { value, bits };
    value = (value ^ fit.value) >>> 0;
    bits ^= fit.bits;
  }
}

/** The number of bytes of a number below the order of P-256. */
const NUMBER_BYTES = 32;
const SEQUENCE = 0x30;
const INTEGER = 0x02;

/**
 * Converts an ECDSA signature of P-256 from ASN.1 DER (RFC 3279 §2.2.3) to the 64 bytes that WebCrypto needs. Null
 * unless it is encoded exactly as DER requires: no second text may count as the same signature.
 */
export function derToRaw(der: Uint8Array): Uint8Array | null {
  // The length is one byte: two numbers with their headers have 70 bytes at most.
  if (der[0] !== SEQUENCE || der[1] !== der.byteLength - 2) return null;
  const r = readInteger(der, 2);
  const s = r === null ? null : readInteger(der, r.end);
  if (r === null || s === null || s.end !== der.byteLength) return null;
  const raw = new Uint8Array(2 * NUMBER_BYTES);
  raw.set(r.digits, NUMBER_BYTES - r.digits.byteLength);
  raw.set(s.digits, 2 * NUMBER_BYTES - s.digits.byteLength);
  return raw;
}

/** Returns a number without its leading zero, and its end. */
function readInteger(der: Uint8Array, at: number): { digits: Uint8Array; end: number } | null {
  const [tag, length = 0, first = 0, second = 0] = der.subarray(at, at + 4);
  const end = at + 2 + length;
  if (tag !== INTEGER || length === 0 || end > der.byteLength) return null;
  const isNegative = first >= 0x80;
  // A leading zero is valid only if it keeps a number positive.
  const isPadded = first === 0 && length > 1;
  if (isNegative || (isPadded && second < 0x80)) return null;
  const digits = der.subarray(isPadded ? at + 3 : at + 2, end);
  return digits.byteLength <= NUMBER_BYTES ? { digits, end } : null;
}

export type Encoding = 'hex' | 'base64' | 'base64url';

const HEX = /^(?:[0-9a-f]{2})*$/i;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Null if the text is not exactly in that encoding. Hex has either case; base64 padding is optional. */
export function decodeText(text: string, encoding: Encoding): Uint8Array | null {
  if (encoding === 'hex') return HEX.test(text) ? fromHex(text) : null;
  if (encoding === 'base64') return fromBase64(text);
  return /[+/]/.test(text) ? null : fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
}

const fromHex = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

function fromBase64(text: string): Uint8Array | null {
  if (!BASE64.test(text)) return null;
  const binary = decoded(text);
  // `atob` drops surplus bits of the last digit: several texts would decode to the same bytes.
  if (binary === null || btoa(binary).replace(/=+$/, '') !== text.replace(/=+$/, '')) return null;
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function decoded(text: string): string | null {
  try {
    return atob(text);
  } catch {
    return null;
  }
}

/** One piece, as nearly every body is, is not copied. */
export function concatenated(pieces: readonly Uint8Array[]): Uint8Array {
  const [only, ...others] = pieces;
  if (only !== undefined && others.length === 0) return only;
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.byteLength, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.byteLength;
  }
  return whole;
}

/** Returns the bytes as text; null if they are not UTF-8, which lenient decoding would hide. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

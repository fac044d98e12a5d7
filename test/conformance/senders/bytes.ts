type Encoding = 'hex' | 'base64' | 'base64url';

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Bytes as text, padded where the encoding has padding. */
export function encode(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding === 'hex') return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return encoding === 'base64'
    ? base64
    : base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The bytes of a text that is known to be of its encoding. */
export function decode(text: string, encoding: Encoding): Uint8Array {
  if (encoding === 'hex')
    return Uint8Array.from(text.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/');
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

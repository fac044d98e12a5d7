/** The texts of these tests are ASCII: a character is a byte. */
export const everyByte = (text: string, write: (byte: number) => string): string =>
  Array.from(text, (character) => write(character.charCodeAt(0))).join('');

export const inHex = (byte: number): string => byte.toString(16).padStart(2, '0');

export const base64url = (text: string): string =>
  btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** Bytes as a text in which ASCII is found. */
export const readable = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);

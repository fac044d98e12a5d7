/** The characters of an id or a cursor. */
export const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const BLOCK = 16;

/**
 * Every forgery that somebody without the key can make of a sealed text and another one: each bit flipped, and the
 * blocks cut off, repeated and mixed, so that a cipher without authentication opens some of them.
 */
export function forged(sealed: string, other: string): readonly string[] {
  const flipped = sealed.split('').flatMap((letter, at) =>
    [1, 2, 4, 8, 16, 32].map((bit) => {
      const changed = LETTERS[LETTERS.indexOf(letter) ^ bit] ?? '';
      return sealed.slice(0, at) + changed + sealed.slice(at + 1);
    }),
  );
  const [bytes, others] = [bytesOf(sealed), bytesOf(other)];
  const count = Math.ceil(bytes.length / BLOCK);
  const block = (of: Uint8Array, at: number) => of.slice(at * BLOCK, (at + 1) * BLOCK);
  const mixed = Array.from({ length: count }, (_, at) => at).flatMap((at) => [
    bytes.slice(0, at * BLOCK),
    bytes.slice(at * BLOCK + BLOCK),
    joined(block(others, 0), block(bytes, at)),
    joined(block(bytes, at), new Uint8Array(BLOCK), block(bytes, at)),
    joined(bytes.slice(0, at * BLOCK), others.slice(at * BLOCK)),
    joined(bytes, block(bytes, at)),
  ]);
  const texts = [...flipped, ...mixed.map(textOf), `${sealed}=`, `${sealed}A`, sealed.slice(0, -1)];
  return [...new Set(texts)].filter((text) => text !== sealed && text !== other && text !== '');
}

const bytesOf = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

const textOf = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const joined = (...parts: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]));

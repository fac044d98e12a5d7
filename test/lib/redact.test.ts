import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { redact } from '../../src/lib/redact.ts';

const KEY = 'k3y/with+odd &"chars"=ü';

const bytesOf = (text: string, write: (hex: string) => string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => write(byte.toString(16).padStart(2, '0'))).join('');

const hexOf = (one: string) => one.codePointAt(0)?.toString(16);

it('redact redacts a secret wherever it stands, and skips those that are not set', () => {
  const text = redact('api_key=s3cret-key; again:s3cret-keyX', [undefined, '', 's3cret-key']);
  expect(text).toBe('api_key=[redacted]; again:[redacted]X');
  expect(redact('text', [])).toBe('text');
});

it.each([
  ['as it is', KEY],
  ['percent-encoded', encodeURIComponent(KEY)],
  ['percent-encoded in lower case', encodeURIComponent(KEY).toLowerCase()],
  ['form-encoded', 'k3y%2Fwith%2Bodd+%26%22chars%22%3D%C3%BC'],
  ['JSON-escaped', 'k3y/with+odd &\\"chars\\"=ü'],
  ["JSON-escaped in PHP's way", 'k3y\\/with+odd &\\"chars\\"=\\u00fc'],
  ['HTML-escaped', 'k3y/with+odd &amp;&quot;chars&quot;=ü'],
  ['JSON-escaped as .NET does it', 'k3y/with\\u002Bodd \\u0026\\u0022chars\\u0022=\\u00FC'],
  ['JSON-escaped within JSON', JSON.stringify(JSON.stringify(KEY).slice(1, -1)).slice(1, -1)],
  ['percent-encoded in every byte', bytesOf(KEY, (hex) => `%${hex}`)],
  ['as references of HTML', Array.from(KEY, (one) => `&#${one.codePointAt(0)};`).join('')],
  ['as hexadecimal references', Array.from(KEY, (one) => `&#x00${hexOf(one)};`).join('')],
  ['hex', bytesOf(KEY, (hex) => hex)],
  ['hex in capitals', bytesOf(KEY, (hex) => hex.toUpperCase())],
  ['base64', 'azN5L3dpdGgrb2RkICYiY2hhcnMiPcO8'],
])('redact finds a secret that is echoed %s', (_, echo) => {
  expect(redact(`before ${echo} after`, [KEY])).toBe('before [redacted] after');
});

it('redact finds padded and URL-safe base64', () => {
  expect(redact('x c2VjcmV0PzE+Pw== y', ['secret?1>?'])).toBe('x [redacted]== y');
  expect(redact('x c2VjcmV0PzE-Pw y', ['secret?1>?'])).toBe('x [redacted] y');
});

it.each(['x', 'xy', 'xyz', 'me@shop.example:'])(
  'redact finds base64 of more than the secret, behind %s',
  (before) => {
    const echo = redact(btoa(`${before}s3cret-key-value:and more`), ['s3cret-key-value']);
    // Characters with bits of both the secret and its neighbours may stay.
    const mayStay = btoa(`${before}s3`).length + btoa(':and more').length + 2;
    expect(echo).toContain('[redacted]');
    expect(echo.replace('[redacted]', '').length).toBeLessThanOrEqual(mayStay);
  },
);

it('redact redacts the longer secret as a whole, and a very short one only where it stands alone', () => {
  expect(redact('abcd1234 abcd', ['abcd', 'abcd1234'])).toBe('[redacted] [redacted]');
  expect(redact('key=abc, abcd, (abc)', ['abc'])).toBe('key=[redacted], abcd, ([redacted])');
});

it('redact redacts the beginning of a secret at the end of a text that was cut off', () => {
  expect(redact('{"key":"s3cret-k', ['s3cret-key-value'], true)).toBe('{"key":"[redacted]');
  expect(redact('{"key":"s3cret-k', ['s3cret-key-value'])).toBe('{"key":"s3cret-k');
  expect(redact('nothing here', ['s3cret-key-value'], true)).toBe('nothing here');
});

it.each([
  ['form-encoded', 'api_key=a%2Bb%3Cc%26'],
  ['form-encoded, within an escape', 'api_key=a%2Bb%3Cc%2'],
  ['JSON-escaped, within an escape', '{"key":"a+b<c\\u00'],
  ['HTML-escaped, within an escape', 'api_key=a+b<c&am'],
  ['base64', `api_key=${btoa('a+b<c&d/e').slice(0, 9)}`],
  ['hex', 'api_key=612b623c63'],
])('redact redacts a beginning that is %s', (_, text) => {
  expect(redact(text, ['a+b<c&d/e "f"'], true)).toMatch(/^(api_key=|\{"key":")\[redacted]$/);
});

it('redact finds a key of a thousand characters, and the first half of it where the text was cut off', () => {
  const key = Array.from({ length: 80 }, (_, index) => `line ${index}/+`).join('\n');
  expect(redact(`{"key":${JSON.stringify(key)}}`, [key])).toMatch(/^\{"key":"(\[redacted])+"}$/);
  const half = redact(`key=${encodeURIComponent(key).slice(0, 700)}`, [key], true);
  expect(half).toMatch(/^key=(\[redacted])+.{0,9}$/);
});

it('redact leaves no secret behind, whatever stands around it', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 11 }), fc.string(), fc.string(), (secret, before, after) => {
      expect(redact(before + secret + after, [secret])).not.toContain(secret);
    }),
  );
});

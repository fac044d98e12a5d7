import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact } from '../../src/lib/redact.ts';

const KEY = 'k3y/with+odd &"chars"=ü';

describe('redact', () => {
  it('blots out a secret wherever it stands', () => {
    expect(redact('api_key=s3cret-key; again:s3cret-keyX', ['s3cret-key'])).toBe(
      'api_key=[redacted]; again:[redacted]X',
    );
  });

  it.each([
    ['as it is', KEY],
    ['percent-encoded', encodeURIComponent(KEY)],
    ['percent-encoded in lower case', encodeURIComponent(KEY).toLowerCase()],
    ['form-encoded', 'k3y%2Fwith%2Bodd+%26%22chars%22%3D%C3%BC'],
    ['JSON-escaped', 'k3y/with+odd &\\"chars\\"=ü'],
    ["JSON-escaped in PHP's way", 'k3y\\/with+odd &\\"chars\\"=\\u00fc'],
    ['HTML-escaped', 'k3y/with+odd &amp;&quot;chars&quot;=ü'],
    ['base64', 'azN5L3dpdGgrb2RkICYiY2hhcnMiPcO8'],
  ])('finds a secret that is echoed %s', (_, echo) => {
    expect(redact(`before ${echo} after`, [KEY])).toBe('before [redacted] after');
  });

  it('finds padded and URL-safe base64', () => {
    expect(redact('x c2VjcmV0PzE+Pw== y', ['secret?1>?'])).toBe('x [redacted]== y');
    expect(redact('x c2VjcmV0PzE-Pw y', ['secret?1>?'])).toBe('x [redacted] y');
  });

  it('takes no notice of case, since a server may lower-case an e-mail address', () => {
    expect(redact('no account for owner@shop.example', ['Owner@Shop.example'])).toBe(
      'no account for [redacted]',
    );
  });

  it('blots out the longer secret as a whole when it contains another', () => {
    expect(redact('abcd1234 abcd', ['abcd', 'abcd1234'])).toBe('[redacted] [redacted]');
  });

  it('blots out a very short secret only where it stands alone', () => {
    expect(redact('key=abc, abcd, (abc)', ['abc'])).toBe('key=[redacted], abcd, ([redacted])');
  });

  it('skips secrets that are not set', () => {
    expect(redact('text', [undefined, ''])).toBe('text');
    expect(redact('text', [])).toBe('text');
  });

  it('blots out the beginning of a secret at the end of a text that was cut off', () => {
    expect(redact('{"key":"s3cret-k', ['s3cret-key-value'], true)).toBe('{"key":"[redacted]');
    expect(redact('{"key":"s3cret-k', ['s3cret-key-value'])).toBe('{"key":"s3cret-k');
    expect(redact('nothing here', ['s3cret-key-value'], true)).toBe('nothing here');
  });

  it('leaves no secret behind, whatever stands around it', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 11 }), fc.string(), fc.string(), (secret, before, after) => {
        expect(redact(before + secret + after, [secret])).not.toContain(secret);
      }),
    );
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { httpUrl } from '../../src/lib/http-url.ts';

describe('an address that can be fetched', () => {
  it.each(['https://shop.example/a.png', ' http://shop.example ', 'HTTPS://shop.example:8443/?a=b#c'])(
    'is %j',
    (text) => {
      expect(httpUrl(text)).toMatchObject({ ok: true, value: { hostname: 'shop.example' } });
    },
  );

  it.each(['', 'shop.example/a.png', 'https://', 'file:///etc/passwd', 'javascript:alert(1)'])(
    'is not %j',
    (text) => {
      expect(httpUrl(text)).toEqual({ ok: false, error: 'is not an http(s) URL' });
    },
  );

  it.each([
    'https://a.example/\tb',
    'https://a.example/\nX: y',
    'https://a.example/\u0000',
    'https://a.example/\u007f',
    'https://a.example/\u0085',
    // A browser calls 8.8.8.8, curl calls 127.0.0.1.
    'http://8.8.8.8\\@127.0.0.1:21990/meta',
    'https:\\\\a.example',
    'https://a.example/b\\c',
  ])('has no character that programs read in different ways: %j', (text) => {
    expect(httpUrl(text)).toEqual({
      ok: false,
      error: 'contains a backslash, a line break or another control character, which a URL must not',
    });
  });

  it('is written so that every program reads the same host, whatever was given', () => {
    const parts = fc.constantFrom(
      '8.8.8.8',
      '127.0.0.1',
      'a.example',
      'ⓐ.example',
      '0x7f.1',
      '@',
      ':',
      ':80',
      '/',
      '\\',
      '?',
      '#',
      '%40',
      '%5c',
      '\t',
      ' ',
      '。',
      '[::1]',
      'user',
      '//',
      ';',
      '&',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), (pieces) => {
        const url = httpUrl(`http://${pieces.join('')}`);
        if (!url.ok) return true;
        const { href, host, username, password } = url.value;
        // As a program reads it that knows only ASCII and the first `/`, `?` or `#` as the end of a host (RFC 3986 §3.2).
        const [, authority = ''] = /^http:\/\/([^/?#]*)[\x21-\x5b\x5d-\x7e]*$/.exec(href) ?? [];
        const login = username === '' && password === '' ? '' : `${username}${password && `:${password}`}@`;
        return authority === login + host;
      }),
    );
  });
});

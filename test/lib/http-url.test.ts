import { describe, expect, it } from 'vitest';
import { httpUrl } from '../../src/lib/http-url.ts';

describe('an address that can be fetched', () => {
  it.each(['https://shop.example/a.png', ' http://shop.example ', 'HTTPS://shop.example:8443/?a=b#c'])(
    'is %j',
    (text) => {
      expect(httpUrl(text)).toMatchObject({ ok: true, value: { hostname: 'shop.example' } });
    },
  );

  it.each([
    '',
    'shop.example/a.png',
    'https://',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://a.example/\tb',
  ])('is not %j', (text) => {
    expect(httpUrl(text)).toEqual({ ok: false, error: 'is not an http(s) URL' });
  });
});

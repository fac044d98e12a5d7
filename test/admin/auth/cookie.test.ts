import { describe, expect, it } from 'vitest';
import { cookieIn, setCookie } from '../../../src/admin/auth/cookie.ts';

const at = (url: string, cookie = ''): Request => new Request(url, { headers: { cookie } });

describe('the session’s cookie', () => {
  it('is for this host alone, and for no script', () => {
    expect(setCookie(at('https://relay.example/admin'), 'x', 60)).toBe(
      '__Host-hookbell=x; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure',
    );
  });

  it.each([
    'http://localhost:8787/',
    'http://127.0.0.1:8787/',
    'http://127.0.0.2/',
    'http://[::1]/',
    'http://localhost/',
  ])('does without TLS on this machine: %s', (url) => {
    expect(setCookie(at(url), 'x', 60)).toBe('hookbell=x; Path=/; Max-Age=60; HttpOnly; SameSite=Strict');
    expect(cookieIn(at(url, 'hookbell=x'))).toBe('x');
    expect(cookieIn(at(url, '__Host-hookbell=x'))).toBeUndefined();
  });

  it.each([
    'http://relay.example/',
    'http://192.0.2.1:8787/',
    'http://localhost.example/',
    'http://127.0.0.1.example/',
  ])('is not set, and not read, where it would go through the network in the clear: %s', (url) => {
    expect(setCookie(at(url), 'x', 60)).toBeNull();
    for (const name of ['hookbell', '__Host-hookbell', 'null'])
      expect(cookieIn(at(url, `${name}=x`))).toBeUndefined();
  });

  it.each([
    ['__Host-hookbell=x', 'x'],
    ['a=b; __Host-hookbell=x; c=d', 'x'],
    ['__Host-hookbell=x; __Host-hookbell=y', 'x'],
    ['__Host-hookbell=', ''],
    // A page of another host of the domain can set this one.
    ['hookbell=x', undefined],
    ['a__Host-hookbell=x', undefined],
    ['a="; __Host-hookbell', undefined],
    ['', undefined],
  ])('of %j is %j', (cookie, value) => {
    expect(cookieIn(at('https://relay.example/', cookie))).toBe(value);
  });
});

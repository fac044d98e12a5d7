import { describe, expect, it } from 'vitest';
import { isLink, isRead, originOf } from '../../../src/admin/auth/cross-site.ts';

const request = (headers: Record<string, string>, method = 'GET'): Request =>
  new Request('https://relay.example/admin/api/v1/config', { method, headers });

describe('the page that asks', () => {
  it.each<[Record<string, string>, string]>([
    [{}, 'unknown'],
    [{ 'sec-fetch-site': 'same-origin' }, 'own'],
    [{ 'sec-fetch-site': 'none' }, 'own'],
    [{ 'sec-fetch-site': 'same-site' }, 'foreign'],
    [{ 'sec-fetch-site': 'cross-site' }, 'foreign'],
    [{ 'sec-fetch-site': '' }, 'foreign'],
    [{ origin: 'https://relay.example' }, 'own'],
    [{ origin: 'https://relay.example:8443' }, 'foreign'],
    [{ origin: 'http://relay.example' }, 'foreign'],
    [{ origin: 'null' }, 'foreign'],
    [{ origin: '' }, 'foreign'],
    // A proxy that ends TLS may have changed the scheme under us; the browser knows what it asked for.
    [{ 'sec-fetch-site': 'same-origin', origin: 'http://relay.example' }, 'own'],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://relay.example' }, 'foreign'],
  ])('with %j is %s', (headers, origin) => {
    expect(originOf(request(headers))).toBe(origin);
  });

  it('by a link only ever reads', () => {
    expect(isLink(request({ 'sec-fetch-mode': 'navigate' }))).toBe(true);
    expect(isLink(request({ 'sec-fetch-mode': 'navigate' }, 'POST'))).toBe(false);
    expect(isLink(request({ 'sec-fetch-mode': 'websocket' }))).toBe(false);
    expect(isLink(request({}))).toBe(false);
    expect(isLink(request({ 'sec-fetch-mode': 'navigate', upgrade: 'websocket' }))).toBe(false);
  });

  it('that opens a WebSocket does more than read', () => {
    expect(isRead(request({}))).toBe(true);
    expect(isRead(request({}, 'HEAD'))).toBe(true);
    expect(isRead(request({ upgrade: 'websocket' }))).toBe(false);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
      expect(isRead(request({}, method))).toBe(false);
  });
});

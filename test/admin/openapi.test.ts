import { describe, expect, it } from 'vitest';
import { callWith, raw } from './support.ts';

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  raw('GET', path, { headers });

describe('the description of the API', () => {
  it.each(['/openapi.json', '/docs'])('needs no token: %s', async (path) => {
    const response = await callWith({}, path, null);
    expect(response.status).toBe(200);
    expect((await response.text()).length).toBeGreaterThan(10_000);
  });

  it('is there while the admin API is shut', async () => {
    expect((await callWith({ ADMIN_TOKEN: undefined }, '/openapi.json', null)).status).toBe(200);
  });

  it('is OpenAPI 3.1 of this very path', async () => {
    const response = await get('/openapi.json');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({ openapi: '3.1.1', servers: [{ url: '/admin/api/v1' }] });
  });

  it('is a page that may load and run nothing', async () => {
    const response = await get('/docs');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('script-src');
    expect(await response.text()).not.toContain('<script');
  });

  it.each(['/openapi.json', '/docs'])(
    'is asked for again, and sent only when it is another: %s',
    async (path) => {
      const first = await get(path);
      await first.text();
      const etag = first.headers.get('etag') ?? '';
      expect(etag).not.toBe('');
      expect(first.headers.get('cache-control')).toBe('no-cache');
      expect(first.headers.get('x-content-type-options')).toBe('nosniff');
      const again = await get(path, { 'if-none-match': etag });
      expect(again.status).toBe(304);
      expect(again.headers.get('etag')).toBe(etag);
      expect(await again.text()).toBe('');
    },
  );

  it.each(['/openapi.json', '/docs'])('says so when it was not deployed: %s', async (path) => {
    const nothing = { fetch: () => Promise.resolve(new Response(null, { status: 404 })) };
    const response = await callWith({ ASSETS: nothing }, path, null);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ type: 'urn:hookbell:problem:unavailable' });
  });

  it('is the only thing that needs no token', async () => {
    for (const path of ['/openapi', '/docs.html', '/docs/x', '/openapi.json/x', '/'])
      expect((await callWith({}, path, null)).status).not.toBe(200);
  });
});

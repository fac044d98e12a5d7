import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { app } from '../../src/app.ts';
import { envWith } from '../platform/env.ts';

/** The assets that are deployed. */
const BUILT = { ASSETS: env.ASSETS };
const NOT_BUILT = { ASSETS: { fetch: () => Promise.resolve(new Response(null, { status: 404 })) } };

const get = (path: string, changes: object = BUILT, init: RequestInit = {}): Promise<Response> =>
  Promise.resolve(app.fetch(new Request(`https://relay.example${path}`, init), envWith({ ...changes })));

it('the console is one page, wherever below /admin, to which its other addresses lead', async () => {
  const below = ['events', 'events/evt_1?x=1', 'apis', 'a.js'].map((path) => `/admin/${path}`);
  for (const path of ['/admin', '/admin/', ...below]) {
    const response = await get(path);
    expect([path, response.status]).toEqual([path, 200]);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toContain('<html');
  }
  for (const path of ['/console', '/console/', '/console/index.html', '/console/x']) {
    const response = await get(path);
    expect([path, response.status, response.headers.get('location')]).toEqual([path, 302, '/admin']);
  }
});

it('the console runs and loads nothing but its own, and is in no frame', async () => {
  const { headers } = await get('/admin');
  const policy = headers.get('content-security-policy')?.split('; ');
  expect(policy).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
  expect(Object.fromEntries(headers)).toMatchObject({
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-cache',
  });
});

it('the console is asked for again, and sent only when it is another', async () => {
  const etag = (await get('/admin')).headers.get('etag') ?? '';
  expect(etag).not.toBe('');
  const again = await get('/admin', BUILT, { headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);
  expect(again.headers.get('content-security-policy')).toContain("default-src 'none'");
  const head = await get('/admin', BUILT, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

it('the console says how it is built when it was not', async () => {
  const response = await get('/admin', NOT_BUILT);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    type: 'urn:hookbell:problem:unavailable',
    detail: expect.stringContaining('`npm run generate`') as unknown,
  });
});

it('the console is not where the API or nothing is', async () => {
  for (const [method, path, status] of [
    ['GET', '/admin/api', 404],
    ['GET', '/admin/api/', 404],
    ['GET', '/admin/api/v2', 404],
    ['GET', '/admin/api/v1/nothing', 401],
    ['POST', '/admin', 404],
    ['DELETE', '/admin/events', 404],
    ['GET', '/console/assets/of-an-earlier-deploy.js', 404],
  ] as const) {
    const response = await get(path, BUILT, { method });
    expect([path, response.status]).toEqual([path, status]);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
  }
});

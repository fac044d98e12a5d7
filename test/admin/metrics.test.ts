import { env, exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { app } from '../../src/app.ts';
import { publish } from '../integration/relay.ts';
import { parseExposition } from '../metrics/exposition.ts';
import { form } from './support.ts';

const TOKEN = 'Bearer admin-token-of-the-tests';

const get = (path: string, authorization: string | null = TOKEN): Promise<Response> =>
  exports.default.fetch(`https://relay.example${path}`, {
    headers: authorization === null ? {} : { authorization },
  });

beforeAll(() => publish({ sources: { shop: form() } }));

describe.each(['/metrics', '/admin/api/v1/metrics'])('%s', (path) => {
  it('is Prometheus’s text format, which nobody may keep', async () => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const metrics = parseExposition(await response.text());
    expect(metrics.get('hookbell_events_total')?.lines[0]?.labels).toMatchObject({ source: 'shop' });
  });

  it.each([
    ['without a token', null],
    ['with a wrong one', 'Bearer another-token-of-nobody'],
  ])('is closed %s', async (_, authorization) => {
    const response = await get(path, authorization);
    expect(response.status).toBe(401);
    expect(await response.text()).not.toContain('hookbell_');
  });
});

describe('/metrics', () => {
  it('is closed when no token is configured', async () => {
    const bindings = new Proxy(env, {
      get: (target, name): unknown => (name === 'ADMIN_TOKEN' ? undefined : Reflect.get(target, name)),
    });
    const headers = { authorization: TOKEN };
    const response = await app.fetch(new Request('https://relay.example/metrics', { headers }), bindings);
    expect(response.status).toBe(403);
  });
});

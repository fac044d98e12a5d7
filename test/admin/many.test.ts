import { beforeAll, expect, it } from 'vitest';
import type { Stats } from '../../src/metrics/api-stats.ts';
import { admin, postJson, publish } from '../integration/relay.ts';
import { parseExposition } from '../metrics/exposition.ts';
import { callWith, form, lines, raw, type ProblemJson } from './support.ts';

interface Many {
  readonly items: readonly { readonly path: string; readonly status: number; readonly body: unknown }[];
}

const many = (paths: string) => admin<Many>('GET', `/many?paths=${encodeURIComponent(paths)}`);

beforeAll(() => publish({ sources: { shop: form({ heartbeat: '12h' }), quiet: form() } }));

it('GET /many answers each part as its own request would be answered, in their order', async () => {
  const { status, body } = await many('/rejections?limit=1 /sources/none /stats');
  expect(status).toBe(200);
  expect(body.items.map((one) => [one.path, one.status])).toEqual([
    ['/rejections?limit=1', 200],
    ['/sources/none', 404],
    ['/stats', 200],
  ]);
  expect(body.items[2]?.body).toEqual((await admin('GET', '/stats')).body);
});

it('GET /many has null for what is no JSON, and opens no WebSocket on the way', async () => {
  const response = await raw('GET', '/many?paths=/metrics+/tail', { headers: { upgrade: 'websocket' } });
  const { items } = await response.json<Many>();
  expect(items.map((one) => [one.status, one.body === null])).toEqual([
    [200, true],
    [426, false],
  ]);
});

it('GET /many has no parts of parts, and stays at this host and below the API', async () => {
  const parts = ['/many?paths=/stats', '/./many?paths=/stats', '/%6dany?paths=/stats'];
  const { body } = await many([...parts, '//other.example/stats', '/../../../hooks/shop'].join(' '));
  expect(body.items.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
});

it('GET /many refuses what is no list of 1 to 12 paths', async () => {
  for (const paths of ['', 'stats', '/stats  /status', `${'/stats '.repeat(12)}/stats`]) {
    const { status, body } = await admin<ProblemJson>('GET', `/many?paths=${encodeURIComponent(paths)}`);
    expect([paths, status]).toEqual([paths, 422]);
    expect(lines(body)).toEqual([expect.stringMatching(/^paths: must be 1 to 12 paths/)]);
  }
});

it('GET /many says of each part that nobody is signed in', async () => {
  const response = await raw('GET', '/many?paths=/stats+/session', { headers: { authorization: '' } });
  const { items } = await response.json<Many>();
  expect([response.status, ...items.map(({ status }) => status)]).toEqual([200, 401, 401]);
});

it('GET /stats has each configured source and account', async () => {
  await postJson('shop', { phone: 'no number', text: 'hi' });
  const { body } = await admin<Stats>('GET', '/stats');
  expect([Object.keys(body.sources), Object.keys(body.accounts)]).toEqual([['shop', 'quiet'], ['default']]);
  expect(body.sources['shop']).toMatchObject({
    events: { failed: 1 },
    heartbeat: { expected: '12h', overdue: false },
    last_event_at: expect.stringMatching(/^20/) as unknown,
  });
  expect(body.sources['quiet']).toEqual({
    account: 'default',
    events: { routed: 0, unmatched: 0, failed: 0, partly_failed: 0 },
    duplicates: 0,
    rejections: {},
    last_event_at: null,
  });
});

/** Prometheus asks at `/metrics`, too, which is beside the API. */
const PATHS = ['/metrics', '/../../../metrics'];

it('the metrics are Prometheus’s text format, which nobody may keep', async () => {
  for (const path of PATHS) {
    const response = await raw('GET', path);
    expect([path, response.status]).toEqual([path, 200]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
    });
    const metrics = parseExposition(await response.text());
    expect(metrics.get('hookbell_events_total')?.lines[0]?.labels).toMatchObject({ source: 'shop' });
  }
});

it('the metrics are closed without a token, with a wrong one, and when none is configured', async () => {
  for (const path of PATHS) {
    for (const authorization of ['', 'Bearer another-token-of-nobody']) {
      const response = await raw('GET', path, { headers: { authorization } });
      expect([path, response.status]).toEqual([path, 401]);
      expect(await response.text()).not.toContain('hookbell_');
    }
    expect((await callWith({ ADMIN_TOKEN: undefined }, path)).status).toBe(403);
  }
});

const DESCRIPTION = '/openapi.json';

it('the description of the API needs no token, even while the admin API is shut, and is sent only when it is another', async () => {
  const first = await callWith({ ADMIN_TOKEN: undefined }, DESCRIPTION, null);
  expect(first.status).toBe(200);
  expect((await first.text()).length).toBeGreaterThan(10_000);
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
  });
  const etag = first.headers.get('etag') ?? '';
  expect(etag).not.toBe('');
  const again = await raw('GET', DESCRIPTION, { headers: { 'if-none-match': etag } });
  expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
  for (const path of ['/openapi', '/openapi.json/x', '/'])
    expect((await callWith({}, path, null)).status).not.toBe(200);
});

it('the description of the API says so when it was not deployed', async () => {
  const nothing = { fetch: () => Promise.resolve(new Response(null, { status: 404 })) };
  const response = await callWith({ ASSETS: nothing }, DESCRIPTION, null);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ type: 'urn:hookbell:problem:unavailable' });
});

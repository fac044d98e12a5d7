import { beforeAll, describe, expect, it } from 'vitest';
import { admin, publish } from '../integration/relay.ts';
import { form, lines, raw, type ProblemJson } from './support.ts';

interface Many {
  readonly items: readonly { readonly path: string; readonly status: number; readonly body: unknown }[];
}

const many = (paths: string) => admin<Many>('GET', `/many?paths=${encodeURIComponent(paths)}`);

beforeAll(() => publish({ sources: { shop: form() } }));

describe('GET /many', () => {
  it('answers each part as its own request would be answered, in their order', async () => {
    const { status, body } = await many('/rejections?limit=1 /sources/none /stats');
    expect(status).toBe(200);
    expect(body.items.map((one) => [one.path, one.status])).toEqual([
      ['/rejections?limit=1', 200],
      ['/sources/none', 404],
      ['/stats', 200],
    ]);
    expect(body.items[2]?.body).toEqual((await admin('GET', '/stats')).body);
  });

  it('has null for what is no JSON, and opens no WebSocket on the way', async () => {
    const response = await raw('GET', '/many?paths=/metrics+/tail', { headers: { upgrade: 'websocket' } });
    const { items } = await response.json<Many>();
    expect(items.map((one) => [one.status, one.body === null])).toEqual([
      [200, true],
      [426, false],
    ]);
  });

  it.each(['/many?paths=/stats', '/./many?paths=/stats', '/%6dany?paths=/stats'])(
    'has no parts of parts: %s',
    async (path) => {
      const { body } = await many(path);
      expect(body.items).toMatchObject([{ status: 404 }]);
    },
  );

  it('stays at this host, and below the API', async () => {
    const { body } = await many('//other.example/stats /../../../hooks/shop');
    expect(body.items.map(({ status }) => status)).toEqual([404, 404]);
  });

  it.each(['', 'stats', '/stats  /status', `${'/stats '.repeat(12)}/stats`])(
    'refuses what is no list of 1 to 12 paths: "%s"',
    async (paths) => {
      const { status, body } = await admin<ProblemJson>('GET', `/many?paths=${encodeURIComponent(paths)}`);
      expect(status).toBe(422);
      expect(lines(body)).toEqual([expect.stringMatching(/^paths: must be 1 to 12 paths/)]);
    },
  );

  it('says of each part that nobody is signed in', async () => {
    const response = await raw('GET', '/many?paths=/stats+/session', { headers: { authorization: '' } });
    const { items } = await response.json<Many>();
    expect([response.status, ...items.map(({ status }) => status)]).toEqual([200, 401, 401]);
  });
});

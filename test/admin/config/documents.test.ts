import { beforeEach, describe, expect, it } from 'vitest';
import { admin, post } from '../../integration/relay.ts';
import { KINDS } from '../../../src/config/kinds.ts';
import { open, PROMISED } from '../../config/support.ts';
import { lines, raw, type PageJson, type ProblemJson } from '../support.ts';

beforeEach(() => admin('POST', '/config', PROMISED));

describe.each([...KINDS])('/%s', (collection) => {
  const promised = PROMISED[collection];
  const [name = '', document] = Object.entries(promised)[0] ?? [];

  it('lists each document beside its name', async () => {
    const { body } = await admin<PageJson<Record<string, unknown>>>('GET', `/${collection}`);
    const key = collection === 'sources' || collection === 'silences' ? 'id' : 'name';
    expect(body.next_cursor).toBeNull();
    expect(body.items).toHaveLength(Object.keys(promised).length);
    // The current state of a silence depends on the time; see silences.test.ts.
    const { origin: _, state: __, ...shown } = body.items[0] ?? {};
    expect(shown).toEqual({ [key]: name, ...Object.assign({}, document) });
  });

  it('shows one as it was written', async () => {
    expect(await admin('GET', `/${collection}/${name}`)).toEqual({ status: 200, body: document });
  });

  it.each(['nothing', 'constructor', 'toString', '__proto__', '%2e%2e'])('has no %s: 404', async (other) => {
    for (const method of ['GET', 'DELETE']) {
      const { status, body } = await admin<ProblemJson>(method, `/${collection}/${other}`);
      expect(status).toBe(404);
      expect(body.status).toBe(404);
    }
  });

  it('refuses parameters that it does not know', async () => {
    expect((await admin('GET', `/${collection}?nmae=x`)).status).toBe(422);
  });

  it('takes back what it shows', async () => {
    const { body } = await admin<object>('GET', `/${collection}/${name}`);
    expect((await admin('PUT', `/${collection}/${name}`, body)).status).toBe(200);
    expect((await admin('GET', '/config')).body).toEqual(PROMISED);
  });
});

describe('PUT', () => {
  it('publishes a version, whose note names the document', async () => {
    await admin('PUT', '/recipients/new', { numbers: ['4930123456'] });
    expect((await admin('GET', '/recipients/new')).body).toEqual({ numbers: ['4930123456'] });
    const { body } = await admin<PageJson<object>>('GET', '/config/versions?limit=1');
    expect(body.items[0]).toMatchObject({ note: 'put recipients/new', by: 'token', active: true });
  });

  it.each([
    ['/sources/a%20b', open(), 'sources.a b: the name must be letters'],
    ['/sources/a%2Fb', open(), 'sources.a/b: the name must be letters'],
    ['/sources/__proto__', open(), 'sources.__proto__: the name must be letters'],
    ['/accounts/Sales', {}, 'accounts.Sales: the name of an account must be lower-case letters'],
    [
      '/templates/new',
      { kind: 'text', message: '{{ x }}' },
      'templates.new.message: column 4: unknown name "x"',
    ],
    [
      '/templates/payment-received',
      { kind: 'status', text: 'x' },
      'sources.shop-payments.routes[0].to: is refused here',
    ],
  ])('%s is refused where it is wrong, also for others that use it', async (path, document, error) => {
    const { status, body } = await admin<ProblemJson>('PUT', path, document);
    expect(status).toBe(422);
    expect(lines(body)[0]).toContain(error);
    expect((await admin('GET', '/config')).body).toEqual(PROMISED);
  });

  it('of different documents at once loses none', async () => {
    const names = Array.from({ length: 8 }, (_, n) => `list-${n}`);
    const answers = await Promise.all(
      names.map((name) =>
        admin<{ version: number }>('PUT', `/recipients/${name}`, { numbers: ['4930123456'] }),
      ),
    );
    const versions = answers.map(({ body }) => body.version).toSorted((a, b) => a - b);
    expect(versions).toEqual(names.map((_, n) => (versions[0] ?? 0) + n));
    const { body } = await admin<PageJson<{ name: string }>>('GET', '/recipients');
    expect(body.items.map(({ name }) => name).toSorted()).toEqual([...names, 'shop-owners'].toSorted());
  });

  it('of what is no JSON is 400, and of too much 413', async () => {
    expect((await raw('PUT', '/sources/x', { body: '{"verify"' })).status).toBe(400);
    expect((await raw('PUT', '/sources/x')).status).toBe(400);
    expect((await raw('PUT', '/sources/x', { body: `"${'x'.repeat(3_000_001)}"` })).status).toBe(413);
    const recipients = { numbers: Array.from({ length: 100_000 }, () => '491511234567890') };
    expect((await admin('PUT', '/recipients/huge', recipients)).status).toBe(413);
  });
});

describe('DELETE', () => {
  it('of what is in use is 409, and says by whom', async () => {
    for (const path of [
      '/templates/payment-received',
      '/recipients/shop-owners',
      '/accounts/sales',
      '/accounts/default',
    ]) {
      const { status, body } = await admin<ProblemJson>('DELETE', path);
      expect(status).toBe(409);
      expect(body.detail).toMatch(/is in use by sources\./);
    }
    expect((await admin('GET', '/config')).body).toEqual(PROMISED);
  });

  it('of a source ends it at once', async () => {
    expect((await post('open', 'x', { 'content-type': 'text/plain' })).status).toBe(202);
    expect((await admin('DELETE', '/sources/open')).status).toBe(200);
    expect((await post('open', 'x', { 'content-type': 'text/plain' })).status).toBe(404);
    expect((await admin('GET', '/sources/open')).status).toBe(404);
  });

  it('suggests what was meant', async () => {
    const { body } = await admin<ProblemJson>('DELETE', '/templates/pictrue');
    expect(body.detail).toBe('In templates there is no document `pictrue`; did you mean `picture`?');
  });
});

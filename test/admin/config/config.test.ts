import { beforeEach, describe, expect, it } from 'vitest';
import { admin, post } from '../../integration/relay.ts';
import { PROMISED, open } from '../../config/support.ts';
import { form, lines, type PageJson, type ProblemJson } from '../support.ts';

interface Published {
  readonly version: number;
  readonly warnings: readonly { path: string }[];
}

interface Version {
  readonly version: number;
  readonly note: string;
  readonly by: string;
  readonly active: boolean;
  readonly published_at: string;
}

const newest = async (): Promise<Version | undefined> =>
  (await admin<PageJson<Version>>('GET', '/config/versions?limit=1')).body.items[0];

const publishSet = async (set: object): Promise<Published> => {
  const { status, body } = await admin<Published>('POST', '/config', set);
  expect(status).toBe(200);
  return body;
};

beforeEach(() => publishSet({ sources: { form: form() } }));

describe('POST /config', () => {
  it('takes the promised documents as they are written, and answers the version and its warnings', async () => {
    const before = (await newest())?.version ?? 0;
    const { version, warnings } = await publishSet(PROMISED);
    expect(version).toBe(before + 1);
    expect(warnings.map(({ path }) => path)).toEqual(['sources.open.verify']);
    expect(await newest()).toMatchObject({
      version,
      note: 'replace the whole set',
      by: 'token',
      active: true,
    });
  });

  it('is in force for the next webhook', async () => {
    expect((await post('shop', 'x', { 'content-type': 'text/plain' })).status).toBe(404);
    await publishSet({ sources: { shop: open() } });
    expect((await post('shop', 'x', { 'content-type': 'text/plain' })).status).toBe(202);
    expect((await post('form', 'x', { 'content-type': 'text/plain' })).status).toBe(404);
  });

  it('changes nothing when one document is wrong', async () => {
    const before = await admin('GET', '/config');
    const wrong = { sources: { shop: open(), form: form({ country: 'UK' }) } };
    const { status, body } = await admin<ProblemJson>('POST', '/config', wrong);
    expect(status).toBe(422);
    expect(body.errors?.map(({ path }) => path)).toEqual(['sources.form.country']);
    expect(await admin('GET', '/config')).toEqual(before);
    expect((await post('shop', 'x', { 'content-type': 'text/plain' })).status).toBe(404);
  });

  it.each([
    [null, ': must be an object of keys and values'],
    [[], ': must be an object of keys and values'],
    [{ source: {} }, 'source: unknown key `source`; did you mean `sources`?'],
    [{ sources: [] }, 'sources: must map name to document'],
    [{ sources: null }, 'sources: must map name to document'],
    [{ templates: 'x' }, 'templates: must map name to document'],
  ])('%j is no set', async (set, error) => {
    const { status, body } = await admin<ProblemJson>('POST', '/config', set);
    expect(status).toBe(422);
    expect(lines(body)).toEqual([error]);
  });

  it('finds a document named `__proto__` wrong, and does not leave it out', async () => {
    const set: unknown = JSON.parse('{"sources":{"__proto__":{"verify":{"scheme":"none"}}}}');
    const { status, body } = await admin<ProblemJson>('POST', '/config', set);
    expect(status).toBe(422);
    expect(body.errors?.map(({ path }) => path)).toEqual(['sources.__proto__']);
  });
});

describe('GET /config', () => {
  it('is exactly what can be published again', async () => {
    await publishSet(PROMISED);
    const { body } = await admin<object>('GET', '/config');
    expect(body).toEqual(PROMISED);
    await publishSet({});
    expect((await admin('GET', '/config')).body).toEqual({
      sources: {},
      templates: {},
      recipients: {},
      accounts: {},
      silences: {},
    });
    await publishSet(body);
    expect((await admin('GET', '/config')).body).toEqual(PROMISED);
  });

  it('shows an earlier version', async () => {
    const version = (await newest())?.version ?? 0;
    const before = await admin('GET', '/config');
    await publishSet(PROMISED);
    expect((await admin('GET', `/config?version=${version}`)).body).toEqual(before.body);
    expect((await admin('GET', '/config?version=9999')).status).toBe(404);
  });

  it.each(['version=x', 'version=0', 'version=', 'version=1.5', 'versoin=1'])(
    'refuses ?%s',
    async (query) => {
      expect((await admin('GET', `/config?${query}`)).status).toBe(422);
    },
  );
});

describe('GET /config/versions', () => {
  it('lists all of them, page by page, newest first, each once', async () => {
    for (let n = 0; n < 4; n += 1) await publishSet({ sources: { [`s${n}`]: open() } });
    const total = (await newest())?.version ?? 0;
    const found: number[] = [];
    let path = '/config/versions?limit=2';
    for (let page = 0; page < 100; page += 1) {
      const { body } = await admin<PageJson<Version>>('GET', path);
      found.push(...body.items.map(({ version }) => version));
      if (body.next_cursor === null) break;
      path = `/config/versions?limit=2&cursor=${body.next_cursor}`;
    }
    expect(found).toEqual(Array.from({ length: total }, (_, n) => total - n));
  });

  it.each(['cursor=abc', 'cursor=0', 'limit=0', 'page=2'])('refuses ?%s', async (query) => {
    expect((await admin('GET', `/config/versions?${query}`)).status).toBe(422);
  });
});

describe('POST /config/versions/{n}/activate', () => {
  it('rolls back at once, and is no version itself', async () => {
    const version = (await newest())?.version ?? 0;
    const { version: next } = await publishSet({ sources: { shop: open() } });
    expect((await admin('POST', `/config/versions/${version}/activate`)).body).toMatchObject({ version });
    expect((await post('shop', 'x', { 'content-type': 'text/plain' })).status).toBe(404);
    expect((await post('form', 'x', { 'content-type': 'text/plain' })).status).toBe(202);
    expect(await newest()).toMatchObject({ version: next, active: false });

    await admin('POST', `/config/versions/${next}/activate`);
    expect((await post('shop', 'x', { 'content-type': 'text/plain' })).status).toBe(202);
  });

  it.each(['9999', '0', '-1', 'x', '1.5', 'constructor'])('of %s is 404', async (version) => {
    expect((await admin('POST', `/config/versions/${version}/activate`)).status).toBe(404);
  });

  it('does not take a dry run for the real thing', async () => {
    expect((await admin('POST', '/config/versions/1/activate?dry_run=true')).status).toBe(422);
  });
});

const newestRejections = () =>
  admin<PageJson<{ source: string; reason: string }>>('GET', '/rejections?limit=2');

describe('GET /rejections', () => {
  it('lists why webhooks were refused, newest first and without their bodies, page by page', async () => {
    const guarded = { verify: { scheme: 'token', in: 'path' }, secrets: ['HOOK_SECRET'] };
    // Rejections of one source for one reason are one row.
    await publishSet({ sources: { 'shop-1': guarded, 'shop-2': guarded, 'shop-3': guarded } });
    for (let n = 1; n <= 3; n += 1)
      expect(
        (await post(`shop-${n}/guess-${n}`, 'body-of-the-webhook', { 'content-type': 'text/plain' })).status,
      ).toBe(401);
    await expect.poll(async () => (await newestRejections()).body.next_cursor).not.toBeNull();

    const first = (await newestRejections()).body;
    expect(first.items).toHaveLength(2);
    expect(first.items[0]).toMatchObject({ source: 'shop-3', status: 401, reason: 'mismatch' });
    const second = await admin<PageJson<unknown>>('GET', `/rejections?limit=2&cursor=${first.next_cursor}`);
    expect(second.body).toMatchObject({ items: [{ source: 'shop-1' }], next_cursor: null });
    expect(JSON.stringify([first, second])).not.toMatch(/body-of-the-webhook|guess-/);
  });

  it.each(['cursor=x', 'limit=201', 'state=open'])('refuses ?%s', async (query) => {
    expect((await admin('GET', `/rejections?${query}`)).status).toBe(422);
  });
});

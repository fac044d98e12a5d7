import { beforeEach, describe, expect, it } from 'vitest';
import { KINDS } from '../../../src/config/documents/name.ts';
import { containing, open, PROMISED } from '../../config/support.ts';
import { admin, listOf, post } from '../../integration/relay.ts';
import { form, lines, listAll, refusal, type PageJson, type ProblemJson } from '../support.ts';

interface Published {
  readonly version: number;
  readonly warnings: readonly { path: string }[];
}

interface Version {
  readonly version: number;
  readonly note: string;
}

const newest = async () => (await listOf<Version>('/config/versions?limit=1'))[0];

const publishSet = async (set: object): Promise<Published> => {
  const { status, body } = await admin<Published>('POST', '/config', set);
  expect(status).toBe(200);
  return body;
};

/** The set in force, as it can be published again. */
const exported = async (query = '') => (await admin<object>('GET', `/config${query}`)).body;

const putList = (name: string) => admin<Version>('PUT', `/recipients/${name}`, { numbers: ['4930123456'] });

/** True if a source takes webhooks. */
const isThere = async (id: string): Promise<boolean> =>
  (await post(id, 'x', { 'content-type': 'text/plain' })).status === 202;

const chat = (host: string) => ({ accounts: { chat: { gateway: 'waha', base_url: `https://${host}` } } });

describe('POST /config', () => {
  beforeEach(() => publishSet({ sources: { form: form() } }));

  it('warns before and after it sends an account’s secrets to another host', async () => {
    await publishSet(chat('chat.example.com'));
    const warnings = [
      { path: 'accounts.chat', message: containing('to evil.example from now on, no longer to chat.') },
    ];
    const tried = await admin('POST', '/config?dry_run=true', chat('evil.example'));
    expect(tried.body).toMatchObject({ warnings });
    expect(await publishSet(chat('evil.example'))).toMatchObject({ warnings });
  });

  it('takes the promised documents as they are written, and answers the version and its warnings', async () => {
    const before = (await newest())?.version ?? 0;
    const { version, warnings } = await publishSet(PROMISED);
    expect(version).toBe(before + 1);
    expect(warnings.map(({ path }) => path)).toEqual(['sources.open.verify']);
    const note = 'replace the whole set';
    expect(await newest()).toMatchObject({ version, note, by: 'token', active: true });
  });

  it('is in force for the next webhook', async () => {
    expect([await isThere('shop'), await isThere('form')]).toEqual([false, true]);
    await publishSet({ sources: { shop: open() } });
    expect([await isThere('shop'), await isThere('form')]).toEqual([true, false]);
  });

  it('changes nothing when one document is wrong', async () => {
    const before = await exported();
    const wrong = { sources: { shop: open(), form: form({ country: 'UK' }) } };
    expect(await refusal('POST', '/config', wrong)).toEqual([
      expect.stringMatching(/^sources\.form\.country: /),
    ]);
    expect(await exported()).toEqual(before);
    expect(await isThere('shop')).toBe(false);
  });

  it('refuses what is no set, and does not leave out a document named `__proto__`', async () => {
    for (const [set, error] of [
      [null, ': must be an object of keys and values'],
      [[], ': must be an object of keys and values'],
      [{ source: {} }, 'source: unknown key `source`; did you mean `sources`?'],
      [{ sources: [] }, 'sources: must map name to document'],
      [{ templates: 'x' }, 'templates: must map name to document'],
    ])
      expect(await refusal('POST', '/config', set)).toEqual([error]);
    const proto: unknown = JSON.parse('{"sources":{"__proto__":{"verify":{"scheme":"none"}}}}');
    expect(await refusal('POST', '/config', proto)).toEqual([expect.stringMatching(/^sources\.__proto__: /)]);
  });

  it('that is refused is a problem that says what, where and how to fix it', async () => {
    const { body } = await admin<ProblemJson>('PUT', '/sources/shop', { provider: 'strip' });
    expect(body).toMatchObject({
      type: 'urn:hookbell:problem:invalid-configuration',
      detail: 'The configuration is not valid; nothing was changed.',
    });
    expect(lines(body)).toEqual([
      'sources.shop.provider: there is no provider `strip`; did you mean `stripe`?',
    ]);
  });
});

it('GET /config is exactly what can be published again', async () => {
  await publishSet(PROMISED);
  const body = await exported();
  expect(body).toEqual(PROMISED);
  await publishSet({});
  const none = { sources: {}, templates: {}, recipients: {}, accounts: {}, silences: {}, providers: {} };
  expect(await exported()).toEqual(none);
  const { version } = await publishSet(body);
  expect(await exported()).toEqual(PROMISED);
  expect(await exported(`?version=${version - 1}`)).toEqual(none);
  expect((await admin('GET', '/config?version=9999')).status).toBe(404);
});

it('GET /config/versions lists all of them, page by page, newest first, each once', async () => {
  for (let n = 0; n < 4; n += 1) await publishSet({ sources: { [`s${n}`]: open() } });
  const total = (await newest())?.version ?? 0;
  const found = await listAll<Version>('config/versions?', 2);
  expect(found.map(({ version }) => version)).toEqual(Array.from({ length: total }, (_, n) => total - n));
});

it('POST /config/versions/{n}/activate rolls back at once, and is no version itself', async () => {
  const { version } = await publishSet({ sources: { form: form() } });
  const { version: next } = await publishSet({ sources: { shop: open() } });
  expect((await admin('POST', `/config/versions/${version}/activate`)).body).toMatchObject({ version });
  expect([await isThere('shop'), await isThere('form')]).toEqual([false, true]);
  expect(await newest()).toMatchObject({ version: next, active: false });
  await admin('POST', `/config/versions/${next}/activate`);
  expect(await isThere('shop')).toBe(true);
});

it('POST /config/versions/{n}/activate is 404 of what is no version, and does not take a dry run for the real thing', async () => {
  for (const version of ['9999', '0', '-1', 'x', '1.5', 'constructor'])
    expect(await admin('POST', `/config/versions/${version}/activate`)).toMatchObject({ status: 404 });
  await refusal('POST', '/config/versions/1/activate?dry_run=true');
});

it('GET /rejections lists why webhooks were refused, newest first and without their bodies, page by page', async () => {
  const guarded = { verify: { scheme: 'token', in: 'path' }, secrets: ['HOOK_SECRET'] };
  // Rejections of one source for one reason are one row.
  await publishSet({ sources: { 'shop-1': guarded, 'shop-2': guarded, 'shop-3': guarded } });
  for (let n = 1; n <= 3; n += 1) expect(await isThere(`shop-${n}/guess-${n}`)).toBe(false);
  const first = { source: 'shop-3', status: 401, code: 'mismatch' };
  await expect.poll(async () => (await listOf('/rejections?limit=1'))[0]).toMatchObject(first);
  const found = await listAll('rejections?', 2);
  expect(found.slice(0, 3)).toMatchObject([first, { source: 'shop-2' }, { source: 'shop-1' }]);
  expect(JSON.stringify(found)).not.toMatch(/guess-/);
});

describe('a single document', () => {
  beforeEach(() => publishSet(PROMISED));

  it('is listed by its name, shown as it was written, and taken back, whatever its kind', async () => {
    // Lists of providers have the shipped ones, too; see providers.test.ts.
    for (const collection of KINDS.filter((kind) => kind !== 'providers')) {
      const promised = PROMISED[collection];
      const [name = '', document] = Object.entries(promised)[0] ?? [];
      const { body } = await admin<PageJson<Record<string, unknown>>>('GET', `/${collection}`);
      const key = collection === 'sources' || collection === 'silences' ? 'id' : 'name';
      expect([body.items.length, body.next_cursor]).toEqual([Object.keys(promised).length, null]);
      // The current state of a silence depends on the time; see silences.test.ts.
      const { origin: _, state: __, ...shown } = body.items[0] ?? {};
      expect(shown).toEqual({ [key]: name, ...Object.assign({}, document) });
      const one = await admin<object>('GET', `/${collection}/${name}`);
      expect(one).toEqual({ status: 200, body: document });
      expect((await admin('PUT', `/${collection}/${name}`, one.body)).status).toBe(200);
      expect(await exported()).toEqual(PROMISED);
      await refusal('GET', `/${collection}?nmae=x`);
      for (const other of ['nothing', 'constructor', 'toString', '__proto__', '%2e%2e'])
        for (const method of ['GET', 'DELETE'])
          expect(await admin(method, `/${collection}/${other}`)).toMatchObject({ status: 404 });
    }
  });

  it('is refused where it is wrong, also for others that use it', async () => {
    for (const [path, document, error] of [
      ['/sources/a%20b', open(), 'sources.a b: the name must be letters'],
      ['/sources/a%2Fb', open(), 'sources.a/b: the name must be letters'],
      ['/sources/__proto__', open(), 'sources.__proto__: the name must be letters'],
      ['/accounts/Sales', {}, 'accounts.Sales: the name of an account must be lower-case letters'],
      [
        '/templates/new',
        { kind: 'text', message: '{{ x }}' },
        'templates.new.message: column 4: unknown name',
      ],
      [
        '/templates/payment-received',
        { kind: 'status', text: 'x' },
        'sources.shop-payments.routes[0].to: is',
      ],
    ] as const)
      expect((await refusal('PUT', path, document))[0]).toContain(error);
    expect(await exported()).toEqual(PROMISED);
  });

  it('is lost by nobody when different ones are put at once', async () => {
    const names = Array.from({ length: 8 }, (_, n) => `list-${n}`);
    const answers = await Promise.all(names.map(putList));
    const versions = answers.map(({ body }) => body.version).toSorted((a, b) => a - b);
    expect(versions).toEqual(names.map((_, n) => (versions[0] ?? 0) + n));
    const found = await listOf<{ name: string }>('/recipients');
    expect(found.map(({ name }) => name).toSorted()).toEqual([...names, 'shop-owners'].toSorted());
  });
});

/** What publishes, and would change whether `shop` and `form` are there. */
const CHANGES = [
  ['POST', '/config', {}],
  ['PUT', '/sources/shop', open()],
  ['DELETE', '/sources/form', undefined],
] as const;

describe('a dry run', () => {
  beforeEach(() => publishSet({ sources: { form: form() } }));

  it('says what a publish would say, and changes nothing', async () => {
    const { body } = await admin<Published>('PUT', '/sources/shop?dry_run=true', open());
    expect(body).toMatchObject({ dry_run: true });
    const paths = body.warnings.map(({ path }) => path).filter((path) => path.endsWith('.verify'));
    expect(paths).toEqual(['sources.form.verify', 'sources.shop.verify']);
    await refusal('PUT', '/sources/shop?dry_run=true', {});
    for (const [method, path, document] of CHANGES)
      expect((await admin(method, `${path}?dry_run=true`, document)).status).toBe(200);
    expect([await isThere('shop'), await isThere('form')]).toEqual([false, true]);
    expect((await admin('PUT', '/sources/shop?dry_run=false', open())).body).toHaveProperty('version');
    expect(await isThere('shop')).toBe(true);
  });

  it('that is misspelt does not publish', async () => {
    for (const [query, error] of [
      ['dryrun=true', 'dryrun: unknown key `dryrun`; did you mean `dry_run`?'],
      ['dry-run=true', 'dry-run: unknown key `dry-run`; did you mean `dry_run`?'],
      ['dry_run=yes', 'dry_run: must be one of true, false'],
      ['dry_run=1', 'dry_run: must be one of true, false'],
      ['dry_run=', 'dry_run: must be one of true, false'],
      ['dry_run=false&dry_run=true', 'dry_run: must be given once'],
    ])
      for (const [method, path, document] of CHANGES)
        expect(await refusal(method, `${path}?${query}`, document)).toEqual([error]);
    expect([await isThere('shop'), await isThere('form')]).toEqual([false, true]);
  });
});

it('the note of a publish is what the list of versions says, in place of what was changed', async () => {
  await admin('POST', `/config?note=${encodeURIComponent('prices in € – for the fair')}`, {});
  expect((await newest())?.note).toBe('prices in € – for the fair');
  await admin('PUT', '/sources/form?note=a%20form', open());
  expect((await newest())?.note).toBe('a form');
  await admin('POST', '/config', {});
  expect((await newest())?.note).toBe('replace the whole set');
});

it('the note of a publish is one short line, else nothing is published', async () => {
  const before = await newest();
  const control = 'must be on one line, without control characters';
  for (const [note, message] of [
    ['', 'must not be empty'],
    ['x'.repeat(201), 'must have at most 200 characters'],
    ['two\nlines', control],
    ['\u001b[31mred', control],
    ['\u202etxt', control],
  ] as const)
    expect(await refusal('POST', `/config?note=${encodeURIComponent(note)}`, {})).toEqual([
      `note: ${message}`,
    ]);
  expect(await newest()).toEqual(before);
});

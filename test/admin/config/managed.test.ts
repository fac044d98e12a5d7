import { afterEach, beforeEach, expect, it } from 'vitest';
import { open } from '../../config/support.ts';
import { admin } from '../../integration/relay.ts';
import { lines, refusal, type PageJson, type ProblemJson } from '../support.ts';

const SET = { sources: { a: open() } };
const FILES = { 'sources/a.yaml': 'verify: { scheme: none } # Zoë\n', 'accounts/b.json': '{}' };
const PHONE = '4915187660001';

interface VersionsJson extends PageJson<{ readonly version: number; readonly note: string }> {
  readonly managed: { readonly by: string } | null;
  readonly taken_over: { readonly name: string; readonly version: number } | null;
}

const push = (body: object = SET) => admin<ProblemJson>('POST', '/config?managed=true', body);
const versions = async (): Promise<VersionsJson> =>
  (await admin<VersionsJson>('GET', '/config/versions')).body;

beforeEach(() => push({ ...SET, files: FILES }));
afterEach(() => admin('POST', '/config/takeover', { name: 'Ann' }));

it('a managed set is changed by no other publish, rollback or deletion', async () => {
  const before = (await versions()).items[0];
  for (const [method, path, body] of [
    ['POST', '/config', SET],
    ['POST', '/config?managed=false', SET],
    ['POST', '/config/versions/1/activate', undefined],
    ['PUT', '/sources/b', open()],
    ['DELETE', '/sources/a', undefined],
    ['PUT', '/silences/night', { when: 'true', reason: 'x' }],
    ['DELETE', '/silences/night', undefined],
  ] as const) {
    const { status, body: problem } = await admin<ProblemJson>(method, path, body);
    expect([method, path, status]).toEqual([method, path, 409]);
    expect(problem).toMatchObject({ type: 'urn:hookbell:problem:managed', title: 'Managed' });
    expect(problem.detail).toMatch(
      /^The configuration has been managed in git since .*, by token\. .*`npx hookbell push --managed`.*`npx hookbell takeover <name>`/,
    );
  }
  expect((await versions()).items[0]).toEqual(before);
});

it('a managed set may be paused, silenced by hand and checked with a change, which publish nothing', async () => {
  expect((await admin('POST', '/accounts/default/pause')).status).toBe(200);
  expect((await admin('POST', '/accounts/default/resume')).status).toBe(200);
  const until = new Date(Date.now() + 60_000).toISOString();
  const added = await admin<{ id: string }>('POST', '/silences', { when: 'true', until, reason: 'x' });
  expect(added.status).toBe(201);
  expect((await admin('DELETE', `/silences/${added.body.id}`)).status).toBe(200);
  expect((await admin('PUT', '/sources/b?dry_run=true', open())).status).toBe(200);
  expect((await admin('POST', '/config?dry_run=true&managed=true', SET)).status).toBe(200);
  expect((await versions()).managed).not.toBeNull();
});

it('a managed set goes back to an earlier version when that is asked as managed', async () => {
  const [latest] = (await versions()).items;
  const path = `/config/versions/${latest?.version ?? 0}/activate?managed=true`;
  expect((await admin('POST', path)).status).toBe(200);
  expect((await admin('GET', '/config/files')).body).toMatchObject({ items: [{}, {}] });
});

it('the files of a managed set are listed with their bytes, and read by their paths', async () => {
  expect((await admin('GET', '/config/files')).body).toEqual({
    items: [
      { path: 'sources/a.yaml', bytes: 32 },
      { path: 'accounts/b.json', bytes: 2 },
    ],
    next_cursor: null,
  });
  const path = 'sources/a.yaml';
  expect((await admin('GET', `/config/files?path=${path}`)).body).toEqual({ path, text: FILES[path] });
  for (const none of ['sources/b.yaml', '__proto__', 'toString'])
    expect((await admin('GET', `/config/files?path=${none}`)).status).toBe(404);
});

it('the files of a managed set have a path below the folder', async () => {
  const outside = ['../a.yaml', 'sources/../../a.yaml', '/etc/a.yaml', './a.yaml', 'sources//a.yaml'];
  const odd = ['sources\\a.yaml', 'sources/.a.yaml', 'sources/a.yaml\n+++ b/x.yaml', 'sources/a.sh', ''];
  for (const path of [...outside, ...odd, 'sources/yaml', `${'x'.repeat(200)}.yaml`])
    expect(lines((await push({ ...SET, files: { [path]: 'x' } })).body)).toEqual([
      `files.${path}: must be a path below the folder, such as \`sources/shop.yaml\``,
    ]);
});

it('the files of a managed set are refused when they are too large together, are no text, or hold a secret in a comment', async () => {
  for (const [files, error] of [
    [
      { 'a.yaml': 'x'.repeat(500_000), 'b.yaml': 'ä'.repeat(250_000) },
      'files: must not be larger than 1000000 bytes as JSON',
    ],
    [{ 'a.yaml': 1 }, 'files.a.yaml: must be text: put it in quotes'],
  ] as const)
    expect(lines((await push({ ...SET, files })).body)).toEqual([error]);
  const leak = await push({ ...SET, files: { 'sources/a.yaml': '# whsec_test_secret_next\n' } });
  expect(leak.status).toBe(422);
  expect(leak.body.errors).toMatchObject([{ path: 'files.sources/a.yaml' }]);
  expect(JSON.stringify(leak.body)).toContain('STRIPE_SECRET_NEXT');
  expect(JSON.stringify(leak.body)).not.toContain('whsec_test');
});

it('the files of a managed set come with a managed push only', async () => {
  const refused = await refusal('POST', '/config', { ...SET, files: FILES });
  expect(refused).toEqual(['files: needs `managed=true`']);
});

it('a takeover says who, in the list of versions, and lets anybody publish until the next push', async () => {
  const { status, body } = await admin<{ version: number }>('POST', '/config/takeover', { name: 'Ann' });
  expect({ status, body }).toMatchObject({ status: 200, body: { managed: null, warnings: [] } });
  const after = await versions();
  expect(after).toMatchObject({ managed: null, taken_over: { name: 'Ann', version: body.version } });
  expect(after.items[0]).toMatchObject({ version: body.version, note: 'taken over by Ann', active: true });
  expect((await admin('PUT', '/recipients/on-call', { numbers: [PHONE] })).status).toBe(200);
  expect((await push()).status).toBe(200);
  expect(await versions()).toMatchObject({ managed: { by: 'token' }, taken_over: null });
});

it('a takeover needs a name', async () => {
  for (const [given, error] of [
    [{}, 'name: is required'],
    [{ name: '' }, 'name: must not be empty'],
    [{ name: 'x'.repeat(101) }, 'name: must have at most 100 characters'],
    [{ name: 'Ann\nBen' }, 'name: must be on one line, without control characters'],
    [{ name: 'Ann', by: 'Ben' }, 'by: unknown key `by`; known keys: name'],
  ] as const)
    expect(await refusal('POST', '/config/takeover', given)).toEqual([error]);
  expect((await versions()).managed).not.toBeNull();
});

import { expect, it } from 'vitest';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ok } from '../../../src/lib/result.ts';
import { createClient } from '../../../cli/client.ts';
import { changesBetween } from '../../../cli/doctor/changes.ts';
import { DOCTOR_AGENT } from '../../../src/lib/version.ts';
import { devVarsChecks, STARTED } from '../../../cli/doctor/dev-vars.ts';
import {
  examine,
  hookChecks,
  newestCheck,
  newestVersion,
  reachCheck,
  versionCheck,
  worst,
} from '../../../cli/doctor/examine.ts';
import { compareVersions } from '../../../shared/doctor/outside.ts';
import { answering, newFolder, serving } from '../offline.ts';

const CHANGELOG = [
  '# Changelog\n\n## [Unreleased]\n\n- Not yet.\n',
  '## [0.3.0] - 2026-03-03\n\n### Added\n\n- [Silences](docs/alerts.md) by hand: with an end\n  and a reason. More words.\n- Bells.\n',
  '### Fixed\n\n- A fault; it was old.\n\n## [0.2.0] - 2026-02-02\n\n- Older.\n',
].join('\n');

it('versions are compared by number', () => {
  const inOrder = ['0.1.0', '0.2.0', '0.9.0', '0.10.0', '1.2.3', '1.2.4', '2.0.0'];
  expect(inOrder.toReversed().toSorted(compareVersions)).toEqual(inOrder);
});

it('versions differ by the beginning of each change, without links, and nothing that is unreleased', () => {
  const newest = ['Silences by hand', 'Bells', 'A fault'];
  expect(changesBetween(CHANGELOG, '0.2.0', '0.3.0')).toEqual(newest);
  expect(changesBetween(CHANGELOG, '0.1.0', '0.3.0')).toEqual([...newest, 'Older']);
  expect(changesBetween(CHANGELOG, '0.3.0', '0.3.0')).toEqual([]);
});

it('versions of a relay: an older one is to be deployed, and a newer one is not', () => {
  const own = { version: '0.3.0', changelog: CHANGELOG };
  expect(versionCheck({ version: '0.3.0' }, own).status).toBe('ok');
  const detail =
    'the relay is 0.2.0, older than this hookbell, 0.3.0. New since then: Silences by hand; Bells; A fault';
  const older = { status: 'warn', detail, remedy: 'npx wrangler deploy' };
  expect(versionCheck({ version: '0.2.0' }, own)).toMatchObject(older);
  const newer = versionCheck({ version: '0.4.0' }, own);
  expect(newer).toMatchObject({ status: 'warn', remedy: expect.not.stringContaining('deploy') as unknown });
});

it('versions are asked of npm, and the newest is named when it is newer', async () => {
  const paths: (string | undefined)[] = [];
  const asked = async (status: number, body: string) => {
    const url = await serving((request, response) => {
      paths.push(request.url);
      answering(status, 'application/json', body)(request, response);
    });
    return newestCheck(await newestVersion({ fetch }, `${url}/`), '0.2.0');
  };
  const detail = 'hookbell 0.10.0 is out; this is 0.2.0';
  expect(await asked(200, '{"version":"0.10.0"}')).toMatchObject([{ id: 'newest', status: 'warn', detail }]);
  expect(paths).toEqual(['/hookbell/latest']);
  expect(await asked(200, '{"version":"0.2.0"}')).toEqual([]);
  expect(await asked(404, '{"error":"Not found"}')).toEqual([]);
  expect(await asked(200, '<html>')).toEqual([]);
  expect(newestCheck(await newestVersion({ fetch }, 'http://127.0.0.1:9'), '0.2.0')).toEqual([]);
});

const healthy = () => Promise.resolve(Response.json({ status: 'ok' }));

const reached = async (url: string) => (await reachCheck({ url, fetch: healthy, now: () => 0 })).status;

it('from outside, a relay answers /health, and is reached by https or on this machine', async () => {
  for (const [body, status, expected] of [
    ['{"status":"ok"}', 200, 'ok'],
    ['{"status":"ok"}', 500, 'fail'],
    ['{"status":"up"}', 200, 'fail'],
    ['<h1>Welcome</h1>', 200, 'fail'],
    ['', 302, 'fail'],
  ] as const) {
    const url = await serving(answering(status, 'application/json', body));
    const check = await reachCheck({ url, fetch, now: Date.now });
    expect([body, status, check.status]).toEqual([body, status, expected]);
  }
  const urls = ['https://relay.example', 'http://localhost:8787', 'http://relay.example'];
  expect(await Promise.all(urls.map(reached))).toEqual(['ok', 'ok', 'warn']);
});

it('from outside, each source is asked by a method that no webhook comes by, and by the doctor’s name', async () => {
  const asked: string[] = [];
  const url = await serving(({ method, url: path = '', headers }, response) => {
    asked.push(`${method} ${path} ${headers['user-agent']}`);
    response.writeHead(path === '/hooks/gone' ? 404 : path === '/hooks/walled' ? 302 : 405).end();
  });
  const check = (...sources: string[]) => hookChecks({ url, fetch, now: Date.now }, sources);
  expect(await check('a', 'gone', 'walled')).toMatchObject([
    { id: 'hook:gone', status: 'fail' },
    { id: 'hook:walled', status: 'fail' },
  ]);
  expect(asked.sort()).toEqual(['a', 'gone', 'walled'].map((id) => `PATCH /hooks/${id} ${DOCTOR_AGENT}`));
  expect(await check('a')).toMatchObject([{ status: 'ok' }]);
  expect(await check()).toEqual([]);
});

/** A relay that has these answers and no others, and the methods that it was called by. */
async function examined(answers: Readonly<Record<string, object>>, folder?: string) {
  const methods: (string | undefined)[] = [];
  const url = await serving((request, response) => {
    methods.push(request.method);
    const answer = { '/health': { status: 'ok' }, ...answers }[
      request.url?.replace('/admin/api/v1', '') ?? ''
    ];
    response.setHeader('hookbell-config-version', '1');
    answering(
      answer === undefined ? 404 : 200,
      'application/json',
      JSON.stringify(answer ?? {}),
    )(request, response);
  });
  return {
    methods,
    checks: await examine(
      createClient(() => ok({ url, token: 'x' })),
      { folder },
    ),
  };
}

it('a relay without a doctor is an older one; a viewer’s doctor says what it did not try', async () => {
  const { checks } = await examined({});
  expect(checks.at(-1)).toMatchObject({ id: 'version', status: 'fail', remedy: 'npx wrangler deploy' });
  expect(worst(checks)).toBe('fail');
  const doctor = { version: '0.1.0', now: '2026-01-01T00:00:00Z', checks: [] };
  const config = { sources: {}, templates: {}, recipients: {}, accounts: {}, silences: {}, providers: {} };
  const answers = { '/session': { role: 'viewer' }, '/doctor': doctor, '/config': config };
  const viewers = await examined(answers, 'hookbell');
  expect(viewers.methods).not.toContain('POST');
  const untried = viewers.checks.filter(({ detail }) => detail.includes('this token is a viewer’s'));
  expect(untried.map(({ id, status }) => [id, status])).toEqual([
    ['gateway', 'unknown'],
    ['folder', 'unknown'],
  ]);
});

const AT = 1_000_000_000_000;
const LOCAL = 'http://localhost:8787';

/** A folder where a relay on port 8787 was started, and whose `.dev.vars` changed `changedAfter` ms later. */
function started(changedAfter: number, text = JSON.stringify({ port: 8787, at: AT })): string {
  const folder = newFolder();
  mkdirSync(join(folder, '.wrangler'));
  writeFileSync(join(folder, STARTED), text);
  writeFileSync(join(folder, '.dev.vars'), 'A="1"\n');
  utimesSync(join(folder, '.dev.vars'), AT / 1_000, (AT + changedAfter) / 1_000);
  return folder;
}

it('the values of .dev.vars that were written after the start are not used yet, which is said of the relay that is known to have started', () => {
  const detail = expect.stringContaining('not used yet') as unknown;
  const remedy = 'Stop `npm start`, and start it again';
  expect(devVarsChecks(LOCAL, started(5_000))).toMatchObject([{ status: 'warn', remedy, detail }]);
  expect(devVarsChecks(LOCAL, started(0))).toEqual([]);
  for (const url of ['http://localhost:8799', 'https://a.workers.dev', 'https://relay.example:8787'])
    expect(devVarsChecks(url, started(5_000))).toEqual([]);
  for (const text of ['', '{}', '{"port":"8787"}'])
    expect(devVarsChecks(LOCAL, started(5_000, text))).toEqual([]);
  expect(devVarsChecks(LOCAL, newFolder())).toEqual([]);
});

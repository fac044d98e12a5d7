import { createServer } from 'node:http';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { examine, worst } from '../../cli/doctor/examine.ts';
import { clockCheck, hookChecks, reachCheck, versionCheck } from '../../cli/doctor/outside.ts';
import { createClient } from '../../cli/client.ts';
import { admin, folderWith, hookbell, OPEN_SET, publish, TOKEN } from './support.ts';
import { pausedByGateway } from './tenant/support.ts';

const report = z.object({
  url: z.string(),
  status: z.string(),
  checks: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      title: z.string(),
      detail: z.string(),
      remedy: z.optional(z.string()),
    }),
  ),
});

/** The findings of `doctor --json`, whatever its exit code. */
async function found(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const { code, stdout, stderr } = await hookbell(['doctor', '--json', ...args], { env });
  const { checks, status } = report.parse(JSON.parse(stdout));
  const statusOf = (id: string): string | undefined => checks.find((check) => check.id === id)?.status;
  return { code, stderr, stdout, checks, status, statusOf };
}

async function serve(
  answer: (
    method: string,
    path: string,
  ) => { status: number; body?: string; headers?: Record<string, string> },
) {
  const server = createServer((request, response) => {
    const { status, body = '', headers = {} } = answer(request.method ?? '', request.url ?? '');
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://localhost:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

const from = (url: string) => ({ url, fetch, now: Date.now });

const files = (message: string) => ({
  'sources/open.yaml': JSON.stringify({
    ...OPEN_SET.sources.open,
    routes: [{ ...OPEN_SET.sources.open.routes[0], send: { kind: 'text', message } }],
  }),
  'accounts/default.yaml': JSON.stringify(OPEN_SET.accounts.default),
});

describe('doctor', () => {
  beforeEach(() => publish());

  it('looks from outside and from inside, and fails only when something does', async () => {
    const { code, checks, statusOf } = await found();
    expect(checks.filter(({ status }) => status === 'fail')).toEqual([]);
    expect(code).toBe(0);
    expect(checks.map(({ id }) => id).slice(0, 7)).toEqual([
      'relay',
      'token',
      'version',
      'own-clock',
      'secrets',
      'config',
      'config-copy',
    ]);
    for (const id of ['relay', 'token', 'version', 'own-clock', 'secrets', 'config', 'config-copy', 'hooks'])
      expect([id, statusOf(id)]).toEqual([id, 'ok']);
    expect(statusOf('source:open:open')).toBe('warn');
  });

  it('shows one line for each thing, and the remedy under it', async () => {
    const { code, stdout, stderr } = await hookbell(['doctor', '--no-probe'], { columns: 80 });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/✓ Token +is accepted\n/);
    expect(stdout).toMatch(/! Source open +verifies nothing[^]*→ Give it a `verify`/);
    expect(stdout).toMatch(/\d+ checks: \d+ fine/);
    expect(stdout).not.toMatch(/Gateway +answers/);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('shows neither the token nor a secret', async () => {
    const { stdout, stderr } = await found();
    for (const secret of [TOKEN, 'gateway-key-of-the-tests', 'relay@example.com'])
      expect(stdout + stderr).not.toContain(secret);
  });

  it('compares a folder with what is in force', async () => {
    const same = await found([folderWith(files('Hello {{ payload.name }}')), '--no-probe']);
    expect(same.statusOf('folder')).toBe('ok');
    const other = await found([folderWith(files('Bye {{ payload.name }}')), '--no-probe']);
    expect([other.code, other.statusOf('folder')]).toEqual([0, 'warn']);
    expect(other.checks.at(-1)?.detail).toMatch(/^1 document of .* differs from the active version$/);
    const wrong = await found([folderWith(files('{{ payload.name | mony }}')), '--no-probe']);
    expect([wrong.code, wrong.statusOf('folder')]).toEqual([1, 'fail']);
    expect((await found(['/nowhere', '--no-probe'])).statusOf('folder')).toBe('fail');
  });

  it('exits with 1 for what the relay finds failing', async () => {
    await pausedByGateway();
    const { code, stderr, statusOf } = await found(['--no-probe']);
    expect([code, statusOf('gateway:default')]).toEqual([1, 'fail']);
    expect(stderr).toContain('1 check failed');
  });

  it('only warns of an account that a person paused', async () => {
    await admin('POST', '/accounts/default/pause');
    onTestFinished(async () => void (await admin('POST', '/accounts/default/resume')));
    expect((await found(['--no-probe'])).statusOf('account:default:paused')).toBe('warn');
  });

  it('stops where nothing else can be known: no relay, no token', async () => {
    const gone = await found([], { HOOKBELL_URL: 'http://localhost:1' });
    expect([gone.code, gone.checks.map(({ id, status }) => [id, status])]).toEqual([1, [['relay', 'fail']]]);
    const shut = await found([], { HOOKBELL_TOKEN: 'wrong-token-0123456789' });
    expect([shut.code, shut.statusOf('token')]).toEqual([1, 'fail']);
    expect(shut.stdout).not.toContain('wrong-token');
  });

  it('says that a relay without a doctor is an older one', async () => {
    const url = await serve((_, path) =>
      path === '/health'
        ? { status: 200, body: '{"status":"ok"}' }
        : {
            status: 404,
            body: '{"title":"Not found"}',
            headers: { 'content-type': 'application/problem+json' },
          },
    );
    const checks = await examine(createClient({ url, token: 'x' }), {});
    expect(checks.at(-1)).toMatchObject({ id: 'version', status: 'fail', remedy: 'npx wrangler deploy' });
    expect(worst(checks)).toBe('fail');
  });
});

const healthy = () => Promise.resolve(Response.json({ status: 'ok' }));

describe('from outside', () => {
  it.each([
    ['{"status":"ok"}', 200, 'ok'],
    ['{"status":"ok"}', 500, 'fail'],
    ['{"status":"up"}', 200, 'fail'],
    ['<h1>Welcome</h1>', 200, 'fail'],
    ['', 302, 'fail'],
  ])('a /health of %j with %i is %s', async (body, status, expected) => {
    const url = await serve(() => ({ status, body }));
    expect((await reachCheck(from(url))).status).toBe(expected);
  });

  it.each([
    ['https://relay.example', 'ok'],
    ['http://localhost:8787', 'ok'],
    ['http://relay.example', 'warn'],
  ])('%s is %s', async (url, expected) => {
    expect((await reachCheck({ url, fetch: healthy, now: () => 0 })).status).toBe(expected);
  });

  it('asks each source by a method that no webhook comes by', async () => {
    const asked: string[] = [];
    const url = await serve((method, path) => {
      asked.push(`${method} ${path}`);
      return { status: path === '/hooks/gone' ? 404 : path === '/hooks/walled' ? 302 : 405 };
    });
    const checks = await hookChecks(from(url), ['a', 'gone', 'walled']);
    expect(asked.sort()).toEqual(['PATCH /hooks/a', 'PATCH /hooks/gone', 'PATCH /hooks/walled']);
    expect(checks.map(({ id, status }) => [id, status])).toEqual([
      ['hook:gone', 'fail'],
      ['hook:walled', 'fail'],
    ]);
    expect(await hookChecks(from(url), ['a'])).toMatchObject([{ status: 'ok' }]);
    expect(await hookChecks(from(url), [])).toEqual([]);
  });

  it('compares clocks and versions', () => {
    const now = Date.now();
    const at = (ms: number) => clockCheck({ now: new Date(now + ms).toISOString() }, now).status;
    expect([at(0), at(30_000), at(-30_000), at(31_000), at(-600_000)]).toEqual([
      'ok',
      'ok',
      'ok',
      'warn',
      'warn',
    ]);
    const own = { version: '1.1.0', changelog: '' };
    expect(versionCheck({ version: '1.1.0' }, own).status).toBe('ok');
    expect(versionCheck({ version: '1.0.0' }, own).status).toBe('warn');
  });
});

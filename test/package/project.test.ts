import { createHmac } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { freePort } from '../../runtime/workerd.ts';
import { eventually } from '../eventually.ts';
import { emptyHome, processesWith, type Home } from './home.ts';

const { hookbell, create } = inject('tarballs');
const MIB = 1_024 * 1_024;

const dependencies = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()),
});

let home: Home;
let work = '';
let project = '';

beforeAll(() => {
  home = emptyHome();
  work = join(home.folder, 'work');
  project = join(work, 'my-relay');
  mkdirSync(work);
});
afterAll(() => home.remove());

/** What was measured, for people. */
const report = (what: string): boolean => process.stdout.write(`  ${what}\n`);

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

/** Signed as Stripe signs. */
async function postPayment(url: string, secret: string): Promise<Response> {
  const created = Math.floor(Date.now() / 1_000);
  const session = {
    id: `cs_test_${created}`,
    object: 'checkout.session',
    amount_total: 12_950,
    currency: 'eur',
    payment_status: 'paid',
    customer_details: { name: 'Zoë Schmidt', email: 'zoe@example.com', phone: '+4915187654399' },
  };
  const event = {
    id: `evt_${created}`,
    object: 'event',
    type: 'checkout.session.completed',
    created,
    data: { object: session },
  };
  const body = JSON.stringify(event);
  const signature = createHmac('sha256', secret).update(`${created}.${body}`).digest('hex');
  return fetch(`${url}/hooks/stripe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': `t=${created},v1=${signature}` },
    body,
  });
}

// One after another: each goes on with what the one before has made.
describe('a project from the packages, with an empty home and Node 20', () => {
  it('is made by one command, asks nothing with --yes, and has a dozen files', async () => {
    const npmCreate = ['exec', '--yes', `--package=${create}`, '--', 'create-hookbell'];
    const options = [
      'my-relay',
      '--yes',
      `--package=${hookbell}`,
      '--provider',
      'stripe',
      '--to',
      '+49 1512 3456789',
    ];
    const { code, output, seconds } = await home.run(work, 'npm', ...npmCreate, ...options);
    expect(output).toContain('npm run dev');
    expect(code).toBe(0);
    report(
      `create and install: ${seconds.toFixed(1)} s, ${(sizeOf(join(project, 'node_modules')) / MIB).toFixed(0)} MiB in node_modules`,
    );
    const own = readdirSync(project, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
      .map((entry) => join(entry.parentPath, entry.name).slice(project.length + 1));
    const documents = own.filter((file) => file.startsWith('hookbell/') && !file.includes('fixtures'));
    expect(documents.length).toBeGreaterThanOrEqual(2);
    expect(own.filter((file) => !file.startsWith('hookbell/')).sort()).toEqual([
      '.dev.vars.example',
      '.github/dependabot.yml',
      '.github/workflows/hookbell.yml',
      '.gitignore',
      'README.md',
      'package-lock.json',
      'package.json',
      'wrangler.toml',
    ]);
  });

  it('has a hookbell that needs no other package than workerd, and no TypeScript', () => {
    const folder = join(project, 'node_modules', 'hookbell');
    const manifest = dependencies.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
    expect(manifest.dependencies).toEqual({});
    expect(Object.keys(manifest.optionalDependencies)).toEqual(['workerd']);
    const files = readdirSync(folder, { recursive: true }).map(String);
    expect(files.filter((file) => file.endsWith('.ts'))).toEqual([]);
    expect(existsSync(join(folder, 'node_modules'))).toBe(false);
    const packed = statSync(hookbell).size / MIB;
    report(
      `hookbell: ${packed.toFixed(2)} MiB packed, ${(sizeOf(folder) / MIB).toFixed(1)} MiB unpacked; create-hookbell: ${(statSync(create).size / 1_024).toFixed(0)} KiB`,
    );
    expect(packed).toBeLessThanOrEqual(8);
  });

  it('checks its documents', async () => {
    const { code, output, seconds } = await home.run(project, 'npm', 'run', 'check');
    expect(output).toContain('source');
    expect(code).toBe(0);
    report(`check: ${seconds.toFixed(1)} s`);
  });

  it('runs with a simulated phone, on which a signed webhook rings; a signal to npm ends all of it', async () => {
    const [port, phone] = [await freePort(), await freePort()];
    const from = performance.now();
    const dev = home.start(
      project,
      { PORT: String(port), SIMULATOR_PORT: String(phone) },
      'npm',
      'run',
      'dev',
    );
    await eventually(() => expect(dev.output()).toContain('Ctrl-C stops everything.'));
    report(`dev: up after ${((performance.now() - from) / 1_000).toFixed(1)} s`);
    expect(dev.output()).toMatch(/^Published .*hookbell \(1 source/m);
    const { STRIPE_WEBHOOK_SECRET = '' } = parseEnv(readFileSync(join(project, '.dev.vars'), 'utf8'));
    expect((await postPayment(`http://localhost:${port}`, 'whsec_another')).status).toBe(401);
    expect((await postPayment(`http://localhost:${port}`, STRIPE_WEBHOOK_SECRET)).status).toBe(202);
    await eventually(async () => {
      const calls = await (await fetch(`http://localhost:${phone}/_control/calls`)).text();
      expect(calls).toContain('4915123456789');
      expect(calls).toContain('129');
    });
    const consolePage = await fetch(`http://localhost:${port}/admin`);
    const [, script = ''] = /src="(\/console\/assets\/[^"]+)"/.exec(await consolePage.text()) ?? [];
    const asset = await fetch(`http://localhost:${port}${script}`);
    expect([asset.status, asset.headers.get('content-type')]).toEqual([
      200,
      'text/javascript; charset=utf-8',
    ]);
    expect(processesWith(project)).not.toEqual([]);
    dev.child.kill('SIGTERM');
    await dev.ended;
    await eventually(() => expect(processesWith(project)).toEqual([]));
  });

  it('can be deployed: Wrangler takes the Worker as it is, with its assets and objects', async () => {
    const { code, output, seconds } = await home.run(project, 'npx', 'wrangler', 'deploy', '--dry-run');
    expect(output).toMatch(/env\.OUTBOX \(Outbox/);
    expect(output).toContain('env.CONFIG');
    expect(code).toBe(0);
    report(
      `wrangler deploy --dry-run: ${seconds.toFixed(1)} s; ${/Total Upload: .*/.exec(output)?.[0] ?? ''}`,
    );
  });
});

describe('the package alone in an empty folder', () => {
  it('has the relay, the phone and the demo in one command, which a signal to npx ends', async () => {
    const folder = join(work, 'alone');
    mkdirSync(folder);
    const installed = await home.run(folder, 'npm', 'install', hookbell);
    expect(installed.code).toBe(0);
    const [port, phone] = [await freePort(), await freePort()];
    const dev = home.start(
      folder,
      { PORT: String(port), SIMULATOR_PORT: String(phone) },
      'npx',
      'hookbell',
      'dev',
    );
    await eventually(() => expect(dev.output()).toContain('Ctrl-C stops everything.'));
    expect(dev.output().match(/^ {2}sent /gm)).toHaveLength(8);
    dev.child.kill('SIGTERM');
    await dev.ended;
    await eventually(() => expect(processesWith(folder)).toEqual([]));
  });
});

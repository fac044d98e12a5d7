import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { freePort } from '../../runtime/workerd.ts';
import { eventually } from '../eventually.ts';
import { emptyHome, processesWith, type Home } from './home.ts';
import { NEWS, NEXT, packNext } from './next-version.ts';
import { makeUnreadable, postPayment, startDev, storeVersions } from './running.ts';

const state = z.object({ state: z.string() });
const release = z.object({ newest: z.object({ version: z.string(), changes: z.array(z.string()) }) });

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

/** Prints a measurement, for people. */
const report = (what: string): boolean => process.stdout.write(`  ${what}\n`);

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

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
    for (const file of documents) {
      const [, schema = ''] =
        /^# yaml-language-server: \$schema=(\S+)\n/.exec(readFileSync(join(project, file), 'utf8')) ?? [];
      expect(existsSync(join(project, dirname(file), schema)), file).toBe(true);
    }
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
    const from = performance.now();
    const dev = await startDev(home, project);
    report(`dev: up after ${((performance.now() - from) / 1_000).toFixed(1)} s`);
    expect(dev.output()).toMatch(/^Published .*hookbell \(1 source/m);
    expect((await postPayment(dev.url, 'whsec_another')).status).toBe(401);
    expect((await postPayment(dev.url, dev.secret)).status).toBe(202);
    await eventually(async () => {
      const calls = await (await fetch(`${dev.phoneUrl}/_control/calls`)).text();
      expect(calls).toContain('4915123456789');
      expect(calls).toContain('129');
    });
    const consolePage = await fetch(`${dev.url}/admin`);
    const [, script = ''] = /src="(\/console\/assets\/[^"]+)"/.exec(await consolePage.text()) ?? [];
    const asset = await fetch(dev.url + script);
    expect([asset.status, asset.headers.get('content-type')]).toEqual([
      200,
      'text/javascript; charset=utf-8',
    ]);
    expect((await fetch(`${dev.url}/schemas/source.json`)).headers.get('content-type')).toBe(
      'application/json',
    );
    expect(processesWith(project)).not.toEqual([]);
    await dev.stop();
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

/** Few seconds between attempts, so that a test need not wait, and a circuit that stays closed. */
const ACCOUNT = `rate: { per_minute: 600, burst: 10 }
per_recipient: { per_hour: 1000 }
retry: [${Array.from({ length: 40 }, () => '1s').join(', ')}]
circuit: { failures: 1000, probe: 1s }
`;

const install = async (spec: string): Promise<void> => {
  const { code, output } = await home.run(project, 'npm', 'install', spec);
  expect(code, output).toBe(0);
};

describe('an upgrade of the package, with messages that wait', () => {
  it('loses nothing, and neither does the way back, though the newer version has changed the tables', async () => {
    mkdirSync(join(project, 'hookbell/accounts'), { recursive: true });
    writeFileSync(join(project, 'hookbell/accounts/default.yaml'), ACCOUNT);
    const next = await packNext(hookbell);

    let dev = await startDev(home, project);
    await dev.breakGateway();
    const before = [...(await dev.post()), ...(await dev.post()), ...(await dev.post())];
    // The newer command line says what the relay that runs does not have yet.
    await install(next);
    const env = { HOOKBELL_URL: dev.url, HOOKBELL_TOKEN: 'demo-admin-token' };
    const doctor = home.start(project, env, 'npx', 'hookbell', 'doctor', '--no-probe', '--json');
    await doctor.ended;
    expect(doctor.output()).toContain(`older than this hookbell, ${NEXT}. New since then: ${NEWS}`);
    // The console of the older relay shows it.
    const { newest } = release.parse(await dev.admin('/release'));
    expect(newest.version).toBe(NEXT);
    expect(newest.changes).toContain(NEWS);
    await dev.stop();
    const [version = 0] = storeVersions(project);

    dev = await startDev(home, project);
    expect(z.object({ version: z.string() }).parse(await dev.admin('/doctor')).version).toBe(NEXT);
    await eventually(async () => expect(await dev.rang()).toBe(before.length));
    expect(storeVersions(project)).toContain(version + 1);
    await dev.breakGateway();
    const after = [...(await dev.post()), ...(await dev.post())];
    await dev.stop();

    await install(hookbell);
    dev = await startDev(home, project);
    await eventually(async () => expect(await dev.rang()).toBe(after.length));
    for (const id of [...before, ...after])
      expect(state.parse(await dev.admin(`/messages/${id}`)).state, id).toBe('sent');
    await dev.stop();
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

  it('says in one line that a newer hookbell has changed the store, and what to do', async () => {
    const folder = join(work, 'alone');
    makeUnreadable(folder);
    const [port, phone] = [await freePort(), await freePort()];
    const env = { PORT: String(port), SIMULATOR_PORT: String(phone) };
    const dev = home.start(folder, env, 'npx', 'hookbell', 'dev');
    expect(await dev.ended).toBe(1);
    expect(dev.output()).toMatch(
      /^hookbell: a newer hookbell has changed the store in \.wrangler.*npm install hookbell@latest.*$/m,
    );
    await eventually(() => expect(processesWith(folder)).toEqual([]));
  });
});

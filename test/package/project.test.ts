import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { freePort } from '../../cli/dev/workerd/workerd.ts';
import { eventually } from '../eventually.ts';
import { emptyHome, processesWith, type Home } from './home.ts';
import { NEWS, NEXT, packNext } from './next-version.ts';
import { makeUnreadable, postPayment, startDev } from './running.ts';

const state = z.object({ state: z.string() });

const { hookbell, create } = inject('tarballs');

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

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((file) => !/^(?:node_modules|\.git)\//.test(file));

// One after another: each goes on with what the one before has made.
describe('a project from the packages, with an empty home and Node 20', () => {
  it('is made by one command, asks nothing with --yes, and has a dozen files', async () => {
    const npmCreate = ['exec', '--yes', `--package=${create}`, '--', 'create-hookbell'];
    const answers = ['--provider', 'stripe', '--to', '+49 1512 3456789'];
    const made = await home.run(
      work,
      'npm',
      ...npmCreate,
      'my-relay',
      '--yes',
      `--package=${hookbell}`,
      ...answers,
    );
    expect(made).toContain('npm run dev');
    const own = filesIn(project);
    const documents = own.filter((file) => file.startsWith('hookbell/') && !file.includes('fixtures'));
    expect(documents.length).toBeGreaterThanOrEqual(2);
    for (const file of documents) {
      const text = readFileSync(join(project, file), 'utf8');
      const [, schema = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
      expect(existsSync(join(project, dirname(file), schema)), file).toBe(true);
    }
    expect(own.filter((file) => !file.startsWith('hookbell/')).sort()).toEqual([
      '.dev.vars.example',
      '.github/dependabot.yml',
      '.github/workflows/hookbell.yml',
      '.gitignore',
      'README.md',
      basename(hookbell),
      'package-lock.json',
      'package.json',
      'wrangler.toml',
    ]);
  });

  it('has a hookbell that needs no other package than workerd, and no TypeScript, and is at most 8 MiB', () => {
    const folder = join(project, 'node_modules', 'hookbell');
    const manifest = dependencies.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
    expect(manifest.dependencies).toEqual({});
    expect(Object.keys(manifest.optionalDependencies)).toEqual(['workerd']);
    expect(filesIn(folder).filter((file) => file.endsWith('.ts'))).toEqual([]);
    expect(existsSync(join(folder, 'node_modules'))).toBe(false);
    expect(statSync(hookbell).size).toBeLessThanOrEqual(8 * 1_024 * 1_024);
  });

  it('runs with a simulated phone, on which a signed webhook rings; a signal to npm ends all of it', async () => {
    const dev = await startDev(home, project);
    expect(dev.output()).toMatch(/^Published .*hookbell \(1 source/m);
    expect((await postPayment(dev.url, 'whsec_another')).status).toBe(401);
    expect((await postPayment(dev.url, dev.secret)).status).toBe(202);
    await eventually(async () => {
      const calls = await (await fetch(`${dev.phoneUrl}/_control/calls`)).text();
      expect(calls).toContain('4915123456789');
      expect(calls).toContain('129');
    });
    const consolePage = await (await fetch(`${dev.url}/admin`)).text();
    const [, script = ''] = /src="(\/console\/assets\/[^"]+)"/.exec(consolePage) ?? [];
    const typeOf = async (path: string) => (await fetch(dev.url + path)).headers.get('content-type');
    expect(await typeOf(script)).toBe('text/javascript; charset=utf-8');
    expect(await typeOf('/schemas/source.json')).toBe('application/json');
    expect(processesWith(project)).not.toEqual([]);
    await dev.stop();
  });
});

/** Few seconds between attempts, so that a test need not wait, and a circuit that stays closed. */
const ACCOUNT = `rate: { per_minute: 600, burst: 10 }
per_recipient: { per_hour: 1000 }
retry: [${Array.from({ length: 40 }, () => '1s').join(', ')}]
circuit: { failures: 1000, probe: 1s }
`;

const install = (spec: string): Promise<unknown> => home.run(project, 'npm', 'install', spec);

describe('an upgrade of the package, with messages that wait', () => {
  it('loses nothing, and neither does the way back', async () => {
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
    await dev.stop();

    dev = await startDev(home, project);
    expect(z.object({ version: z.string() }).parse(await dev.admin('/doctor')).version).toBe(NEXT);
    await eventually(async () => expect(await dev.rang()).toBe(before.length));
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

const dev = async (folder: string) => {
  const env = { PORT: String(await freePort()), SIMULATOR_PORT: String(await freePort()) };
  return home.start(folder, env, 'npx', 'hookbell', 'dev');
};

describe('the package alone in an empty folder', () => {
  it('has the relay, the phone and the demo in one command, which a signal to npx ends', async () => {
    const folder = join(work, 'alone');
    mkdirSync(folder);
    await home.run(folder, 'npm', 'install', hookbell);
    const { child, output, ended } = await dev(folder);
    await eventually(() => expect(output()).toContain('Ctrl-C stops everything.'));
    expect(output().match(/^ {2}sent /gm)).toHaveLength(8);
    child.kill('SIGTERM');
    await ended;
    await eventually(() => expect(processesWith(folder)).toEqual([]));
  });

  it('says in one line that another hookbell has made the store, and what to do', async () => {
    const folder = join(work, 'alone');
    makeUnreadable(folder);
    const { output, ended } = await dev(folder);
    expect(await ended).toBe(1);
    expect(output()).toMatch(
      /^hookbell: the store in \.wrangler is not of this hookbell \(.*version 900, .*\): start with an empty store.*$/m,
    );
    await eventually(() => expect(processesWith(folder)).toEqual([]));
  });
});

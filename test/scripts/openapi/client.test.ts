import { execFile } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import generateSource from 'oazapfts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../../../cli/built.ts';
import { OPENAPI_FILE } from '../../../api-docs/document.ts';
import { startDevRelay } from '../../../cli/dev/relay.ts';
import { devRelayClock } from '../../clock/processes.ts';
import { startSimulator, type Simulator } from '../../../simulator/simulator.ts';
import { freePort } from '../../../cli/dev/workerd/workerd.ts';

/** It is passed on to the letter, through no shell. */
const TOKEN = `admin-token-in-no-argv-it's-$HOME-\\$x#"`;
const LOGIN = { email: 'relay@example.com', apiKey: 'gateway-key-in-no-argv' };
const run = promisify(execFile);

let folder: string;
let simulator: Simulator;
let relay: Awaited<ReturnType<typeof startDevRelay>>;

/** As strict as a careful person's. */
const TSCONFIG = {
  compilerOptions: {
    target: 'es2024',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: ['node'],
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    skipLibCheck: true,
  },
  include: ['program.ts'],
};

beforeAll(async () => {
  // Within the project, so that the client finds its runtime.
  mkdirSync(join(ROOT, '.wrangler'), { recursive: true });
  folder = mkdtempSync(join(ROOT, '.wrangler/client-'));
  const source = await generateSource(join(ROOT, OPENAPI_FILE), { useUnknown: true });
  writeFileSync(join(folder, 'client.ts'), source);
  copyFileSync(join(import.meta.dirname, 'program.ts.txt'), join(folder, 'program.ts'));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  simulator = await startSimulator({ port: 0, credentials: LOGIN });
  const { vars, ...clock } = await devRelayClock(folder);
  relay = await startDevRelay({
    ...clock,
    port: await freePort(),
    storeDir: join(folder, 'state'),
    logFile: join(folder, 'relay.log'),
    vars: {
      GATEWAY_BASE_URL: `${simulator.url}/api`,
      GATEWAY_EMAIL: LOGIN.email,
      GATEWAY_API_KEY: LOGIN.apiKey,
      ADMIN_TOKEN: TOKEN,
      ...vars,
    },
  });
});

afterAll(async () => {
  await relay.stop();
  await simulator.close();
  rmSync(folder, { recursive: true, force: true });
});

it('a generated client has the types that a program can be checked by', async () => {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  await expect(run(process.execPath, [tsc, '-p', folder])).resolves.toMatchObject({ stdout: '' });
});

it('a generated client drives a running relay, and knows its errors', async () => {
  const env = { ...process.env, RELAY: relay.url, TOKEN };
  const { stdout } = await run(process.execPath, [join(folder, 'program.ts')], { env });
  expect(JSON.parse(stdout)).toMatchObject({
    checked: { dry_run: true },
    version: 1,
    ids: ['forms'],
    would: [{ message: 'Hi Ada' }],
    events: ['routed'],
    sent: 'sent',
    via: 'session',
    sessions: [['token', 'editor']],
    messages: expect.arrayContaining(['By hand', 'Hi Ada']) as unknown,
    errors: [
      [401, 'urn:hookbell:problem:unauthorized', null],
      [404, 'urn:hookbell:problem:not-found', null],
      [422, 'urn:hookbell:problem:invalid-configuration', expect.any(String)],
      [412, 'urn:hookbell:problem:precondition-failed', null],
    ],
  });
});

/** Reads a file of a process under /proc; empty once the process has ended. */
function procFile(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return '';
  }
}

/** The command lines of this process and all that it started, with what they started. */
function commandLines(): readonly string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parentOf = new Map(
    pids.map((pid) => [pid, /^PPid:\s+(\d+)/m.exec(procFile(pid, 'status'))?.[1] ?? '']),
  );
  const isOurs = (pid: string): boolean =>
    pid === String(process.pid) || (parentOf.has(pid) && isOurs(parentOf.get(pid) ?? ''));
  return pids.filter(isOurs).map((pid) => procFile(pid, 'cmdline').replaceAll('\0', ' '));
}

it.runIf(process.platform === 'linux')(
  'no process of a relay has a secret in its arguments, nor its log',
  () => {
    const lines = commandLines();
    expect(lines.join('\n')).toContain('workerd');
    const shown = [...lines, readFileSync(join(folder, 'relay.log'), 'utf8')].join('\n');
    for (const secret of [TOKEN, LOGIN.apiKey]) expect(shown).not.toContain(secret);
  },
);

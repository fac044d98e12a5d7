import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import generateSource from 'oazapfts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { FOLDER } from '../../../openapi/files.ts';
import { startRelay, type Relay } from '../../../scripts/relay.ts';
import { relayClock } from '../../clock/processes.ts';
import { startSimulator, type Simulator } from '../../../simulator/simulator.ts';
import { freePort } from './free-port.ts';

const ROOT = join(import.meta.dirname, '../../..');
const TOKEN = 'admin-token-of-the-tests';
const LOGIN = { email: 'relay@example.com', apiKey: 'gateway-key-of-the-tests' };
const run = promisify(execFile);

const output = z.object({
  checked: z.unknown(),
  version: z.number(),
  ids: z.array(z.string()),
  would: z.array(z.record(z.string(), z.string())),
  events: z.array(z.string()),
  sent: z.string(),
  via: z.string(),
  sessions: z.unknown(),
  messages: z.array(z.string()),
  errors: z.array(z.tuple([z.number(), z.string(), z.string().nullable()])),
});

/** A client that a public generator makes of the description, in a program of somebody who knows nothing else. */
describe('a generated client', () => {
  let folder: string;
  let simulator: Simulator;
  let relay: Relay;

  beforeAll(async () => {
    // Within the project, so that the client finds its runtime.
    await mkdir(join(ROOT, '.wrangler'), { recursive: true });
    folder = await mkdtemp(join(ROOT, '.wrangler/client-'));
    const source = await generateSource(join(ROOT, FOLDER, 'openapi.json'), { useUnknown: true });
    await writeFile(join(folder, 'client.ts'), source);
    await copyFile(join(import.meta.dirname, 'program.ts.txt'), join(folder, 'program.ts'));
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    simulator = await startSimulator({ port: 0, credentials: LOGIN });
    const { vars, ...clock } = relayClock();
    relay = await startRelay({
      ...clock,
      port: await freePort(),
      persistTo: join(folder, 'state'),
      logFile: join(folder, 'relay.log'),
      vars: {
        GATEWAY_BASE_URL: `${simulator.url}/api`,
        GATEWAY_EMAIL: LOGIN.email,
        GATEWAY_API_KEY: LOGIN.apiKey,
        ADMIN_TOKEN: TOKEN,
        ...vars,
      },
    });
  }, 90_000);

  afterAll(async () => {
    await relay.stop();
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('has the types that a program can be checked by', { timeout: 60_000 }, async () => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    await expect(run(process.execPath, [tsc, '-p', folder])).resolves.toMatchObject({ stdout: '' });
  });

  it('drives a running relay, and knows its errors', { timeout: 60_000 }, async () => {
    const env = { ...process.env, RELAY: relay.url, TOKEN };
    const { stdout } = await run(process.execPath, [join(folder, 'program.ts')], { env });
    const seen = output.parse(JSON.parse(stdout));
    expect(seen).toMatchObject({
      checked: { dry_run: true },
      version: 1,
      ids: ['forms'],
      would: [{ message: 'Hi Ada' }],
      events: ['routed'],
      sent: 'sent',
      via: 'session',
      sessions: [['token', 'editor']],
    });
    expect(seen.messages.toSorted()).toEqual(['By hand', 'Hi Ada']);
    expect(seen.errors).toEqual([
      [401, 'urn:hookbell:problem:unauthorized', null],
      [404, 'urn:hookbell:problem:not-found', null],
      [422, 'urn:hookbell:problem:invalid-configuration', expect.any(String)],
      [412, 'urn:hookbell:problem:precondition-failed', null],
    ]);
  });
});

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

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { DEMO_SECRETS } from '../../scripts/demo-webhooks.ts';
import { startRelay } from '../../scripts/relay.ts';
import { startSimulator } from '../../simulator/simulator.ts';
import { relayClock } from '../clock/processes.ts';

declare module 'vitest' {
  interface ProvidedContext {
    relayUrl: string;
    phoneUrl: string;
  }
}

/** One relay and one simulated phone for all tests of the command line. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-cli-'));
  const simulator = await startSimulator({ port: 0 });
  const { vars, ...clock } = relayClock();
  const relay = await startRelay({
    port: await freePort(),
    persistTo: join(folder, 'state'),
    logFile: join(folder, 'relay.log'),
    ...clock,
    vars: {
      GATEWAY_BASE_URL: `${simulator.url}/api`,
      GATEWAY_EMAIL: 'relay@example.com',
      GATEWAY_API_KEY: 'gateway-key-of-the-tests',
      ADMIN_TOKEN: 'admin-token-of-the-tests',
      ASANA_HOOK_SECRET: 'asana-hook-secret-of-the-tests',
      ...DEMO_SECRETS,
      ...vars,
    },
  });
  project.provide('relayUrl', relay.url);
  project.provide('phoneUrl', simulator.url);
  return async () => {
    await relay.stop();
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  };
}

function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const server = createServer();
  server.listen(0, 'localhost', () => {
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    server.close(() => resolve(port));
  });
  return promise;
}

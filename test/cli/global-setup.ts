import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { DEMO_SECRETS } from '../../cli/dev/demo.ts';
import { startDevRelay } from '../../cli/dev/relay.ts';
import { startSimulator } from '../../simulator/simulator.ts';
import { devRelayClock } from '../clock/processes.ts';
import { WORKERS } from '../workers.ts';
import { freePort } from '../../cli/dev/workerd/workerd.ts';

/** A relay and a simulated phone, in a file that is there once both are. */
export interface Place {
  readonly relayUrl: string;
  readonly phoneUrl: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The file of the {@link Place} of each of Vitest's workers. */
    places: readonly string[];
  }
}

/** A relay and a simulated phone for each worker: what a file publishes is in force there. */
export default function setup(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-cli-'));
  const files = Array.from({ length: WORKERS }, (_, worker) => join(folder, `${worker}.json`));
  project.provide('places', files);
  const places = startAll(files, folder);
  // It is thrown at the end. Until then, the tests of that worker wait.
  places.catch(() => undefined);
  return async () => {
    await Promise.all((await places).map(({ close }) => close()));
    rmSync(folder, { recursive: true, force: true });
  };
}

async function startAll(files: readonly string[], folder: string): Promise<readonly Started[]> {
  return Promise.all(
    files.map(async (file) => {
      const { close, ...place } = await startPlace(mkdtempSync(join(folder, 'relay-')));
      // Whole, since a worker may be looking for it.
      writeFileSync(`${file}.tmp`, JSON.stringify(place satisfies Place));
      renameSync(`${file}.tmp`, file);
      return { close };
    }),
  );
}

interface Started {
  readonly close: () => Promise<void>;
}

async function startPlace(folder: string): Promise<Place & Started> {
  const simulator = await startSimulator({ port: 0 });
  const { vars, ...clock } = await devRelayClock(folder);
  const relay = await startDevRelay({
    port: await freePort(),
    storeDir: join(folder, 'state'),
    logFile: join(folder, 'relay.log'),
    ...clock,
    vars: {
      PUBLIC_URL: 'https://hooks.example.com',
      GATEWAY_BASE_URL: `${simulator.url}/api`,
      GATEWAY_STAND_INS: `${simulator.url}/makers`,
      GATEWAY_EMAIL: 'relay@example.com',
      GATEWAY_API_KEY: 'gateway-key-of-the-tests',
      ADMIN_TOKEN: 'admin-token-of-the-tests',
      ASANA_HOOK_SECRET: 'asana-hook-secret-of-the-tests',
      CONTACT_FORM_TOKEN: 'contact-form-token-of-the-tests',
      ...DEMO_SECRETS,
      ...vars,
    },
  });
  return {
    relayUrl: relay.url,
    phoneUrl: simulator.url,
    close: async () => {
      await relay.stop();
      await simulator.close();
    },
  };
}

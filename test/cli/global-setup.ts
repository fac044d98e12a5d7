import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { DEMO_SECRETS } from '../../cli/dev/demo-webhooks.ts';
import { startRelay } from '../../scripts/relay.ts';
import { startSimulator } from '../../simulator/simulator.ts';
import { relayClock } from '../clock/processes.ts';
import { freePort } from '../scripts/openapi/free-port.ts';

/** How many files run at once: each has a relay and a phone for itself, and what it publishes is in force. */
export const WORKERS = 2;

interface Place {
  readonly relayUrl: string;
  readonly phoneUrl: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** One for each of Vitest's workers. */
    places: readonly Place[];
  }
}

/** A relay and a simulated phone for each worker. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const places: Awaited<ReturnType<typeof startPlace>>[] = [];
  // One after another: two Wranglers that start at once take the same port for a socket of their own.
  for (let worker = 0; worker < WORKERS; worker += 1) places.push(await startPlace());
  project.provide(
    'places',
    places.map(({ relayUrl, phoneUrl }) => ({ relayUrl, phoneUrl })),
  );
  return async () => {
    await Promise.all(places.map(({ close }) => close()));
  };
}

async function startPlace(): Promise<Place & { readonly close: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-cli-'));
  const simulator = await startSimulator({ port: 0 });
  const { vars, ...clock } = relayClock();
  const relay = await startRelay({
    port: await freePort(),
    persistTo: join(folder, 'state'),
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
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

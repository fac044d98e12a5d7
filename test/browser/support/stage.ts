import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startSimulator } from '../../../simulator/simulator.ts';
import { adminApi, type AdminApi } from '../../admin-api.ts';
import { startDevRelay } from '../../../cli/dev/relay.ts';
import { freePort } from '../../../cli/dev/workerd/workerd.ts';
import { startChromium } from '../../../scripts/chromium.ts';

export type Role = 'viewer' | 'operator' | 'editor';

/** The secret that Stripe's webhooks are signed with. The starter of the gallery names it so. */
export const STRIPE_SECRET = 'whsec_secret_of_the_browser_tests';

/** A relay, the simulated gateway and a browser, as a person has them. */
export interface Stage {
  readonly url: string;
  readonly phoneUrl: string;
  readonly browser: Browser;
  readonly tokenOf: (role: Role) => string;
  readonly admin: AdminApi;
  /** Sets the gateway's answers to its next calls. */
  readonly script: (steps: readonly object[], repeat?: boolean) => Promise<void>;
  /** Restarts the relay on the same store with another admin token. */
  readonly rotate: () => Promise<void>;
  /** Restarts the relay on the same store with one secret more. */
  readonly setSecret: (name: string, value: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function startStage(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-browser-'));
  const [simulator, port, browser] = await Promise.all([
    startSimulator({ port: 0 }),
    freePort(),
    startChromium(),
  ]);
  let turn = 1;
  const secrets: Record<string, string> = { STRIPE_WEBHOOK_SECRET: STRIPE_SECRET };
  const tokenOf = (role: Role): string =>
    role === 'editor' ? `admin-token-of-the-browser-tests-${turn}` : `${role}-token-of-the-browser-tests`;
  const start = (): ReturnType<typeof startDevRelay> =>
    startDevRelay({
      port,
      storeDir: join(folder, 'state'),
      logFile: join(folder, 'relay.log'),
      vars: {
        PUBLIC_URL: `http://localhost:${port}`,
        GATEWAY_BASE_URL: `${simulator.url}/api`,
        GATEWAY_EMAIL: 'relay@example.com',
        GATEWAY_API_KEY: 'gateway-key-of-the-tests',
        GATEWAY_SECOND_EMAIL: 'second@example.com',
        GATEWAY_SECOND_API_KEY: 'gateway-key-of-the-second',
        ADMIN_TOKEN: tokenOf('editor'),
        OPERATOR_TOKEN: tokenOf('operator'),
        VIEWER_TOKEN: tokenOf('viewer'),
        ...secrets,
      },
    });
  let relay = await start();
  const { url } = relay;
  return {
    url,
    phoneUrl: simulator.url,
    browser,
    tokenOf,
    admin: (...call) => adminApi(url, tokenOf('editor'))(...call),
    script: async (steps, repeat = false) => {
      const answer = await fetch(`${simulator.url}/_control/script`, {
        method: 'PUT',
        body: JSON.stringify({ steps, repeat }),
      });
      if (!answer.ok) throw new Error(`simulator: ${answer.status} ${await answer.text()}`);
    },
    rotate: async () => {
      await relay.stop();
      turn += 1;
      relay = await start();
    },
    setSecret: async (name, value) => {
      await relay.stop();
      secrets[name] = value;
      relay = await start();
    },
    close: async () => {
      await browser.close();
      await relay.stop();
      await simulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { adminApi } from '../cli/dev/admin-api.ts';
import { DEMO_LOGIN, demoVars } from '../cli/dev/demo-vars.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { startChromium } from './chromium.ts';
import { startRelay } from './relay.ts';

const PICTURES = join(import.meta.dirname, '../docs/images');
const [ANNA, BEN] = ['4915112345678', '4915187654321'] as const;
/** The gateway has a message within seconds. */
const LOOKS = 500;

/** A question to two people. */
const REFUNDS = {
  verify: { scheme: 'none' },
  locale: 'en-GB',
  timezone: 'Europe/Berlin',
  routes: [
    {
      name: 'ask',
      when: 'event.type == blank',
      to: ['owners'],
      actions: { approve: { label: 'Refund €240.00' } },
      send: {
        kind: 'text',
        message: '€240.00 back for order 1042: it came broken.\n\nRefund: {{ actions.approve.url }}',
      },
    },
  ],
};

/** Takes the pictures of the pages of a link for docs/answers.md. Needs Chromium on the machine. */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-pictures-'));
  const simulator = await startSimulator({ port: 0, credentials: DEMO_LOGIN });
  const demo = demoVars({}, '', simulator.url);
  const port = Number(process.env['PORT'] ?? 8787);
  const relay = await startRelay({
    port,
    persistTo: join(folder, 'state'),
    logFile: join(folder, 'relay.log'),
    vars: { ...demo.vars, PUBLIC_URL: `http://localhost:${port}` },
  });
  const browser = await startChromium();
  try {
    const admin = adminApi(relay.url, demo.adminToken);
    await admin('PUT', '/recipients/owners', { people: { Anna: ANNA, Ben: BEN } });
    await admin('PUT', '/sources/refunds', REFUNDS);
    const headers = { 'content-type': 'application/json' };
    await fetch(`${relay.url}/hooks/refunds`, { method: 'POST', headers, body: '{}' });
    const [annas, bens] = [await linkTo(simulator.url, ANNA), await linkTo(simulator.url, BEN)];
    mkdirSync(PICTURES, { recursive: true });
    await take(browser, annas, 'press-question');
    await take(browser, annas, 'press-done', true);
    await take(browser, bens, 'press-answered');
  } finally {
    await browser.close();
    await relay.stop();
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The link that a phone got. */
async function linkTo(simulatorUrl: string, phone: string): Promise<string> {
  for (let look = 0; look < LOOKS; look += 1) {
    const answer = await fetch(`${simulatorUrl}/_control/calls?phone=${phone}`);
    const [link] = (await answer.text()).match(/http:\/\/[\w.:]+\/a\/[0-9a-z]{24}/) ?? [];
    if (link !== undefined) return link;
    await sleep(20);
  }
  throw new Error(`${phone} got no link`);
}

async function take(browser: Browser, link: string, name: string, isPressed = false): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 460 },
    colorScheme: 'light',
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  });
  const page = await context.newPage();
  await page.goto(link);
  if (isPressed) {
    await page.getByRole('button').tap();
    await page.getByRole('heading', { name: 'Done' }).waitFor();
  }
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
  await context.close();
}

await main();

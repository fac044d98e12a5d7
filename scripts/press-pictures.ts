import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { parse } from 'yaml';
import { adminApi } from '../cli/dev/admin-api.ts';
import { DEMO_LOGIN, demoVars } from '../cli/dev/demo-vars.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { startChromium } from './chromium.ts';
import { startRelay } from './relay.ts';

const PICTURES = join(import.meta.dirname, '../docs/images');
const ALERTS = join(import.meta.dirname, '../examples/recipes/on-call/templates/alerts.yaml');
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

const alert = (fault: string, instance: string) => ({
  fingerprint: `${fault} ${instance}`,
  labels: { alertname: fault, service: 'checkout', instance },
  annotations: { summary: `${fault} on ${instance}` },
});
const PAYMENTS = [
  { paid: 12_900, name: 'Zoë Schmidt', what: 'Order 1042: two lamps' },
  { paid: 4_550, name: 'Ada Lovelace', what: 'Order 1043: a kettle' },
  { paid: 124_000, name: 'Grace Hopper', what: 'Order 1044: a table, six chairs' },
];
const STORM = ['web-1', 'web-2', 'web-3', 'db-1'].flatMap((at) =>
  ['High error rate', 'Slow requests', 'Queue grows'].map((fault) => alert(fault, at)),
);

/** Payments to Anna; and a storm to both, in the words of the recipe for people on call. */
const SHOP = {
  ...REFUNDS,
  routes: [
    {
      name: 'paid',
      when: 'payload.paid',
      to: ANNA,
      send: {
        kind: 'text',
        message: '💶 {{ payload.name }} paid *{{ payload.paid | money: "EUR" }}*\n{{ payload.what }}',
      },
    },
    {
      name: 'storm',
      each: 'payload.alerts',
      to: ['owners'],
      incident: { key: '{{ item.fingerprint }}', resolved: 'payload.is_over' },
      group: { by: ['{{ item.labels.service }}'], wait: '1s', interval: '1s' },
      actions: { ack: {} },
      template: 'alerts',
    },
  ],
};

/** Takes the pictures of phones for the README, and of the pages of a link for docs/answers.md. Needs Chromium on the machine. */
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
    await admin(
      'PUT',
      '/templates/alerts',
      parse(readFileSync(ALERTS, 'utf8').replace(/\n.*silence_4h.*(?={%)/, '')),
    );
    await admin('PUT', '/sources/shop', SHOP);
    const post = (source: string, payload: object) =>
      fetch(`${relay.url}/hooks/${source}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(payload),
      });
    mkdirSync(PICTURES, { recursive: true });
    for (const payment of PAYMENTS) await post('shop', payment);
    await takePhone(browser, simulator.url, 'payment', 'Order 1044');
    await post('shop', { alerts: STORM });
    await press(browser, await linkTo(simulator.url, BEN));
    await takePhone(browser, simulator.url, 'storm', 'Ben has it');
    await fetch(`${simulator.url}/_control/calls`, { method: 'DELETE' });
    await post('refunds', {});
    const [annas, bens] = [await linkTo(simulator.url, ANNA), await linkTo(simulator.url, BEN)];
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

const PHONE = { colorScheme: 'light', deviceScaleFactor: 2, isMobile: true, hasTouch: true } as const;

async function take(browser: Browser, link: string, name: string, isPressed = false): Promise<void> {
  const context = await browser.newContext({ ...PHONE, viewport: { width: 390, height: 460 } });
  const page = await context.newPage();
  await page.goto(link);
  if (isPressed) {
    await page.getByRole('button').tap();
    await page.getByRole('heading', { name: 'Done' }).waitFor();
  }
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
  await context.close();
}

async function press(browser: Browser, link: string): Promise<void> {
  const page = await browser.newPage();
  await page.goto(link);
  await page.getByRole('button').first().click();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await page.close();
}

/** Anna's phone, once it shows these words. */
async function takePhone(browser: Browser, simulator: string, name: string, words: string): Promise<void> {
  const context = await browser.newContext({ ...PHONE, viewport: { width: 390, height: 620 } });
  const page = await context.newPage();
  await page.goto(`${simulator}/#${ANNA}`);
  await page.getByText(words).last().waitFor();
  await page.screenshot({ path: join(PICTURES, `phone-${name}.png`) });
  await context.close();
}

await main();

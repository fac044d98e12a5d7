import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { startSimulator } from '../simulator/simulator.ts';
import { adminApi, type AdminApi } from '../cli/dev/admin-api.ts';
import { startChromium } from './chromium.ts';
import { readSet } from '../cli/dev/demo-config.ts';
import { PAGE_PATH, pageOrigins, withOrigins } from '../cli/dev/demo-page.ts';
import { publishDemo } from '../cli/dev/demo-store.ts';
import { DEMO_LOGIN, demoVars } from '../cli/dev/demo-vars.ts';
import { demoWebhooks, type DemoWebhook } from '../cli/dev/demo-webhooks.ts';
import { startRelay } from './relay.ts';

const ROOT = join(import.meta.dirname, '..');
const PICTURES = join(ROOT, 'docs/images');

/** Invented people, who write to an invented shop. */
const VISITORS = [
  ['Amelie Brandt', '01512 3456701', 'Is the walnut desk in stock again? I would take two.'],
  ['Tomasz Nowak', '0664 1234567', 'Can I change the delivery address of order 4711?'],
  ['Lea Fischer', '0151 23456703', 'Wie lange dauert der Versand nach Wien?'],
  ['Ben Okafor', '0176 12345604', 'The lamp arrived with a scratch. What now?'],
] as const;

/** A picture: the page, and the browser that shows it. */
interface Picture {
  readonly name: string;
  readonly path: string;
  readonly width: 1280 | 390;
  readonly height: number;
  readonly colours: 'light' | 'dark';
  readonly ready: (page: Page) => Promise<void>;
}

/** Takes the console's pictures for README and docs, of a relay with invented data. Needs Chromium on the machine. */
async function main(): Promise<void> {
  await import('./console.ts');
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-pictures-'));
  const simulator = await startSimulator({ port: 0, credentials: DEMO_LOGIN });
  const demo = demoVars({}, '', simulator.url);
  const relay = await startRelay({
    port: Number(process.env['PORT'] ?? 8787),
    persistTo: join(folder, 'state'),
    logFile: join(folder, 'relay.log'),
    vars: demo.vars,
  });
  const browser = await startChromium();
  try {
    const admin = adminApi(relay.url, demo.adminToken);
    await publishDemo(admin, withOrigins(readSet(join(ROOT, 'examples/demo')), pageOrigins(simulator.port)));
    const events = await seed(relay.url, simulator.url, admin);
    mkdirSync(PICTURES, { recursive: true });
    for (const picture of picturesOf(events)) await take(browser, relay.url, demo.adminToken, picture);
  } finally {
    await browser.close();
    await relay.stop();
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Posts the webhooks of an afternoon. Some go wrong. Returns the events that the pictures show. */
async function seed(
  url: string,
  simulatorUrl: string,
  admin: AdminApi,
): Promise<{ form: string; payment: string }> {
  const now = new Date();
  const [ofPage, payment, alerts] = demoWebhooks(
    now,
    demoVars({}, '', simulatorUrl).secrets,
    simulatorUrl + PAGE_PATH,
  );
  if (ofPage === undefined || payment === undefined || alerts === undefined) throw new Error('no webhooks');
  // As a script of the page posts it: the answer names the event.
  const form = { ...ofPage, headers: { ...ofPage.headers, accept: 'application/json' } };
  // The gateway does not know the number of one receiver.
  const steps = [{ failure: 'status', status: 422, match: { phone: '4915123456703' } }];
  await fetch(`${simulatorUrl}/_control/script`, { method: 'PUT', body: JSON.stringify({ steps }) });
  for (const [name, phone, message] of VISITORS) {
    const body = new URLSearchParams({ name, email: 'visitor@example.com', phone, message }).toString();
    await post(url, { ...form, body });
  }
  const formId = await post(url, form);
  await post(url, alerts);
  const paymentId = await post(url, payment);
  await untilQuiet(admin);
  // A sender with a wrong secret, and somebody who holds the messages back meanwhile.
  const wrong = { ...payment, headers: { ...payment.headers, 'stripe-signature': 't=1,v1=00' } };
  for (let n = 0; n < 3; n += 1) await post(url, wrong, 401);
  await admin('POST', '/accounts/default/pause');
  await post(url, { ...form, body: form.body.replace('Friday', 'Monday') });
  return { form: formId, payment: paymentId };
}

/** Posts a webhook, and returns the id of its event. */
async function post(url: string, { path, headers, body }: DemoWebhook, expected = 202): Promise<string> {
  const answer = await fetch(url + path, { method: 'POST', headers, body });
  const text = await answer.text();
  if (answer.status !== expected) throw new Error(`${path}: ${answer.status} ${text}`);
  return /evt_\w+/.exec(text)?.[0] ?? '';
}

/** Until nothing is being sent. */
async function untilQuiet(admin: AdminApi): Promise<void> {
  for (;;) {
    const { body } = await admin('GET', '/accounts/default/status');
    if (/"queued":0\b/.test(JSON.stringify(body)) && /"sending":0\b/.test(JSON.stringify(body))) return;
  }
}

const picturesOf = (events: { form: string; payment: string }): readonly Picture[] => [
  {
    name: 'console-now',
    path: '/',
    width: 390,
    height: 844,
    colours: 'dark',
    ready: (page) => page.locator('.now-findings').waitFor(),
  },
  {
    name: 'console-event',
    path: `/events/${events.form}`,
    width: 1280,
    height: 800,
    colours: 'light',
    ready: (page) => page.locator('.bubble').first().waitFor(),
  },
  {
    name: 'console-template',
    path: `/templates/payment-received?event=${events.payment}`,
    width: 1280,
    height: 620,
    colours: 'light',
    ready: async (page) => {
      const editor = page.getByRole('textbox', { name: 'Message' }).first();
      await editor.click();
      await page.keyboard.press('Control+End');
      await page.keyboard.type('\nWe ship {{ payload.created | datetime: "date" }}. ');
      await page.locator('.templates-view').getByText('We ship').waitFor();
    },
  },
  {
    name: 'console-gallery',
    path: '/sources/add',
    width: 1280,
    height: 800,
    colours: 'dark',
    ready: (page) => page.locator('.sources-card').first().waitFor(),
  },
];

async function take(
  browser: Browser,
  url: string,
  token: string,
  { name, path, width, height, colours, ready }: Picture,
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: colours,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    deviceScaleFactor: width === 390 ? 2 : 1,
  });
  const page = await context.newPage();
  await page.goto(`${url}/admin${path === '/' ? '' : path}`);
  await page.getByLabel('Token').fill(token);
  await page.getByLabel('Your name').fill('Ada');
  await page.keyboard.press('Enter');
  await ready(page);
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
  await context.close();
}

await main();

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { parse } from 'yaml';
import { startSimulator } from '../simulator/simulator.ts';
import * as z from 'zod';
import { createClient, type Client } from '../cli/client.ts';
import { must } from '../cli/failure.ts';
import { accountStatus } from '../cli/relay/shapes.ts';
import { ok } from '../src/lib/result.ts';
import {
  readSet,
  publishDemo,
  PAGE_PATH,
  pageOrigins,
  withOrigins,
  DEMO_LOGIN,
  demoVars,
  demoWebhooks,
  type DemoWebhook,
} from '../cli/dev/demo.ts';
import { startDevRelay } from '../cli/dev/relay.ts';
import { freePort } from '../cli/dev/workerd/workerd.ts';
import { startChromium } from './chromium.ts';

const ROOT = join(import.meta.dirname, '..');
const PICTURES = join(ROOT, 'docs/images');

interface Stage {
  readonly client: Client;
  readonly simulatorUrl: string;
  readonly token: string;
  readonly browser: Browser;
}

/** Of README and docs. Needs Chromium on the machine. */
async function main(): Promise<void> {
  await import('./console.ts');
  await import('./worker.ts');
  mkdirSync(PICTURES, { recursive: true });
  await onStage(takeConsole);
  await onStage(takePhones);
}

async function onStage(take: (stage: Stage) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-pictures-'));
  const simulator = await startSimulator({ port: 0, credentials: DEMO_LOGIN });
  const { vars, adminToken: token } = demoVars({}, '', simulator.url);
  const port = await freePort();
  const relay = await startDevRelay({
    port,
    storeDir: join(folder, 'state'),
    logFile: join(folder, 'relay.log'),
    vars: { ...vars, PUBLIC_URL: `http://localhost:${port}` },
  });
  const browser = await startChromium();
  try {
    const client = createClient(() => ok({ url: relay.url, token }));
    await take({ client, simulatorUrl: simulator.url, token, browser });
  } finally {
    await browser.close();
    await relay.stop();
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function takeConsole({ client, simulatorUrl, token, browser }: Stage): Promise<void> {
  const demo = readSet(join(ROOT, 'examples/demo'));
  await publishDemo(client, withOrigins(demo, pageOrigins(Number(new URL(simulatorUrl).port))));
  const events = await seed(client, simulatorUrl);
  const takePage = (
    name: string,
    path: string,
    [width, height]: readonly [number, number],
    colorScheme: 'light' | 'dark',
    ready: (page: Page) => Promise<void>,
  ): Promise<void> => {
    const options = {
      viewport: { width, height },
      colorScheme,
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
      deviceScaleFactor: width < 500 ? 2 : 1,
    } as const;
    return take(browser, `console-${name}`, `${client.url}/admin${path}`, options, async (page) => {
      await page.getByLabel('Token').fill(token);
      await page.getByLabel('Your name').fill('Ada');
      await page.keyboard.press('Enter');
      await ready(page);
      await page.waitForLoadState('networkidle');
    });
  };
  await takePage('now', '', [390, 844], 'dark', (page) => page.locator('.now-findings').waitFor());
  await takePage('event', `/events/${events.form}`, [1280, 800], 'light', (page) =>
    page.locator('.bubble').first().waitFor(),
  );
  const template = `/templates/payment-received?event=${events.payment}`;
  await takePage('template', template, [1280, 620], 'light', async (page) => {
    await page.getByRole('textbox', { name: 'Message' }).first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\nWe ship {{ payload.created | datetime: "date" }}. ');
    await page.locator('.templates-view').getByText('We ship').waitFor();
  });
  await takePage('gallery', '/sources/add', [1280, 800], 'dark', (page) =>
    page.locator('.sources-card').first().waitFor(),
  );
}

/** Takes the picture of a page, once it is ready. */
async function take(
  browser: Browser,
  name: string,
  url: string,
  options: BrowserContextOptions,
  ready: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(url);
  await ready(page);
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
  await context.close();
}

const VISITORS = [
  ['Amelie Brandt', '01512 3456701', 'Is the walnut desk in stock again? I would take two.'],
  ['Tomasz Nowak', '0664 1234567', 'Can I change the delivery address of order 4711?'],
  ['Lea Fischer', '0151 23456703', 'Wie lange dauert der Versand nach Wien?'],
  ['Ben Okafor', '0176 12345604', 'The lamp arrived with a scratch. What now?'],
] as const;

/** Posts the webhooks of an afternoon. Some go wrong. Returns the events that the pictures show. */
async function seed(client: Client, simulatorUrl: string): Promise<{ form: string; payment: string }> {
  const { url } = client;
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
  await untilQuiet(client);
  // A sender with a wrong secret, and somebody who holds the messages back meanwhile.
  const wrong = { ...payment, headers: { ...payment.headers, 'stripe-signature': 't=1,v1=00' } };
  for (let n = 0; n < 3; n += 1) await post(url, wrong, 401);
  must(await client.post('/accounts/default/pause', accountStatus));
  await post(url, { ...form, body: form.body.replace('Friday', 'Monday') });
  return { form: formId, payment: paymentId };
}

/** Returns the id of the event. */
async function post(url: string, { path, headers, body }: DemoWebhook, expected = 202): Promise<string> {
  const answer = await fetch(url + path, { method: 'POST', headers, body });
  const text = await answer.text();
  if (answer.status !== expected) throw new Error(`${path}: ${answer.status} ${text}`);
  return /evt_\w+/.exec(text)?.[0] ?? '';
}

async function untilQuiet(client: Client): Promise<void> {
  for (;;) {
    const { queued, sending } = must(await client.get('/accounts/default/status', accountStatus)).data;
    if (queued === 0 && sending === 0) return;
  }
}

const ALERTS = join(ROOT, 'examples/recipes/on-call/templates/alerts.yaml');
const [ANNA, BEN] = ['4915112345678', '4915187654321'] as const;
const LOOKS = 500;

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

async function takePhones({ client, simulatorUrl, browser }: Stage): Promise<void> {
  const documents = {
    'recipients/owners': { people: { Anna: ANNA, Ben: BEN } },
    'sources/refunds': REFUNDS,
    'templates/alerts': parse(readFileSync(ALERTS, 'utf8').replace(/\n.*silence_4h.*(?={%)/, '')) as unknown,
    'sources/shop': SHOP,
  };
  for (const [path, body] of Object.entries(documents))
    must(await client.request('PUT', `/${path}`, z.unknown(), { body }));
  const post = (source: string, payload: object) =>
    fetch(`${client.url}/hooks/${source}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    });
  for (const payment of PAYMENTS) await post('shop', payment);
  await takePhone(browser, simulatorUrl, 'payment', 'Order 1044');
  await post('shop', { alerts: STORM });
  await press(browser, await linkTo(simulatorUrl, BEN));
  await takePhone(browser, simulatorUrl, 'storm', 'Ben has it');
  await fetch(`${simulatorUrl}/_control/calls`, { method: 'DELETE' });
  await post('refunds', {});
  const [annas, bens] = [await linkTo(simulatorUrl, ANNA), await linkTo(simulatorUrl, BEN)];
  await takeLink(browser, annas, 'press-question');
  await takeLink(browser, annas, 'press-done', true);
  await takeLink(browser, bens, 'press-answered');
}

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

const takeLink = (browser: Browser, link: string, name: string, isPressed = false): Promise<void> =>
  take(browser, name, link, { ...PHONE, viewport: { width: 390, height: 460 } }, async (page) => {
    if (!isPressed) return;
    await page.getByRole('button').tap();
    await page.getByRole('heading', { name: 'Done' }).waitFor();
  });

async function press(browser: Browser, link: string): Promise<void> {
  const page = await browser.newPage();
  await page.goto(link);
  await page.getByRole('button').first().click();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await page.close();
}

/** Anna's phone, once it shows these words. */
function takePhone(browser: Browser, simulator: string, name: string, words: string): Promise<void> {
  const options = { ...PHONE, viewport: { width: 390, height: 620 } };
  return take(browser, `phone-${name}`, `${simulator}/#${ANNA}`, options, (page) =>
    page.getByText(words).last().waitFor(),
  );
}

await main();

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import * as z from 'zod';
import { en } from '../../console/texts/en.ts';
import { formHtml } from '../../shared/new-source/form-html.ts';
import { formStarter, readFields, USUAL_FIELDS } from '../../shared/new-source/form-source.ts';
import { violationsOf } from './support/axe.ts';
import { NO_PACE, PHONE, phoneOf, publish, textRoute } from './support/sources.ts';
import type { Stage } from './support/stage.ts';
import { button, test, visit } from './support/test.ts';

/** A website: pages by their paths, on an origin that is not the relay's. */
const pages = new Map<string, string>();
let server: Server;
let site = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const page = pages.get(pathname);
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(page ?? 'nothing');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => void server.close());

const pageOf = (language: string, content: string): string =>
  `<!doctype html><html lang="${language}"><head><title>Contact</title><meta name="viewport" content="width=device-width, initial-scale=1"><style>:root{color-scheme:light dark}</style></head><body><main><h1>Contact</h1>\n${content}\n</main></body></html>`;

/** Publishes a form as `init` makes it, and puts what it prints into pages of the website. */
async function setUp({ admin, url }: Stage, name: string, locale: string): Promise<void> {
  const fields = readFields(USUAL_FIELDS);
  if (!fields.ok) throw new Error(fields.error);
  const owner = textRoute(PHONE, '{{ payload.name | plain }}: {{ payload.message | plain }}', {
    name: 'owner',
  });
  const { source, routes } = formStarter<Parameters<typeof formStarter>[0]>(
    { routes: [owner] },
    site,
    fields.value,
  );
  const document = { provider: 'html-form', ...source, country: 'DE', locale, routes };
  await publish(admin, 'accounts', 'default', NO_PACE);
  await publish(admin, 'sources', name, document);
  const made = formHtml(document, `${url}/hooks/${name}`);
  if (made === null) throw new Error('no HTML');
  const [language = ''] = locale.split('-');
  pages.set(`/${name}`, pageOf(language, made.html));
  pages.set(`/${name}-script`, pageOf(language, `${made.html}\n${made.script}`));
}

const WORDS = {
  'en-GB': {
    send: 'Send',
    thanks: 'Thank you',
    notSent: 'Not sent yet',
    arrived: 'Thank you, your message has arrived.',
    email: 'E-mail address must be a valid e-mail address',
    phone: 'Phone number must be a valid phone number',
  },
  'de-DE': {
    send: 'Senden',
    thanks: 'Vielen Dank',
    notSent: 'Noch nicht abgeschickt',
    arrived: 'Vielen Dank, Ihre Nachricht ist angekommen.',
    email: 'E-Mail-Adresse muss eine gültige E-Mail-Adresse sein',
    phone: 'Telefonnummer muss eine gültige Telefonnummer sein',
  },
} as const;

const field = (page: Page, name: string) => page.locator(`#hookbell-${name}`);

const fill = async (page: Page, message: string): Promise<void> => {
  await field(page, 'name').fill('Ada Lovelace');
  await field(page, 'message').fill(message);
};

/** The browser would not send it: faults that only the relay finds, such as those of an old browser. */
const withoutChecks = (page: Page): Promise<void> =>
  page.locator('form').evaluate((form: HTMLFormElement) => {
    form.noValidate = true;
  });

const gotMessage = async (stage: Stage, text: string): Promise<number> =>
  (await phoneOf(stage, PHONE)).split(text).length - 1;

const SECRET = /token|secret|password/i;

describe.each(['en-GB', 'de-DE'] as const)('A form on another website, in %s', (locale) => {
  const words = WORDS[locale];
  const name = `contact-${locale.slice(0, 2)}`;

  test('without a script: thanks, faults by name, and no secret in the page, its address or its history', async ({
    stage,
  }) => {
    await setUp(stage, name, locale);
    const context = await visit(stage, false);
    const page = await context.newPage();
    const send = page.getByRole('button', { name: words.send });
    const thanks = page.getByRole('heading', { name: words.thanks });
    await page.goto(`${site}/${name}`);
    expect(await page.content()).not.toMatch(SECRET);
    const message = `without a script ${locale}`;
    await fill(page, message);
    await send.click();
    await thanks.waitFor();
    expect(page.url()).toBe(`${stage.url}/hooks/${name}`);
    expect(await page.content()).not.toMatch(SECRET);
    await expect.poll(() => gotMessage(stage, message)).toBe(1);
    // Back, and again: still one message.
    await page.goBack();
    expect(page.url()).toBe(`${site}/${name}`);
    await fill(page, message);
    await send.click();
    await thanks.waitFor();
    expect(await gotMessage(stage, message)).toBe(1);
    await page.getByRole('link').click();
    expect(new URL(page.url()).origin).toBe(site);

    // The copy without checks is served as HTML: no script of the test runs in this browser.
    pages.set(`/${name}-unchecked`, pages.get(`/${name}`)?.replace('<form ', '<form novalidate ') ?? '');
    await page.goto(`${site}/${name}-unchecked`);
    await field(page, 'email').fill('ada');
    await field(page, 'phone').fill('12');
    await send.click();
    await page.getByRole('heading', { name: words.notSent }).waitFor();
    expect(await page.getByRole('listitem').count()).toBe(4);
    const text = await page.locator('main').innerText();
    expect(text).toContain(words.email);
    expect(text).toContain(words.phone);
    // What was written is still there.
    await page.goBack();
    expect(await field(page, 'email').inputValue()).toBe('ada');
    await context.close();
  });

  test('with the script: thanks and faults on the same page, without a violation of WCAG 2.2 AA', async ({
    stage,
  }) => {
    await setUp(stage, name, locale);
    const context = await stage.browser.newContext();
    const page = await context.newPage();
    const send = page.getByRole('button', { name: words.send });
    await page.goto(`${site}/${name}-script`);
    await withoutChecks(page);
    await field(page, 'email').fill('ada');
    await send.click();
    const status = page.getByRole('status');
    await expect.poll(() => status.innerText()).toContain(words.email);
    expect(await violationsOf(page)).toEqual([]);
    const message = `with the script ${locale}`;
    await fill(page, message);
    await field(page, 'email').fill('ada@example.com');
    await send.dblclick();
    await expect.poll(() => status.innerText()).toBe(words.arrived);
    expect(page.url()).toBe(`${site}/${name}-script`);
    await expect.poll(() => gotMessage(stage, message)).toBe(1);

    await page.goto(`${site}/${name}`);
    await withoutChecks(page);
    await send.click();
    await page.getByRole('heading', { name: words.notSent }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    for (const address of [page.url(), `${site}/${name}`]) {
      if (page.url() !== address) await page.goto(address);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    }
    await fill(page, `accessible ${locale}`);
    await send.click();
    await page.getByRole('heading', { name: words.thanks }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await context.close();
  });
});

test('a form on a page that may not send it is refused, and nothing arrives', async ({ stage }) => {
  await setUp(stage, 'contact-en', 'en-GB');
  const context = await stage.browser.newContext();
  const page = await context.newPage();
  // The same server by another name is another origin.
  await page.goto(`${site.replace('127.0.0.1', 'localhost')}/contact-en`);
  await fill(page, 'from elsewhere');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('This form cannot be sent from that page.').waitFor();
  expect(await gotMessage(stage, 'from elsewhere')).toBe(0);
  await context.close();
});

test('a form that was taken for spam is released once, and then sent', async ({ stage, open }) => {
  await setUp(stage, 'contact-en', 'en-GB');
  const message = 'a person with a helpful browser';
  const answer = await fetch(`${stage.url}/hooks/contact-en`, {
    method: 'POST',
    headers: { origin: site, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Ada Lovelace', message, website: 'https://ada.example' }),
  });
  expect(answer.status).toBe(202);
  const { page, goTo } = await open({ as: 'operator' });
  const spam = z.object({ items: z.array(z.object({ n: z.number() })) });
  const newest = async (): Promise<number> =>
    spam.parse((await stage.admin('GET', '/rejections?spam=true&limit=1')).body).items[0]?.n ?? 0;
  await expect.poll(newest).toBeGreaterThan(0);
  await goTo(`/rejections/${await newest()}`);
  await page.getByText(message).waitFor();
  expect(await gotMessage(stage, message)).toBe(0);
  await button(page, en.rejections.release).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(en.rejections.releaseHelp).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  expect(await gotMessage(stage, message)).toBe(0);
  await dialog.getByRole('button', { name: en.rejections.release }).click();
  await page.getByRole('link', { name: en.rejections.released }).click();
  await page.waitForURL(/\/admin\/events\/evt_/);
  await expect.poll(() => gotMessage(stage, message)).toBe(1);
  await page.goBack();
  await page.getByRole('link', { name: en.rejections.released }).waitFor();
  expect(await button(page, en.rejections.release).count()).toBe(0);
});

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { en } from '../../console/texts/en.ts';
import { eventually } from '../eventually.ts';
import { openSource, postWebhook, publish, publishRoutes, textRoute } from './support/sources.ts';
import { button, heading, signIn, signOut, test } from './support/test.ts';

/** Scrolls to the end of what is loaded, frame by frame; gives how many rows were drawn at once. */
const scrollDown = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    let most = 0;
    for (let at = scrollY; at + innerHeight < document.documentElement.scrollHeight - 1;) {
      at += 2_400;
      scrollTo(0, at);
      await new Promise(requestAnimationFrame);
      most = Math.max(most, document.querySelectorAll('.row').length);
    }
    return most;
  });

/** More than one page of a list. */
const COUNT = 120;

test('the first screen asks for each thing once', async ({ stage, open }) => {
  // What has just happened is news, which a page that opens may not have.
  await eventually(async () => expect((await stage.admin('GET', '/tail')).body).toMatchObject({ items: [] }));
  const { page, goTo } = await open();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url().slice(stage.url.length)));
  await goTo('/');
  await heading(page, en.nav.now).waitFor();
  await page.getByRole('region', { name: en.now.needs }).waitFor();
  await page.getByText(en.common.live, { exact: true }).waitFor();
  expect(asked.slice(0, 3)).toEqual([
    '/admin',
    expect.stringMatching(/^\/console\/assets\/index-[\w-]+\.js$/),
    '/admin/api/v1/session',
  ]);
  const once = asked.filter((path) => !path.endsWith('/tail'));
  expect(once).toEqual([...new Set(once)]);
  // Spam is left out by the relay: here it would have taken the place of rejections that need somebody.
  expect(asked).toContain('/admin/api/v1/rejections?limit=100&spam=false');
});

test('the first screen is not calm while a part is missing, and asks again', async ({ open }) => {
  const { page, goTo, watch } = await open();
  let isMissing = true;
  // Other tests may leave more that needs somebody: it is left out.
  const nothing = { items: [], next_cursor: null, sources: {}, accounts: {} };
  await page.route(/\/v1\/(stats|rejections|events|open-incidents)(\?.*)?$/, (route) =>
    route.fulfill({ json: nothing }),
  );
  await page.route(/\/v1\/status$/, (route) =>
    isMissing ? route.fulfill({ status: 503, json: {} }) : route.continue(),
  );
  watch.expectRefusal(503, '/status');
  await goTo('/');
  const needs = page.getByRole('region', { name: en.now.needs });
  await needs.getByRole('alert').waitFor();
  expect(await page.getByText(en.now.calmText).count()).toBe(0);
  isMissing = false;
  await button(page, en.common.again).click();
  await needs.getByRole('alert').waitFor({ state: 'detached' });
});

test('a list names events by subject, and says how many are sent and wait', async ({ stage, open }) => {
  await publish(stage.admin, 'sources', 'listed', {
    ...openSource(),
    subject: '{{ payload.order }} {{ payload.name }}',
    routes: [
      textRoute('+49 1510 0000051', 'Paid', { name: 'owner' }),
      textRoute(['4915100000052', '4915100000053'], 'How was it?', { name: 'later', delay: '1d' }),
      textRoute('{{ payload.phone }}', 'Thanks', { name: 'broken' }),
    ],
  });
  await postWebhook(stage, 'listed', { type: 'order', order: '#1042', name: 'Ada Lovelace' });
  const { page, goTo } = await open();
  await eventually(async () => {
    const { body } = await stage.admin('GET', '/events?source=listed');
    expect(JSON.stringify(body)).toContain('"sent":1');
  });
  await goTo('/events?source=listed');
  const row = page.getByRole('listitem').filter({ hasText: '#1042 Ada Lovelace' });
  await expect.poll(() => row.innerText()).toMatch(/1 sent/);
  expect(await row.innerText()).toMatch(/2 waiting/);
  expect((await row.boundingBox())?.height).toBe(36);
  const heads = (await page.locator('.row-heads').innerText()).split('\n');
  expect(heads.map((head) => head.toLowerCase())).toContain(en.nav.messages.toLowerCase());
  expect(heads.filter((head) => !/^\p{Lu}/u.test(head))).toEqual([]);
});

test('a list is as it was left over Back: its scroll, its rows, and the focus', async ({ stage, open }) => {
  await publish(stage.admin, 'sources', 'long', openSource(undefined, { limit: false }));
  for (let at = 0; at < COUNT; at += 1)
    await postWebhook(stage, 'long', { type: `kind-${at}`, text: String(at) });
  const { page, goTo } = await open();
  await goTo('/events?source=long');
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.getByText(en.common.rows(String(COUNT), false)).waitFor();
  await page.evaluate(() => scrollTo(0, 110 * 36));
  const row = page.getByRole('listitem').filter({ hasText: /kind-8(?!\d)/ });
  await row.getByRole('link').focus();
  const scroll = await page.evaluate(() => scrollY);
  expect(scroll).toBeGreaterThan(2_000);
  const whereItWas = async (): Promise<void> => {
    await heading(page, en.nav.events).waitFor();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(scroll);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('kind-8');
    expect(page.url()).toContain('source=long');
    await page.getByText(en.common.rows(String(COUNT), false)).waitFor();
  };

  await page.keyboard.press('Enter');
  await heading(page, 'kind-8').waitFor();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.getByRole('link', { name: en.common.back }).click();
  await whereItWas();

  await page.keyboard.press('Enter');
  await heading(page, 'kind-8').waitFor();
  await page.goBack();
  await whereItWas();

  await page.keyboard.press('Enter');
  await heading(page, 'kind-8').waitFor();
  await page.keyboard.press('u');
  await whereItWas();
});

test('a list of who has signed out is not shown to the next, even over Back', async ({ stage, open }) => {
  await publish(stage.admin, 'sources', 'left', { ...openSource(), subject: '{{ payload.name }}' });
  await postWebhook(stage, 'left', { type: 'order', name: 'Grace Hopper' });
  const { page, goTo } = await open({ as: null });
  await goTo('/events?source=left');
  await signIn(page, stage.tokenOf('operator'));
  await page.getByText('Grace Hopper').first().waitFor();
  await page.getByRole('link', { name: en.nav.send }).first().click();
  await heading(page, en.send.title).waitFor();
  await signOut(page);
  await signIn(page, stage.tokenOf('viewer'));
  await heading(page, en.send.title).waitFor();

  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/v1/events?*', async (route) => {
    await released;
    await route.continue();
  });
  await page.goBack();
  await heading(page, en.nav.events).waitFor();
  await page.locator('.loading').waitFor();
  expect(await page.getByText('Grace Hopper').count()).toBe(0);
  release();
  await page.getByRole('listitem').filter({ hasText: 'order' }).first().waitFor();
  expect(await page.getByText('Grace Hopper').count()).toBe(0);
});

test('a list draws only the rows that are seen, however many there are', async ({ stage, open }) => {
  // They wait: nothing of it is sent while the others run.
  const route = textRoute('{{ item.phone }}', 'Dear {{ item.name }}', {
    each: 'payload.people',
    delay: '1d',
  });
  await publishRoutes(stage, 'many', [route], { limit: false });
  const people = Array.from({ length: 1_000 }, (_, n) => ({
    phone: `+${4_915_200_000_000 + n}`,
    name: `${n}`,
  }));
  await postWebhook(stage, 'many', { type: 'parcel', people });
  const { page, goTo } = await open();
  await goTo('/messages?source=many');
  const all = page.getByText(en.common.rows('1,000', false));
  let most = 0;
  while (!(await all.isVisible())) most = Math.max(most, await scrollDown(page));
  expect(most).toBeLessThan(100);
});

import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { en } from '../../console/texts/en.ts';
import {
  freeStripeSecret,
  NO_PACE,
  PHONE,
  postStripe,
  postWebhook,
  publish,
  publishRoutes,
  textRoute,
} from './support/sources.ts';
import type { Stage } from './support/stage.ts';
import { focused, heading, test } from './support/test.ts';

/** Goes on with Tab to what has this name, and no further than a page is long. */
async function tabTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  for (let n = 0; n < 150; n += 1) {
    const at = await focused(page);
    if (typeof name === 'string' ? at === name : name.test(at)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${String(name)} is not reached by ${key}`);
}

/** Goes on to what has this name, and presses it. */
async function choose(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  await tabTo(page, name, key);
  await page.keyboard.press('Enter');
}

/** Goes to a page by its keys, and waits for it. */
async function go(page: Page, key: string, title: string): Promise<void> {
  await page.keyboard.press('g');
  await page.keyboard.press(key);
  await heading(page, title).waitFor();
}

async function anIncident(stage: Stage, source: string): Promise<void> {
  await publish(stage.admin, 'accounts', 'default', NO_PACE);
  const incident = { key: '{{ payload.id }}', resolved: 'payload.ok' };
  const routes = [textRoute('4915100000131', '{{ payload.id }}', { incident })];
  await publishRoutes(stage, source, routes);
  await postWebhook(stage, source, { id: `trouble of ${source}` });
  onTestFinished(async () => void (await stage.admin('DELETE', `/sources/${source}`)));
}

/** No pointer is used: a click fails the test. */
async function withoutMouse(page: Page): Promise<void> {
  await page.addInitScript(() => {
    // oxlint-disable-next-line no-console -- heard of
    addEventListener('pointerdown', () => console.error('a pointer was used'));
  });
}

test('without a mouse the first source is set up, and its webhook is seen', async ({ stage, open }) => {
  await publish(stage.admin, 'accounts', 'default', NO_PACE);
  await freeStripeSecret(stage);
  const { page, goTo } = await open();
  await withoutMouse(page);
  await goTo('/');
  const { keyboard } = page;
  await go(page, 's', en.nav.sources);
  await choose(page, en.sources.add);
  await heading(page, en.sources.add).waitFor();
  await expect.poll(() => focused(page)).toBe(en.sources.searchProviders);
  await keyboard.type('stripe');
  await page.getByRole('link', { name: 'Stripe' }).waitFor();
  await choose(page, /Stripe$/);
  await heading(page, en.sources.addOne('Stripe')).waitFor();
  await tabTo(page, en.common.name);
  await keyboard.press('Control+a');
  await keyboard.type('typed-stripe');
  await tabTo(page, en.common.numbers);
  await keyboard.type('+49 151 00000132');
  await page.getByText(en.sources.readAs('+4915100000132')).waitFor();
  await choose(page, en.sources.publish);
  await heading(page, 'typed-stripe').waitFor();
  await page.getByRole('heading', { level: 2, name: en.sources.waiting }).waitFor();
  await postStripe(stage, 'typed-stripe', 'typed');
  await page.getByText(en.sources.works).waitFor();
  await choose(page, en.sources.openEvent);
  await page.getByRole('heading', { level: 1, name: /Zoë Schmidt/ }).waitFor();
});

test('without a mouse a source is silenced, and an incident resolved', async ({ stage, open }) => {
  await anIncident(stage, 'keyed');
  const { page, goTo } = await open({ as: 'operator' });
  await withoutMouse(page);
  await goTo('/incidents?source=keyed');
  const { keyboard } = page;
  await choose(page, en.silences.silence);
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^Matches 1 of /).waitFor();
  await choose(page, en.silences.hour);
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('trouble of keyed').first().waitFor();
  await keyboard.press('j');
  await expect.poll(() => focused(page)).toContain('trouble of keyed');
  await keyboard.press('Enter');
  await heading(page, 'trouble of keyed').waitFor();
  await choose(page, en.incidents.resolve);
  await dialog.waitFor();
  await choose(page, /^Resolve and notify|^Mark as resolved$/);
  await page.getByText(en.incidents.resolved).waitFor();
});

test('without a mouse a template is edited and published, with a note', async ({ stage, open }) => {
  await publish(stage.admin, 'templates', 'typed', { kind: 'text', message: 'Before' });
  await publishRoutes(stage, 'typed-text', [{ name: 'all', to: PHONE, template: 'typed' }]);
  onTestFinished(async () => void (await stage.admin('DELETE', '/sources/typed-text')));
  await postWebhook(stage, 'typed-text', { type: 'order' });
  const { page, goTo } = await open();
  await withoutMouse(page);
  await goTo('/');
  const { keyboard } = page;
  await go(page, 't', en.nav.templates);
  await choose(page, /^typed(?!-)/);
  await heading(page, 'typed').waitFor();
  await page.getByRole('textbox', { name: en.params.message, exact: true }).first().waitFor();
  await tabTo(page, en.params.message);
  await keyboard.press('Control+a');
  await keyboard.type('After');
  // Tab leaves the editor in both directions: nobody is caught in it.
  await keyboard.press('Tab');
  expect(await focused(page)).not.toBe(en.params.message);
  await page.getByText(en.templates.notPublished).waitFor();
  await choose(page, `${en.templates.publish} …`, 'Shift+Tab');
  const dialog = page.getByRole('dialog', { name: en.templates.publishTitle });
  await dialog.getByText(en.templates.wouldChange('1', '1', '0')).waitFor();
  await tabTo(page, en.templates.note);
  await keyboard.type('retyped');
  await choose(page, en.templates.publish);
  await dialog.waitFor({ state: 'detached' });
  await page.getByText(en.templates.isPublished).waitFor();
  // The button that opened the dialog can have no focus now; the page is not begun anew.
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
  expect((await stage.admin('GET', '/templates/typed')).body).toMatchObject({ message: 'After' });
});

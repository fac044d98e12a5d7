import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished } from 'vitest';
import { en } from '../../console/texts/en.ts';
import { violationsOf } from './support/axe.ts';
import { seed } from './support/seed.ts';
import { publish } from './support/sources.ts';
import { button, test } from './support/test.ts';

const click =
  (name: string) =>
  (page: Page): Promise<void> =>
    button(page, name).first().click();

/** Writes something else into the open template. */
async function change(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: en.params.message, exact: true }).first().click();
  await page.keyboard.type('Hello ');
  await page.getByText(en.templates.notPublished).waitFor();
}

async function rollBack(page: Page): Promise<void> {
  const history = page.locator('section', { has: page.getByRole('heading', { name: en.templates.history }) });
  await history.getByRole('button', { name: en.templates.compare }).last().click();
  await button(page, `${en.templates.rollBackAll} …`).click();
}

async function sendMany(page: Page): Promise<void> {
  await page.getByLabel(en.send.to, { exact: true }).fill('+4915100000121, +4915100000122');
  await page.getByLabel(en.params.message, { exact: true }).fill('Hello');
  await button(page, en.send.submitMany('2')).click();
}

async function saveOdd(page: Page): Promise<void> {
  await button(page, en.recipients.add).click();
  await page.getByLabel(en.recipients.name, { exact: true }).fill('odd');
  await page.getByLabel(en.recipients.numbers, { exact: true }).fill('Ben: +49 171 555');
  await button(page, en.recipients.save(1)).click();
  await page.getByText(en.recipients.savedWithWarnings).waitFor();
}

/** Each dialog of the console that no other test opens with axe. `show` opens it. */
const DIALOGS: readonly (readonly [name: string, path: string, show: (page: Page) => Promise<void>])[] = [
  ['keys', '/', (page) => page.keyboard.press('?')],
  ['replay of many', '/events?source=seeded', click(en.events.replayMany)],
  ['retry of many', '/messages?source=seeded&state=dead', click(en.messages.retryMany)],
  ['cancelling many', '/messages?source=seeded&state=queued', click(en.messages.cancelMany)],
  ['a new silence', '/silences', click(en.silences.add)],
  ['a new list', '/recipients', click(en.recipients.add)],
  ['warnings about a list', '/recipients', saveOdd],
  ['a new template', '/templates', click(en.templates.add)],
  [
    'publishing a text',
    '/templates/seeded',
    async (page) => {
      await change(page);
      await click(`${en.templates.publish} …`)(page);
    },
  ],
  // The text is still changed: the tab keeps it.
  ['discarding a text', '/templates/seeded', click(en.templates.discard)],
  ['rolling back', '/templates/seeded', rollBack],
  ['changes of a version', '/versions', click(en.versions.changes)],
  ['activating a version', '/versions', click(en.versions.activate)],
  ['deleting a source', '/sources/seeded', click(en.sources.remove)],
  ['sending to many', '/send', sendMany],
  ['resuming', '/accounts', click(en.accounts.resume)],
];

describe('WCAG 2.2 AA', () => {
  test(
    'is met by every dialog, on a desk and on a phone, light and dark; Escape closes it',
    { timeout: 240_000 },
    async ({ stage, open }) => {
      const paths = await seed(stage);
      const { admin } = stage;
      await publish(admin, 'templates', 'seeded', {
        kind: 'text',
        message: '*New order* of {{ payload.name }}',
      });
      await admin('POST', '/accounts/default/pause');
      onTestFinished(async () => void (await admin('POST', '/accounts/default/resume')));
      const [order = '', , , message = ''] = paths;
      const { page, goTo } = await open();
      const found: string[] = [];
      for (const [name, path, show] of [
        ...DIALOGS,
        ['replaying', order, click(en.events.replayButton)] as const,
        ['retrying', message, click(en.messages.retry)] as const,
        ['cancelling', message, click(en.messages.cancel)] as const,
      ]) {
        await page.setViewportSize({ width: 1280, height: 800 });
        await goTo(path);
        await show(page);
        const dialog = page.getByRole('dialog');
        await dialog.waitFor();
        found.push(...(await violationsOf(page)).map((one) => `${name} at ${one}`));
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
        // The page gets it back once the dialog has gone.
        const isBack = page.waitForFunction(() => document.activeElement !== document.body, null, {
          timeout: 5_000,
        });
        await isBack.catch(() => found.push(`${name} gave the focus to nothing`));
      }
      await admin('DELETE', '/recipients/odd');
      expect(found).toEqual([]);
    },
  );

  test('is met by the menu of a phone, which leads on', async ({ open }) => {
    const { page, goTo } = await open({ width: 390 });
    await goTo('/');
    await button(page, en.common.more).click();
    const menu = page.getByRole('dialog', { name: en.nav.menu });
    await menu.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await menu.getByRole('link', { name: en.nav.charts }).click();
    await menu.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: en.charts.title, level: 1 }).waitFor();
  });

  test('is met by taking over what is kept in git', async ({ stage, open }) => {
    const { admin } = stage;
    const { body: set } = await admin('GET', '/config');
    await admin('POST', '/config?managed=true', { ...Object(set), files: {} });
    onTestFinished(async () => void (await admin('POST', '/config/takeover', { name: 'the tests' })));
    const { page, goTo } = await open();
    await goTo('/versions');
    await button(page, en.versions.takeOver).click();
    await page.getByRole('dialog').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });
});

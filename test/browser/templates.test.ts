import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { en } from '../../console/texts/en.ts';
import { openSource, postWebhook, publish, publishRoutes, textRoute } from './support/sources.ts';
import { button, test } from './support/test.ts';

const editor = (page: Page) => page.getByRole('textbox', { name: en.params.message, exact: true }).first();

/** Puts another text in the place of what stands in the editor. */
async function write(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

/** The time of day (UTC), this many ms from now. */
const clockAt = (ms: number): string => new Date(Date.now() + ms).toISOString().slice(11, 16);

const publishButton = (page: Page) => button(page, `${en.templates.publish} …`);

async function publishIt(page: Page): Promise<void> {
  await publishButton(page).click();
  const dialog = page.getByRole('dialog', { name: en.templates.publishTitle });
  await dialog.getByRole('button', { name: en.templates.publish, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

test('of two who edit a template at once the second is warned', async ({ stage, open }) => {
  await publish(stage.admin, 'templates', 'shared', { kind: 'text', message: 'Before' });
  await publishRoutes(stage, 'shared', [{ name: 'all', to: '4915123456789', template: 'shared' }]);
  await postWebhook(stage, 'shared', { type: 'order' });
  const [first, second] = [await open(), await open()];
  for (const { goTo, page, text } of [
    { ...first, text: 'Of the first' },
    { ...second, text: 'Of the second' },
  ]) {
    await goTo('/templates/shared');
    await write(page, text);
    await page.getByText(en.templates.notPublished).waitFor();
  }
  await publishIt(first.page);
  await first.page.getByText(en.templates.isPublished).waitFor();

  // Whoever publishes on top of it is warned, and loses nothing.
  second.watch.expectRefusal(412, '/templates/shared');
  await publishIt(second.page);
  const alert = second.page.getByRole('alert').filter({ hasText: en.templates.overtaken });
  await alert.waitFor();
  await alert.getByText('Of the first').first().waitFor();
  expect(await publishButton(second.page).isEnabled()).toBe(false);
  await button(second.page, en.templates.keepMine).click();
  await publishIt(second.page);
  await second.page.getByText(en.templates.isPublished).waitFor();
  expect(await editor(second.page).textContent()).toBe('Of the second');
});

test('a template that is kept in git is changed by a patch', async ({ stage, open }) => {
  onTestFinished(async () => void (await stage.admin('POST', '/config/takeover', { name: 'Ada' })));
  await publish(stage.admin, 'templates', 'in-git', { kind: 'text', message: 'Before' });
  const { body: set } = await stage.admin('GET', '/config');
  await stage.admin('POST', '/config?managed=true', {
    ...Object(set),
    files: { 'templates/in-git.yaml': '# Said by the shop\nkind: text\nmessage: Before\n' },
  });
  const { page, goTo } = await open();
  await goTo('/templates/in-git');
  await write(page, 'After');
  await button(page, en.templates.patch).click();
  const dialog = page.getByRole('dialog', { name: en.templates.patchTitle });
  await dialog.getByText('+message: After').waitFor();
  await dialog.getByText('# Said by the shop').waitFor();
  const saved = page.waitForEvent('download');
  await button(page, en.templates.savePatch).click();
  expect((await saved).suggestedFilename()).toMatch(/\.patch$/);
  expect(await publishButton(page).count()).toBe(0);
});

test('a template opens on the newest event that it sent, and compares', async ({ stage, open }) => {
  const quiet = { from: clockAt(-3_600_000), to: clockAt(3_600_000), timezone: 'UTC' };
  await publish(stage.admin, 'templates', 'sent', { kind: 'text', message: 'Order {{ payload.n }}' });
  const routes = (name: string): object => {
    const paid = { when: 'event.type == "paid"' };
    const sent = { ...paid, name: 'paid', to: '4915100000061', template: 'sent' };
    return openSource(undefined, {
      routes: [sent, textRoute('4915100000062', name, { ...paid, name: 'night', quiet })],
    });
  };
  await publish(stage.admin, 'sources', 'tried', routes('one'));
  const countOf = async (state: string): Promise<number> => {
    const { body } = await stage.admin('GET', `/messages?source=tried&state=${state}`);
    return JSON.stringify(body).split('"id":').length - 1;
  };
  await postWebhook(stage, 'tried', { type: 'paid', n: 7 });
  await expect.poll(() => countOf('sent')).toBe(1);
  // The gateway refuses a newer one for good.
  await stage.script([{ failure: 'status', status: 422, match: { phone: '4915100000061' } }]);
  await postWebhook(stage, 'tried', { type: 'paid', n: 9 });
  await expect.poll(() => countOf('dead')).toBe(1);
  await publish(stage.admin, 'sources', 'tried', routes('two'));
  await postWebhook(stage, 'tried', { type: 'created', n: 8 });
  const { page, goTo } = await open();
  await goTo('/templates/sent');
  await page.getByRole('complementary').getByText('Order 7').first().waitFor();
  await page.getByText(en.templates.otherRoutes('1')).click();
  await page.getByText(en.templates.heldUntil).first().waitFor();
  await write(page, 'Paid');
  await page.getByText(en.templates.notPublished).waitFor();
  await publishButton(page).click();
  const dialog = page.getByRole('dialog', { name: en.templates.publishTitle });
  await dialog.getByText(en.templates.wouldChange('3', '2', '0')).waitFor();
  await dialog.getByText('Order 7').first().waitFor();
  // Another text was changed since then: that change is not part of it.
  expect(await dialog.getByText('two', { exact: true }).count()).toBe(0);
});

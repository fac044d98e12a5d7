import { describe, expect, onTestFinished } from 'vitest';
import { en } from '../../console/texts/en.ts';
import { violationsOf } from './support/axe.ts';
import { dialogsOf, setTable } from './support/dialogs.ts';
import { button, test } from './support/test.ts';

describe('WCAG 2.2 AA', () => {
  test(
    'is met by every dialog, on a desk and on a phone, light and dark; Escape closes it',
    { timeout: 240_000 },
    async ({ stage, open }) => {
      const paths = await setTable(stage);
      const { page, goTo } = await open();
      const found: string[] = [];
      for (const [name, path, show] of dialogsOf(en, paths)) {
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
      await stage.admin('DELETE', '/recipients/odd');
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
    onTestFinished(async () => void (await admin('POST', '/config/takeover', { name: 'Ada' })));
    const { page, goTo } = await open();
    await goTo('/versions');
    await button(page, en.versions.takeOver).click();
    await page.getByRole('dialog').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });
});

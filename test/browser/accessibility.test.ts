import type { Route } from 'playwright-core';
import { describe, expect, onTestFinished } from 'vitest';
import { en } from '../../console/texts/en.ts';
import { violationsOf } from './support/axe.ts';
import { PAGES_OF_THE_CONSOLE } from './support/pages.ts';
import { seed } from './support/seed.ts';
import { button, test } from './support/test.ts';

const FAILURE = { title: 'Internal error', status: 500, detail: 'It broke. Try again.' };

/** The API's answers: none at all, or a failure. */
const HANGS = (_route: Route): Promise<void> => Promise.resolve();
const FAILS = (route: Route): Promise<void> =>
  route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify(FAILURE) });

describe('WCAG 2.2 AA', () => {
  test(
    'is met by every page with data, on a desk and on a phone, light and dark',
    { timeout: 150_000 },
    async ({ stage, open }) => {
      const paths = [...PAGES_OF_THE_CONSOLE, ...(await seed(stage))];
      const { page, goTo, watch } = await open();
      // Asked whether a new source could be published, the relay says which secret is missing.
      watch.expectRefusal(422, '/config');
      const found: string[] = [];
      for (const path of paths) {
        await goTo(path);
        found.push(...(await violationsOf(page)).map((one) => `${path} at ${one}`));
      }
      expect(found).toEqual([]);
    },
  );

  test('is met by a page that loads, and by one that could not be loaded', async ({ open }) => {
    const { page, goTo, watch } = await open();
    await goTo('/accounts');
    let answer = HANGS;
    await page.route(/\/admin\/api\/v1\//, (route) => answer(route));
    const menu = page.getByRole('navigation').first();
    // In the frame, and before it is known who is signed in.
    const pages: readonly (() => Promise<unknown>)[] = [
      () => menu.getByRole('link', { name: en.nav.charts, exact: true }).click(),
      () => page.reload(),
    ];
    for (const show of pages) {
      answer = HANGS;
      await show();
      await page.locator('.loading').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 800 });
    }
    watch.expectRefusal(500, '/many');
    watch.allowRefusal(500, '/sources');
    answer = FAILS;
    await page.reload();
    await page.getByRole('alert').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.unroute(/\/admin\/api\/v1\//);
    await goTo('/accounts');
    await page.route(/\/admin\/api\/v1\//, (route) => answer(route));
    await menu.getByRole('link', { name: en.nav.charts, exact: true }).click();
    await page.getByRole('alert').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  test('is met by a dialog that waits for an answer, and by one that says what failed', async ({
    stage,
    open,
  }) => {
    const { admin } = stage;
    await admin('POST', '/accounts/default/pause');
    onTestFinished(async () => void (await admin('POST', '/accounts/default/resume')));
    const { page, goTo, watch } = await open();
    await goTo('/accounts');
    watch.expectRefusal(500, '/accounts/default/resume');
    let answer = HANGS;
    await page.route(/\/resume$/, (route) => answer(route));
    const dialog = page.getByRole('dialog');
    const resume = dialog.getByRole('button', { name: en.now.resumeNow });
    await button(page, en.accounts.resume).first().click();
    await resume.click();
    await dialog.locator('[aria-busy=true]').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });

    answer = FAILS;
    await goTo('/accounts');
    await button(page, en.accounts.resume).first().click();
    await resume.click();
    await page.getByText(FAILURE.detail).waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  test('is met by the sign-in', async ({ open }) => {
    const { page, goTo } = await open({ as: null });
    await goTo('/');
    expect(await violationsOf(page)).toEqual([]);
  });
});

import type { Page } from 'playwright-core';

/** Counts the clicks in a page from now on; those of the keyboard on a button count, too. */
export async function clicksIn(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const root = document.documentElement;
    const count = (): void => {
      root.dataset['clicks'] = String(Number(root.dataset['clicks'] ?? '0') + 1);
    };
    addEventListener('click', count, { capture: true });
  });
  return async () => Number((await page.evaluate(() => document.documentElement.dataset['clicks'])) ?? '0');
}

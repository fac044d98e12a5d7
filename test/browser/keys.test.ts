import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { en } from '../../console/texts/en.ts';
import { openSource, postWebhook, publish } from './support/sources.ts';
import { heading, test } from './support/test.ts';

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.textContent ?? '');

describe('By keyboard alone', () => {
  test('one goes to a list, moves in it, opens a row, searches, and is shown all keys', async ({
    stage,
    open,
  }) => {
    await publish(stage.admin, 'sources', 'keys', openSource());
    for (const type of ['one', 'two', 'three']) await postWebhook(stage, 'keys', { type, text: type });
    const { page, goTo } = await open();
    await goTo('/');
    await heading(page, en.now.title).waitFor();

    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await heading(page, en.events.title).waitFor();

    const row = (type: string) => page.getByRole('listitem').filter({ hasText: type }).first();
    await row('three').waitFor();
    await page.keyboard.press('j');
    await expect.poll(() => focused(page)).toContain('three');
    await page.keyboard.press('j');
    await expect.poll(() => focused(page)).toContain('two');
    await page.keyboard.press('k');
    await expect.poll(() => focused(page)).toContain('three');
    await page.keyboard.press('Enter');
    await heading(page, 'three').waitFor();

    await page.keyboard.press('u');
    await heading(page, en.events.title).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('4915123456789');
    await page.keyboard.press('Enter');
    await heading(page, en.find.title).waitFor();
    expect(page.url()).toContain('number=4915123456789');
    await page.getByRole('heading', { name: en.nav.messages }).waitFor();

    await page.keyboard.press('Tab');
    await page.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    });
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: en.keys.title });
    await keys.getByText(en.keys.goTo(en.nav.events)).waitFor();
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
  });
});

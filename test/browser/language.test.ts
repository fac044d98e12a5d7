import { describe, expect } from 'vitest';
import { de } from '../../console/texts/de.ts';
import { en } from '../../console/texts/en.ts';
import { heading, test } from './support/test.ts';

describe('The language', () => {
  test('is the browser’s, and another one when somebody chooses it', async ({ open }) => {
    const { page, goTo } = await open({ language: 'de' });
    await goTo('/messages');
    await heading(page, de.messages.title).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
    await page.getByLabel(de.account.language).first().selectOption('en');
    await heading(page, en.messages.title).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
    await page.reload();
    await heading(page, en.messages.title).waitFor();
  });
});

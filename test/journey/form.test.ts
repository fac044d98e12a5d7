import type { Browser } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { startChromium } from '../../scripts/chromium.ts';
import { journey } from './journey.ts';
import { restarted } from './place.ts';

/** Words that somebody with a form on a website might type to find it. */
const WORDS = ['contact', 'form', 'html', 'website', 'feedback', 'booking'];

journey('from npm start to the message of a visitor', (step) => {
  let browser: Browser | undefined;
  afterAll(() => browser?.close());

  step('npm start', restarted);

  // A newcomer has no manual: what is opened stands on the screen, and what is filled in and clicked has a label.
  step('the phone and the page with the form, as printed; Send; the phone shows it', async (place) => {
    const screen = (await place.terminal(1)).screen();
    browser = await startChromium();
    const [phone, page] = [await browser.newPage(), await browser.newPage()];
    await phone.goto(printed(screen, 'The phone'));
    await page.goto(printed(screen, 'A form'));
    expect(await page.content()).not.toMatch(/token|secret|password/i);
    await page.getByLabel('Name').fill('Ada Lovelace');
    await page.getByLabel('Message').fill('Do you deliver to Berlin?');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    await phone.getByRole('link', { name: /Ada Lovelace/ }).click();
    await phone.locator('article', { hasText: 'Do you deliver to Berlin?' }).waitFor();
    // Back on the page by the link, whose address has nothing of the form.
    await page.getByRole('link').click();
    await page.waitForURL(printed(screen, 'A form'));
  });

  step('the wizard finds the form by each of the words that people have for it', async (place) => {
    const shell = await place.terminal(2);
    for (const word of WORDS) {
      await shell.begin('npx hookbell init');
      await shell.sees('to select');
      await shell.types(word);
      await shell.sees('Form on your website');
      shell.press('ctrl-c');
      await place.ended(shell, [], 130);
    }
  });
});

/** The address that stands at the end of the line that begins so. */
function printed(screen: string, line: string): string {
  const [, address] = new RegExp(`^${line}\\b.*: (http\\S+)$`, 'm').exec(screen) ?? [];
  if (address === undefined) throw new Error(`no line “${line} …” with an address:\n${screen}`);
  return address;
}

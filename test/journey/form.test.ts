import type { Browser } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { startChromium } from '../../scripts/chromium.ts';
import { journey } from './journey.ts';
import { restarted } from './start.ts';

/** Words that somebody with a form on a website might type to find it. */
const WORDS = ['contact', 'form', 'html', 'website', 'feedback', 'booking'];

/** A newcomer has no manual: what is opened stands on the screen, and what is filled in and clicked has a label. */
const MOST_STEPS = 7;
const MOST_MS = 5 * 60_000;

let browser: Browser | undefined;
let steps = 0;
let began = 0;
const walks = async (step: Promise<unknown>): Promise<void> => {
  steps += 1;
  await step;
};

journey('from npm start to the message of a visitor', 'form', (step) => {
  afterAll(() => browser?.close());

  step('npm start', async (place) => {
    began = performance.now();
    await walks(restarted(place));
  });

  step(
    'the phone and the page with the form, as printed, in a browser; Send; the phone shows it',
    async (place) => {
      const screen = (await place.terminal(1)).screen();
      browser = await startChromium();
      const [phone, page] = [await browser.newPage(), await browser.newPage()];
      await walks(phone.goto(printed(screen, 'The phone')));
      await walks(page.goto(printed(screen, 'A form')));
      expect(await page.content()).not.toMatch(/token|secret|password/i);
      await walks(page.getByLabel('Name').fill('Ada Lovelace'));
      await walks(page.getByLabel('Message').fill('Do you deliver to Berlin?'));
      await walks(page.getByRole('button', { name: 'Send' }).click());
      await page.getByRole('heading', { name: 'Thank you' }).waitFor();
      await walks(phone.getByRole('link', { name: /Ada Lovelace/ }).click());
      await phone.locator('article', { hasText: 'Do you deliver to Berlin?' }).waitFor();
      expect(steps).toBeLessThanOrEqual(MOST_STEPS);
      expect(performance.now() - began).toBeLessThan(MOST_MS);
      // Back on the page by the link, whose address has nothing of the form.
      await page.getByRole('link').click();
      await page.waitForURL(printed(screen, 'A form'));
    },
  );

  for (const word of WORDS)
    step(`the wizard finds the form by “${word}”`, async (place) => {
      const shell = await place.terminal(2);
      await shell.begin('npx hookbell init');
      await shell.sees('to select');
      await shell.types(word);
      await shell.sees('Form on your website');
      shell.press('ctrl-c');
      expect(await shell.ended()).toBe(130);
    });
});

/** The address that stands at the end of the line that begins so. */
function printed(screen: string, line: string): string {
  const [, address] = new RegExp(`^${line}\\b.*: (http\\S+)$`, 'm').exec(screen) ?? [];
  if (address === undefined) throw new Error(`no line “${line} …” with an address:\n${screen}`);
  return address;
}

import { describe, expect, onTestFinished } from 'vitest';
import { de } from '../../console/texts/de.ts';
import { en } from '../../console/texts/en.ts';
import * as z from 'zod';
import { violationsOf } from './support/axe.ts';
import type { Stage } from './support/stage.ts';
import { test } from './support/test.ts';

const NEXT = '99.1.0';
const CHANGES = ['Bells ring twice', 'A fault of the clapper'];

/** Reports a newer version, as its `hookbell push` or `doctor` does. Returns the version of the relay. */
async function report({ admin }: Stage, version: string): Promise<string> {
  const { version: running } = z.object({ version: z.string() }).parse((await admin('GET', '/release')).body);
  await admin('PUT', '/release', { version, since: running, changes: CHANGES });
  return running;
}

describe('A relay that is older than the newest hookbell that it knows of', () => {
  test.for([
    { language: 'en', t: en },
    { language: 'de', t: de },
  ] as const)(
    'says so on the first screen, and what is new ($language)',
    async ({ language, t }, { stage, open }) => {
      onTestFinished(async () => void (await report(stage, '0.0.1')));
      const running = await report(stage, NEXT);
      const { page, goTo } = await open({ language, width: 390 });
      await goTo('/');
      const card = page.locator('li', { hasText: t.now.older(NEXT, running) });
      await card.getByText(t.now.olderText).waitFor();
      await card.getByRole('link', { name: t.now.whatIsNew }).click();
      await page.getByRole('heading', { name: t.doctor.newer(NEXT, running) }).waitFor();
      for (const change of CHANGES) await page.getByText(change, { exact: true }).waitFor();
      await page.getByText('npm install hookbell@latest').waitFor();
      expect(await violationsOf(page)).toEqual([]);
    },
  );

  test('says nothing once it is deployed', async ({ stage, open }) => {
    const running = await report(stage, '0.0.1');
    const { page, goTo } = await open();
    await goTo('/doctor');
    expect(await page.getByText(en.doctor.newer('0.0.1', running)).count()).toBe(0);
    await goTo('/');
    expect(await page.getByText(en.now.olderText).count()).toBe(0);
  });
});

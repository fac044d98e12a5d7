import type { Locator } from 'playwright-core';
import { describe, expect, onTestFinished } from 'vitest';
import { de } from '../../console/texts/de.ts';
import { dialogsOf, setTable } from './support/dialogs.ts';
import { PAGES_OF_THE_CONSOLE } from './support/pages.ts';
import { stopsOf } from './support/phone.ts';
import { seed } from './support/seed.ts';
import { postWebhook, publish } from './support/sources.ts';
import { button, test } from './support/test.ts';

/** The language with the longer words. */
const LOOK = { width: 390, language: 'de' } as const;
const HEIGHT = 844;

/** A source, and a problem, with names that no phone is wide enough for. */
const SOURCE = 'kubernetes-production-frankfurt';
const LONG = {
  alertname: 'CertificateExpiresSoon',
  instance: 'node-5-9.production.frankfurt.example.com:9100',
};

/** The place of the last of them on the screen. */
const boxOf = (all: Locator): Promise<{ readonly top: number; readonly bottom: number }> =>
  all.last().evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return { top, bottom };
  });

describe('On a phone', () => {
  test.for(['de', 'en'] as const)(
    'no page is wider than the screen, no text is cut without a sign, and what is tapped is 44 px high: %s',
    { timeout: 150_000 },
    async (language, { stage, open }) => {
      const paths = [...PAGES_OF_THE_CONSOLE, ...(await seed(stage))];
      const { page, goTo, watch } = await open({ width: 390, language });
      // Asked whether a new source could be published, the relay says which secret is missing.
      watch.expectRefusal(422, '/config');
      const found: string[] = [];
      for (const path of paths) {
        await goTo(path);
        found.push(...(await stopsOf(page)).map((one) => `${path}: ${one}`));
      }
      expect(found).toEqual([]);
    },
  );

  test(
    'the same holds for each dialog, whose buttons are in sight',
    { timeout: 150_000 },
    async ({ stage, open }) => {
      const paths = await setTable(stage);
      const { page, goTo } = await open(LOOK);
      const found: string[] = [];
      for (const [name, path, show] of dialogsOf(de, paths)) {
        await goTo(path);
        await show(page);
        await page.getByRole('dialog').waitFor();
        if (name === 'an account')
          for (const label of [de.accounts.isPaced, de.accounts.isCapped])
            await page.getByLabel(label).check();
        found.push(...(await stopsOf(page)).map((one) => `${name}: ${one}`));
        const foot = page.locator('.dialog-foot');
        if ((await foot.count()) > 0 && (await boxOf(foot)).bottom > HEIGHT)
          found.push(`${name}: its buttons are out of sight`);
      }
      await stage.admin('DELETE', '/recipients/odd');
      expect(found).toEqual([]);
    },
  );

  test('a problem with a long name fits: in the card that is opened, and in what resolves it', async ({
    stage,
    open,
  }) => {
    const { admin } = stage;
    await publish(admin, 'sources', SOURCE, {
      provider: 'generic',
      verify: { scheme: 'none' },
      routes: [
        {
          name: 'on-call',
          each: 'payload.alerts',
          to: ['4915100000171', '4915100000172'],
          incident: { key: '{{ item.fingerprint }}', resolved: 'item.status == "resolved"' },
          send: { kind: 'text', message: '{{ item.labels.alertname }}' },
        },
      ],
    });
    onTestFinished(async () => void (await admin('DELETE', `/sources/${SOURCE}`)));
    await postWebhook(stage, SOURCE, {
      alerts: ['a', 'b'].map((fingerprint) => ({ fingerprint, status: 'firing', labels: LONG })),
    });
    const { page, goTo } = await open(LOOK);
    await goTo('/');
    const card = page.getByRole('listitem').filter({ hasText: `${SOURCE}: ` });
    await card.getByRole('button', { name: de.now.showAll }).click();
    const incident = card.getByRole('link', { name: LONG.alertname }).last();
    await incident.waitFor();
    expect(await stopsOf(page)).toEqual([]);
    await incident.click();
    // Announcements do not cover a button, nor do the buttons cover the end of the page.
    await page.getByText(de.incidents.receiverStates.notified, { exact: true }).first().waitFor();
    await button(page, de.incidents.acknowledge).click();
    await page.getByRole('dialog').waitFor();
    expect(await stopsOf(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: de.incidents.acknowledge }).click();
    await page.getByText(de.incidents.acknowledged).waitFor();
    const [said, bar] = [await boxOf(page.locator('.toast')), await boxOf(page.locator('.act-bar'))];
    expect(said.bottom).toBeLessThanOrEqual(bar.top);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    expect((await boxOf(page.locator('main > section'))).bottom).toBeLessThanOrEqual(bar.top);
    await button(page, de.incidents.resolve).click();
    await page.getByRole('dialog').waitFor();
    expect(await stopsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: de.incidents.lookAtEvent }).click();
    await page.getByRole('heading', { name: de.events.items }).waitFor();
    expect(await stopsOf(page)).toEqual([]);
    // A dialog that a card opens looks as it does anywhere else.
    await goTo('/');
    await card.getByRole('button', { name: de.silences.silence }).click();
    const dialog = page.getByRole('dialog');
    const [close, around] = [
      await dialog.getByRole('button', { name: de.common.close }).boundingBox(),
      await dialog.boundingBox(),
    ];
    expect(Number(close?.width)).toBeLessThan(60);
    expect(Number(around?.x) + Number(around?.width) - Number(close?.x)).toBeLessThan(80);
  });
});

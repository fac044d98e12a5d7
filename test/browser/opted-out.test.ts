import { describe, expect, onTestFinished } from 'vitest';
import { de } from '../../console/texts/de.ts';
import { en } from '../../console/texts/en.ts';
import { violationsOf } from './support/axe.ts';
import { stopsOf } from './support/phone.ts';
import { NO_PACE, openSource, postWebhook, publish } from './support/sources.ts';
import { button, heading, test } from './support/test.ts';

const PHONE = '4915100000061';

describe('The page of who has opted out', () => {
  test('adds a receiver, finds them by their number, and removes them after a question', async ({
    stage,
    open,
  }) => {
    const { page, goTo, watch } = await open({ as: 'operator', width: 390, language: 'de' });
    await goTo('/recipients');
    await page.getByRole('link', { name: de.optedOut.title }).click();
    await heading(page, de.optedOut.title).waitFor();
    await button(page, de.optedOut.add).click();
    const dialog = page.getByRole('dialog');
    const number = dialog.getByLabel(de.find.number, { exact: true });
    watch.expectRefusal(422, '/suppressions/0151%2000000061');
    await number.fill('0151 00000061');
    await dialog.getByRole('button', { name: de.optedOut.addNow }).click();
    await dialog.getByText(/hat keine Landesvorwahl/).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await number.fill('+49 151 00000061');
    await dialog.getByLabel(de.silences.reason, { exact: true }).fill('am Telefon gesagt');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText(de.optedOut.added(`+${PHONE}`)).waitFor();
    const row = page.getByRole('listitem').filter({ hasText: `+${PHONE}` });
    await row.getByText('am Telefon gesagt').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await stopsOf(page)).toEqual([]);
    const search = page.getByRole('searchbox', { name: de.find.number });
    watch.expectRefusal(404, '/suppressions/%2B49%20151%2099999999');
    await search.fill('+49 151 99999999');
    await page.keyboard.press('Enter');
    await page.getByText(de.find.none).waitFor();
    await search.fill('0049 151 00000061');
    await page.keyboard.press('Enter');
    await row.getByRole('button').click();
    await dialog.getByText(de.optedOut.removeText).waitFor();
    watch.expectRefusal(404, '/suppressions/0049%20151%2000000061');
    await button(page, de.optedOut.remove).click();
    await page.getByText(de.optedOut.removed(`+${PHONE}`)).waitFor();
    await row.waitFor({ state: 'detached' });
    expect(JSON.stringify((await stage.admin('GET', '/suppressions')).body)).not.toContain(PHONE);
  });

  test('is where a suppressed message leads; a viewer sees no number, and changes nothing', async ({
    stage,
    open,
  }) => {
    const { admin } = stage;
    await publish(admin, 'accounts', 'default', NO_PACE);
    await publish(
      admin,
      'sources',
      'stopped',
      openSource(undefined, {
        routes: [{ name: 'all', to: PHONE, send: { kind: 'text', message: 'Hello' } }],
      }),
    );
    await admin('PUT', `/suppressions/${PHONE}`, { reason: 'asked by phone' });
    onTestFinished(async () => void (await admin('DELETE', `/suppressions/${PHONE}`)));
    const event = await postWebhook(stage, 'stopped', {});
    const messages = async () => JSON.stringify((await admin('GET', `/messages?event=${event}`)).body);
    await expect.poll(messages).toContain('"state":"suppressed"');
    const [, id = ''] = /"id":"(msg_[^"]+)"/.exec(await messages()) ?? [];
    const { page, goTo } = await open();
    await goTo(`/messages/${id}`);
    await page.getByRole('main').getByRole('link', { name: en.optedOut.title }).click();
    await page.getByText(`+${PHONE}`).waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: '+49' }).count()).toBe(1);
    const viewer = await open({ as: 'viewer' });
    await viewer.goTo(`/messages/${id}`);
    await viewer.page.getByRole('main').getByRole('link', { name: en.optedOut.title }).click();
    await viewer.page.getByText(/^\+49\d*•+61$/).waitFor();
    expect(await viewer.page.getByRole('main').getByRole('button').count()).toBe(0);
    expect(await viewer.page.getByRole('searchbox').count()).toBe(0);
  });
});

import { expect, onTestFinished } from 'vitest';
import { de } from '../../console/texts/de.ts';
import { en } from '../../console/texts/en.ts';
import { eventually } from '../eventually.ts';
import { violationsOf } from './support/axe.ts';
import { stopsOf } from './support/phone.ts';
import { messagesOf, NO_PACE, postWebhook, publish, publishRoutes, textRoute } from './support/sources.ts';
import { button, heading, panel, test } from './support/test.ts';

const HOUR = 3_600_000;
const local = (ms: number): string => new Date(ms).toISOString().slice(0, 16);

test('who has the turn and who is next is said, and swapped on a phone', async ({ stage, open }) => {
  await publish(stage.admin, 'recipients', 'swapped', {
    people: { anna: '4915100000051', ben: '4915100000052' },
    rotation: { order: ['anna', 'ben'], every: '1w', from: local(Date.now() - HOUR), timezone: 'UTC' },
  });
  const { page, goTo, watch } = await open({ as: 'operator', width: 390 });
  await goTo('/on-call');
  await heading(page, en.nav.onCall).waitFor();
  const list = panel(page, 'swapped');
  await list.getByText('Now: anna until').waitFor();
  await list.getByText('Next: ben').waitFor();
  // A screen reader has the four weeks as a table with a name.
  const table = list.getByRole('table', { name: 'swapped: the next four weeks' });
  const turns = await table.getByRole('rowheader').allTextContents();
  expect(turns.join(' ')).toBe('anna ben anna ben anna');
  const link = list.getByRole('link', { name: 'Calendar link' });
  const before = await link.getAttribute('href');
  expect(before).toMatch(/\/calendar\/swapped\.[0-9a-z]{24}\.ics$/);
  await list.getByRole('button', { name: 'New link …' }).click();
  await button(page, 'Make a new link').click();
  await page.getByText('The earlier calendar links no longer work.').waitFor();
  await eventually(async () => expect(await link.getAttribute('href')).not.toBe(before));
  await list.getByRole('button', { name: 'Hand over …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('From', { exact: true }).fill(local(Date.now() - HOUR));
  await dialog.getByLabel('Until', { exact: true }).fill(local(Date.now() + HOUR));
  expect(await violationsOf(page)).toEqual([]);
  await button(page, 'Hand over').click();
  await list.getByText('Now: ben until').waitFor();
  // The person who took over hands over as well: now until the end is filled in.
  await list.getByRole('button', { name: 'Hand over …' }).click();
  await button(page, 'Hand over').click();
  await list.getByText('Now: anna until').waitFor();
  // One that is over is refused, and the reason is said.
  await list.getByRole('button', { name: 'Hand over …' }).click();
  await dialog.getByLabel('From', { exact: true }).fill(local(Date.now() - 2 * HOUR));
  await dialog.getByLabel('Until', { exact: true }).fill(local(Date.now() - HOUR));
  watch.expectRefusal(422, '/recipients/swapped/overrides');
  await button(page, 'Hand over').click();
  await dialog.getByText(/must be after `?from`?, in the future/).waitFor();
});

const PHONE = '4915100000061';

test('who has opted out is added, found by number, and removed', async ({ stage, open }) => {
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
  await dialog.getByText(/ist vielleicht keine gültige Nummer: /).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await number.fill('+49 151 00000061');
  await dialog.getByLabel(de.common.reason, { exact: true }).fill('am Telefon gesagt');
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

test('a suppressed message leads to who has opted out', async ({ stage, open }) => {
  const { admin } = stage;
  await publish(admin, 'accounts', 'default', NO_PACE);
  await publishRoutes(stage, 'stopped', [textRoute(PHONE, 'Hello')]);
  await admin('PUT', `/suppressions/${PHONE}`, { reason: 'asked by phone' });
  onTestFinished(async () => void (await admin('DELETE', `/suppressions/${PHONE}`)));
  const event = await postWebhook(stage, 'stopped', {});
  const messages = async () => JSON.stringify((await admin('GET', `/messages?event=${event}`)).body);
  await expect.poll(messages).toContain('"state":"suppressed"');
  const [id = ''] = await messagesOf(stage, event);
  const { page, goTo } = await open();
  await goTo(`/messages/${id}`);
  await page.getByRole('main').getByRole('link', { name: en.optedOut.title }).click();
  await page.getByText(`+${PHONE}`).waitFor();
  expect(await page.getByRole('listitem').filter({ hasText: '+49' }).count()).toBe(1);
});

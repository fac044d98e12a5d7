import { expect, onTestFinished } from 'vitest';
import { de } from '../../console/texts/de.ts';
import { en } from '../../console/texts/en.ts';
import { violationsOf } from './support/axe.ts';
import { publish } from './support/sources.ts';
import { button, panel, test } from './support/test.ts';

test('an account is paused on its page, and goes on from the first screen', async ({ stage, open }) => {
  // Other tests send by it, too.
  onTestFinished(async () => void (await stage.admin('POST', '/accounts/default/resume')));
  // However many messages of other tests wait.
  const [finding = ''] = en.now.paused('default', 0).split(';');
  const { page, goTo } = await open({ as: 'operator', width: 390 });
  await goTo('/accounts');
  const account = panel(page, /^default /);
  await account.getByRole('button', { name: en.accounts.pause }).click();
  await page.getByText(en.accounts.paused('default')).waitFor();
  expect((await stage.admin('GET', '/accounts/default/status')).body).toMatchObject({
    paused: { by: 'operator' },
  });
  await goTo('/');
  await page.getByText(finding).waitFor();
  await button(page, en.accounts.resume).click();
  // Nothing that messages people is one tap.
  await button(page, en.now.resumeNow).click();
  await page.getByText(en.accounts.resumed('default')).waitFor();
  await page.getByText(finding).waitFor({ state: 'detached' });
  expect((await stage.admin('GET', '/accounts/default/status')).body).toMatchObject({ paused: null });
});

test('an account’s pace is changed in a form, and what it does not show stays', async ({ stage, open }) => {
  await publish(stage.admin, 'accounts', 'paced', { rate: { per_minute: 60 }, retention: '20d' });
  const { page, goTo } = await open();
  await goTo('/accounts');
  const paced = panel(page, /^paced/);
  await paced.getByRole('button', { name: en.common.edit, exact: true }).click();
  await page.getByLabel(en.accounts.perMinute, { exact: true }).fill('12');
  await page.getByLabel(en.accounts.isCapped, { exact: true }).uncheck();
  expect(await violationsOf(page)).toEqual([]);
  await button(page, en.accounts.save).click();
  await page.getByText(en.accounts.saved('paced')).waitFor();
  expect((await stage.admin('GET', '/accounts/paced')).body).toEqual({
    rate: { per_minute: 12 },
    per_recipient: false,
    retention: '20d',
  });
  await stage.admin('DELETE', '/accounts/paced');
});

test('an account gets a canary in its form; the relay’s refusal is in German', async ({ stage, open }) => {
  await publish(stage.admin, 'accounts', 'proved', {});
  onTestFinished(async () => void (await stage.admin('DELETE', '/accounts/proved')));
  const { page, goTo, watch } = await open({ width: 390, language: 'de' });
  await goTo('/accounts');
  const proved = panel(page, /^proved/);
  await proved.getByRole('button', { name: de.common.edit, exact: true }).click();
  await page.getByLabel(de.accounts.canaryTo, { exact: true }).fill('+49 151 00000071');
  await page.getByLabel(de.accounts.canaryEvery, { exact: true }).fill('1h');
  expect(await violationsOf(page)).toEqual([]);
  watch.expectRefusal(422, '/accounts/proved');
  await button(page, de.accounts.save).click();
  await page.getByText('muss zwischen 1d und 30d liegen').first().waitFor();
  await page.getByLabel(de.accounts.canaryEvery, { exact: true }).fill('');
  await page.getByLabel(de.accounts.canaryWithin, { exact: true }).fill('30m');
  await page.keyboard.press('Tab');
  await button(page, de.accounts.save).click();
  await page.getByText(de.accounts.saved('proved')).waitFor();
  expect((await stage.admin('GET', '/accounts/proved')).body).toEqual({
    canary: {
      to: '4915100000071',
      answer_within: '30m',
      timezone: expect.any(String) as unknown,
      language: 'de',
    },
  });
  await proved.getByText(de.accounts.canaryNext).waitFor();
});

test('a list of numbers is added and changed; each has its country code', async ({ stage, open }) => {
  const { page, goTo } = await open();
  await goTo('/recipients');
  await button(page, en.recipients.add).click();
  await page.getByLabel(en.common.name, { exact: true }).fill('shift');
  const numbers = page.getByLabel(en.common.numbers, { exact: true });
  await numbers.fill('0151 1234567');
  await page.getByText(en.recipients.wrong('0151 1234567')).waitFor();
  expect(await button(page, en.accounts.save).isEnabled()).toBe(false);
  await numbers.fill('+49 1510 0000041\n0049 1510 0000042');
  await button(page, en.recipients.save(2)).click();
  await page.getByText(en.recipients.saved('shift')).waitFor();
  const list = panel(page, /^shift$/);
  await list.getByRole('button', { name: en.common.edit }).click();
  await numbers.fill('+4915100000043');
  await button(page, en.recipients.save(1)).click();
  await list.getByText('+4915100000043').waitFor();
  expect((await stage.admin('GET', '/recipients/shift')).body).toEqual({ numbers: ['4915100000043'] });
  await list.getByRole('button', { name: en.common.edit }).click();
  await numbers.fill('Anna Müller +49 171 3920001\nBen: +49 171 555');
  await page.getByLabel(en.recipients.quiet, { exact: true }).check();
  await page.getByLabel(en.common.zone).selectOption('Europe/Berlin');
  await button(page, en.recipients.save(2)).click();
  // It is saved, and a number that no phone has is said.
  await page.getByText(en.recipients.savedWithWarnings).waitFor();
  await page.getByRole('dialog').getByText('is not a valid number').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: en.common.close }).last().click();
  await list.getByText('Anna Müller').waitFor();
  await list.getByText(en.recipients.quietIs('22:00', '07:00', 'Europe/Berlin')).waitFor();
  await list.getByText(en.recipients.unused).waitFor();
  expect((await stage.admin('GET', '/recipients/shift')).body).toEqual({
    people: { 'Anna Müller': '491713920001', Ben: '49171555' },
    quiet: { from: '22:00', to: '07:00', timezone: 'Europe/Berlin' },
  });
});

test('a version shows its changes, and the one before is put in force again', async ({ stage, open }) => {
  await publish(stage.admin, 'templates', 'rolled', { kind: 'text', message: 'The first text' });
  await publish(stage.admin, 'templates', 'rolled', { kind: 'text', message: 'The second text' });
  const { page, goTo } = await open();
  await goTo('/versions');
  await button(page, en.versions.changes).first().click();
  const changes = page.getByRole('dialog');
  await changes.getByText('+   "message": "The second text"').waitFor();
  await changes.getByRole('button', { name: en.common.close, exact: true }).click();
  await button(page, en.versions.activate).first().click();
  await page.getByRole('dialog').getByRole('button', { name: en.versions.activate, exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect((await stage.admin('GET', '/templates/rolled')).body).toMatchObject({ message: 'The first text' });
});

test('a message by hand is followed until it is sent', async ({ open }) => {
  const { page, goTo } = await open({ as: 'operator' });
  await goTo('/send');
  await page.getByLabel(en.find.number, { exact: true }).fill('+49 1510 0000051');
  await page.getByLabel(en.params.message, { exact: true }).fill('Lunch is *ready*');
  await button(page, en.nav.send).click();
  await page.getByText(en.states.sent, { exact: true }).first().waitFor();
});

/** A language's texts, and a gateway's costs in it. */
const LANGUAGES = [
  { language: 'en', texts: en },
  { language: 'de', texts: de },
] as const;

test.for(LANGUAGES)(
  'a new account is asked for its fields and secrets, on a phone in $language',
  async ({ language, texts }, { stage, open }) => {
    const { page, goTo, watch } = await open({ width: 390, language });
    await goTo('/accounts');
    await button(page, texts.accounts.add).click();
    const dialog = page.getByRole('dialog');
    const gateway = dialog.getByLabel(texts.accounts.gateway, { exact: true });
    await gateway.selectOption('waha');
    const called = dialog.getByLabel(texts.common.name, { exact: true });
    // One of another test may be there yet.
    const name = await called.inputValue();
    expect(name).toMatch(/^waha(-\d)?$/);
    const secret = `GATEWAY_${name.toUpperCase().replace('-', '_')}_API_KEY`;
    const save = dialog.getByRole('button', { name: texts.accounts.save, exact: true });
    await save.click();
    await dialog.getByText(/(Missing|Es fehlt): /).waitFor();
    const address = dialog.getByLabel(texts.accounts.settings['base_url'] ?? '', { exact: true });
    await address.fill('chat.example.com');
    watch.expectRefusal(422, `/accounts/${name}`);
    await save.click();
    await dialog.locator('.field-errors code', { hasText: 'base_url' }).waitFor();
    await address.fill('https://chat.example.com');
    await dialog.getByLabel(texts.sources.secretValue(secret), { exact: true }).fill('key-of-the-server');
    await dialog.getByText(`${secret}="key-of-the-server"`).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await save.click();
    await page.getByText(texts.accounts.saved(name)).waitFor();
    expect((await stage.admin('GET', `/accounts/${name}`)).body).toEqual({
      gateway: 'waha',
      base_url: 'https://chat.example.com',
    });
    await button(page, texts.accounts.add).click();
    await gateway.selectOption('waha');
    expect(await called.inputValue()).not.toBe(name);
    await called.fill(name);
    await save.click();
    await dialog.getByText(texts.accounts.taken(name)).waitFor();
    await stage.admin('DELETE', `/accounts/${name}`);
  },
);

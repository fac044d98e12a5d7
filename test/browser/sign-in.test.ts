import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { en } from '../../console/texts/en.ts';
import { violationsOf } from './support/axe.ts';
import { clicksIn } from './support/sources.ts';
import type { Stage } from './support/stage.ts';
import { button, heading, panel, signIn, signOut, test } from './support/test.ts';

/** Waits for the first screen's findings; what could not be loaded would be said in place of them. */
async function firstScreen(page: Page): Promise<void> {
  await page.getByRole('region', { name: en.now.needs }).or(page.getByRole('alert')).waitFor();
  expect(await page.getByRole('alert').allTextContents()).toEqual([]);
}

/** The role of whoever is signed in, as the page says it. */
const roleShown = (page: Page): Promise<string> => page.locator('.account-who strong').first().innerText();

async function newLink(stage: Stage): Promise<string> {
  const { body } = await stage.admin('POST', '/session/link');
  return String(typeof body === 'object' && body !== null ? Reflect.get(body, 'url') : '');
}

test('a token leads to the page that was asked for, until one signs out', async ({ stage, open }) => {
  const { page, goTo } = await open({ as: null });
  await goTo('/accounts');
  await signIn(page, stage.tokenOf('editor'));
  await heading(page, en.nav.accounts).waitFor();
  await page.reload();
  await heading(page, en.nav.accounts).waitFor();
  await signOut(page);
  await heading(page, en.signIn.title).waitFor();
  expect(await page.getByLabel(en.signIn.name).inputValue()).toBe('Ada');
  await goTo('/');
  await signIn(page, stage.tokenOf('operator'));
  await firstScreen(page);
});

test('the page for signing in meets WCAG 2.2 AA, and says that a wrong token is none', async ({ open }) => {
  const { page, goTo, watch } = await open({ as: null });
  watch.expectRefusal(401, '/session');
  await goTo('/');
  expect(await violationsOf(page)).toEqual([]);
  await signIn(page, 'none-of-the-tokens');
  await page.getByText(en.signIn.refused).waitFor();
  await heading(page, en.signIn.title).waitFor();
});

test('a link asks whoever is signed in as somebody else, and can be declined', async ({ stage, open }) => {
  const { page, goTo, watch } = await open({ as: 'viewer' });
  await goTo('/accounts');
  watch.expectRefusal(409, '/session');
  await page.goto(await newLink(stage));
  await heading(page, en.signIn.replace('Editor')).waitFor();
  expect(page.url()).toBe(`${stage.url}/admin`);
  await page.getByText(en.signIn.replaceText('Viewer', 'Editor')).waitFor();
  await button(page, en.signIn.replaceNot('Viewer')).click();
  await firstScreen(page);
  await goTo('/sessions');
  expect(await roleShown(page)).toBe('Viewer');
});

test('a link that is confirmed ends the session before', async ({ stage, open }) => {
  const { page, context, goTo, watch } = await open({ as: null });
  await goTo('/');
  await signIn(page, stage.tokenOf('operator'));
  await firstScreen(page);
  const before = await context.cookies();
  watch.expectRefusal(409, '/session');
  // The console is open in this tab: the browser loads nothing again.
  await page.goto(await newLink(stage));
  await button(page, en.signIn.replaceDo('Editor')).click();
  await firstScreen(page);
  expect(await roleShown(page)).toBe('Editor');
  const [{ name, value } = { name: '', value: '' }] = before;
  const old = await fetch(`${stage.url}/admin/api/v1/session`, { headers: { cookie: `${name}=${value}` } });
  expect(old.status).toBe(401);
});

test('a link works once, and leaves no code in the address', async ({ stage, open }) => {
  const link = await newLink(stage);
  const first = await open({ as: null });
  await first.page.goto(link);
  await firstScreen(first.page);
  expect(first.page.url()).toBe(`${stage.url}/admin`);
  const second = await open({ as: null });
  second.watch.expectRefusal(401, '/session');
  await second.page.goto(link);
  await second.page.getByText(en.signIn.badCode).waitFor();
});

test('somebody is invited in three clicks, and signs in by the link', async ({ stage, open }) => {
  const { page, goTo, context } = await open();
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stage.url });
  await goTo('/');
  const clicks = await clicksIn(page);
  await page.getByRole('link', { name: en.nav.sessions }).first().click();
  await button(page, en.sessions.invite).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
  await page.keyboard.type('Ben Müller');
  expect(await violationsOf(page)).toEqual([]);
  await button(page, en.sessions.makeLink).click();
  await page.getByText(en.sessions.linkFor('Ben Müller')).waitFor();
  expect(await clicks()).toBe(3);
  // The form is gone, and the focus is not lost with it.
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(en.common.close);
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toContain('/admin#code=operator.');
  expect(await violationsOf(page)).toEqual([]);
  const dialog = page.getByRole('dialog');
  await dialog.getByText(en.common.copied, { exact: true }).waitFor();
  // Nothing is behind the dialog that somebody would want to close first.
  expect(await page.locator('.toast').count()).toBe(0);
  await button(page, en.common.close).last().click();
  await dialog.waitFor({ state: 'detached' });
  const row = page.getByRole('listitem').filter({ hasText: 'Ben Müller' });
  await row.getByText(en.sessions.pending, { exact: true }).waitFor();

  const ben = await open({ as: null });
  await ben.page.goto(link);
  await ben.page.locator('.account-who').first().getByText('Ben Müller').waitFor();
  await ben.goTo('/accounts');
  const account = panel(ben.page, /^default /);
  await account.getByRole('button', { name: en.accounts.pause }).click();
  await account.getByRole('button', { name: en.accounts.resume }).waitFor();
  expect((await stage.admin('GET', '/accounts/default/status')).body).toMatchObject({
    paused: { by: 'Ben Müller' },
  });
  await stage.admin('POST', '/accounts/default/resume');

  await page.reload();
  await row.getByText(en.sessions.invitedBy(en.messages.theToken)).waitFor();
  await row.getByRole('button', { name: en.sessions.end }).click();
  // Nobody is signed out by a slip of the finger.
  const question = page.getByRole('dialog', { name: 'Ben Müller' });
  await question.getByRole('button', { name: en.sessions.end, exact: true }).click();
  await page.getByText(en.sessions.ended).waitFor();
  await ben.page.reload();
  await heading(ben.page, en.signIn.title).waitFor();
});

test('a session is ended by an editor, and its browser asks to sign in', async ({ stage, open }) => {
  // Not the session that tests share.
  const other = await open({ as: null });
  await other.page.goto(`${stage.url}/admin/accounts`);
  await signIn(other.page, stage.tokenOf('viewer'));
  await heading(other.page, en.nav.accounts).waitFor();
  other.watch.expectRefusal(401, '/doctor');
  const { page, goTo } = await open();
  await goTo('/sessions');
  // The newest is the first.
  const viewers = page.getByRole('listitem').filter({ hasText: en.account.roles.viewer });
  await viewers.first().getByRole('button', { name: en.sessions.end }).click();
  await page.getByRole('dialog').getByRole('button', { name: en.sessions.end, exact: true }).click();
  await page.getByText(en.sessions.ended).waitFor();
  await other.page.getByRole('link', { name: en.nav.doctor }).first().click();
  await other.page.getByText(en.signIn.ended).waitFor();
});

test('sessions end when their token is rotated; signing in leads back', async ({ stage, open }) => {
  const { page, goTo, watch } = await open();
  await goTo('/doctor');
  await heading(page, en.nav.doctor).waitFor();
  await stage.rotate();
  watch.expectRefusal(401, '/doctor');
  await page.getByRole('button', { name: en.doctor.again }).click();
  await page.getByText(en.signIn.ended).waitFor();
  expect(await heading(page, en.nav.doctor).count()).toBe(0);
  await signIn(page, stage.tokenOf('editor'));
  await heading(page, en.nav.doctor).waitFor();
  expect(page.url()).toBe(`${stage.url}/admin/doctor`);
});

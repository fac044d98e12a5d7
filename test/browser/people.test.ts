import { describe, expect } from 'vitest';
import { en } from '../../console/texts/en.ts';
import { violationsOf } from './support/axe.ts';
import { clicksIn } from './support/clicks.ts';
import { button, heading, signIn, test } from './support/test.ts';

describe('People', () => {
  test('are invited in three clicks, and sign in by the link, once', async ({ stage, open }) => {
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
    const account = ben.page.locator('section', {
      has: ben.page.getByRole('heading', { name: /^default / }),
    });
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

  test('give their name with the token, and it is known the next time', async ({ stage, open }) => {
    const { page, goTo } = await open({ as: null });
    await goTo('/sessions');
    await signIn(page, stage.tokenOf('editor'), 'Ada Lovelace');
    await heading(page, en.sessions.title).waitFor();
    await page.locator('.account-who').first().getByText('Ada Lovelace').waitFor();
    await button(page, en.account.signOut).click();
    await heading(page, en.signIn.title).waitFor();
    expect(await page.getByLabel(en.signIn.name).inputValue()).toBe('Ada Lovelace');
  });
});

import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { en } from '../../console/texts/en.ts';
import type { Stage } from './support/stage.ts';
import { button, heading, signIn, test } from './support/test.ts';

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

describe('Signing in', () => {
  test('by a token shows the page that was asked for, until somebody signs out', async ({ stage, open }) => {
    const { page, goTo } = await open({ as: null });
    await goTo('/accounts');
    await signIn(page, stage.tokenOf('editor'));
    await heading(page, en.accounts.title).waitFor();
    await page.reload();
    await heading(page, en.accounts.title).waitFor();
    await button(page, en.account.signOut).click();
    await heading(page, en.signIn.title).waitFor();
  });

  test('by a token shows the first screen, and no error', async ({ stage, open }) => {
    const { page, goTo } = await open({ as: null });
    await goTo('/');
    await signIn(page, stage.tokenOf('editor'));
    await heading(page, en.now.title).waitFor();
    await firstScreen(page);
    await button(page, en.account.signOut).click();
    await signIn(page, stage.tokenOf('operator'));
    await firstScreen(page);
  });

  test('by a printed link shows the first screen, and no error', async ({ stage, open }) => {
    const { page } = await open({ as: null });
    await page.goto(await newLink(stage));
    await firstScreen(page);
  });

  test('by a wrong token says that it is none', async ({ open }) => {
    const { page, goTo, watch } = await open({ as: null });
    watch.expectRefusal(401, '/session');
    await goTo('/');
    await signIn(page, 'none-of-the-tokens');
    await page.getByText(en.signIn.refused).waitFor();
    await heading(page, en.signIn.title).waitFor();
  });

  test('by a link asks whoever is signed in as somebody else, and can be declined', async ({
    stage,
    open,
  }) => {
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

  test('by a link signs in as somebody else once that is confirmed, and ends the session before', async ({
    stage,
    open,
  }) => {
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

  test('by a link that another site’s page leads to asks, too', async ({ stage, open }) => {
    const { page, context, watch } = await open({ as: 'viewer' });
    const link = await newLink(stage);
    const [cookie] = await context.cookies();
    watch.expectRefusal(409, '/session');
    await page.goto(`data:text/html,<a href="${encodeURIComponent(link)}">A parcel</a>`);
    await page.getByRole('link', { name: 'A parcel' }).click();
    await heading(page, en.signIn.replace('Editor')).waitFor();
    expect((await context.cookies())[0]?.value).toBe(cookie?.value);
  });

  test('by a link works once, and leaves no code in the address', async ({ stage, open }) => {
    const link = await newLink(stage);
    const first = await open({ as: null });
    await first.page.goto(link);
    await heading(first.page, en.now.title).waitFor();
    expect(first.page.url()).toBe(`${stage.url}/admin`);
    const second = await open({ as: null });
    second.watch.expectRefusal(401, '/session');
    await second.page.goto(link);
    await second.page.getByText(en.signIn.badCode).waitFor();
  });
});

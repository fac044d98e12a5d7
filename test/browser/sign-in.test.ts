import { describe, expect } from 'vitest';
import { en } from '../../console/texts/en.ts';
import { button, heading, signIn, test } from './support/test.ts';

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

  test('by a wrong token says that it is none', async ({ open }) => {
    const { page, goTo, watch } = await open({ as: null });
    watch.expectRefusal(401, '/session');
    await goTo('/');
    await signIn(page, 'none-of-the-tokens');
    await page.getByText(en.signIn.refused).waitFor();
    await heading(page, en.signIn.title).waitFor();
  });

  test('by a link works once, and leaves no code in the address', async ({ stage, open }) => {
    const { body } = await stage.admin('POST', '/session/link');
    const link = String(typeof body === 'object' && body !== null ? Reflect.get(body, 'url') : '');
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

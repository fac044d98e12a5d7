import { describe, expect } from 'vitest';
import { en } from '../../console/texts/en.ts';
import { heading, signIn, test } from './support/test.ts';

describe('A session', () => {
  test('ends when its token is rotated, and signing in leads back to where one was', async ({
    stage,
    open,
  }) => {
    const { page, goTo, watch } = await open();
    await goTo('/doctor');
    await heading(page, en.doctor.title).waitFor();
    await stage.rotate();
    watch.expectRefusal(401, '/doctor');
    watch.allowRefusal(401, '/release');
    await page.getByRole('button', { name: en.doctor.again }).click();
    await page.getByText(en.signIn.ended).waitFor();
    expect(await heading(page, en.doctor.title).count()).toBe(0);
    await signIn(page, stage.tokenOf('editor'));
    await heading(page, en.doctor.title).waitFor();
    expect(page.url()).toBe(`${stage.url}/admin/doctor`);
  });
});

import { describe, expect } from 'vitest';
import { en } from '../../console/texts/en.ts';
import { eventually } from '../eventually.ts';
import { openSource, postWebhook, publish } from './support/sources.ts';
import { button, heading, signIn, test } from './support/test.ts';

/** More than one page of a list. */
const COUNT = 120;

describe('A list of events', () => {
  test('names each by its subject, and says for how many it was sent, has failed, and waits', async ({
    stage,
    open,
  }) => {
    await publish(stage.admin, 'sources', 'listed', {
      ...openSource(),
      subject: '{{ payload.order }} {{ payload.name }}',
      routes: [
        { name: 'owner', to: '+49 1510 0000051', send: { kind: 'text', message: 'Paid' } },
        {
          name: 'later',
          to: ['4915100000052', '4915100000053'],
          delay: '1d',
          send: { kind: 'text', message: 'How was it?' },
        },
        { name: 'broken', to: '{{ payload.phone }}', send: { kind: 'text', message: 'Thanks' } },
      ],
    });
    await postWebhook(stage, 'listed', { type: 'order', order: '#1042', name: 'Ada Lovelace' });
    const { page, goTo } = await open();
    await eventually(async () => {
      const { body } = await stage.admin('GET', '/events?source=listed');
      expect(JSON.stringify(body)).toContain('"sent":1');
    });
    await goTo('/events?source=listed');
    const row = page.getByRole('listitem').filter({ hasText: '#1042 Ada Lovelace' });
    await expect.poll(() => row.innerText()).toMatch(/1 sent/);
    expect(await row.innerText()).toMatch(/2 waiting/);
    expect((await row.boundingBox())?.height).toBe(36);
    const heads = (await page.locator('.row-heads').innerText()).split('\n');
    expect(heads.map((head) => head.toLowerCase())).toContain(en.events.counts.waiting);
    expect(heads.filter((head) => !/^\p{Lu}/u.test(head))).toEqual([]);
  });

  test('is as it was left over Back: its scroll, its rows, and the focus', async ({ stage, open }) => {
    await publish(stage.admin, 'sources', 'long', openSource(undefined, { limit: false }));
    for (let at = 0; at < COUNT; at += 1)
      await postWebhook(stage, 'long', { type: `kind-${at}`, text: String(at) });
    const { page, goTo } = await open();
    await goTo('/events?source=long');
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await page.getByText(en.common.rows(String(COUNT), false)).waitFor();
    await page.evaluate(() => scrollTo(0, 110 * 36));
    const row = page.getByRole('listitem').filter({ hasText: /kind-8(?!\d)/ });
    await row.getByRole('link').focus();
    const scroll = await page.evaluate(() => scrollY);
    expect(scroll).toBeGreaterThan(2_000);
    const whereItWas = async (): Promise<void> => {
      await heading(page, en.events.title).waitFor();
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(scroll);
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('kind-8');
      expect(page.url()).toContain('source=long');
      await page.getByText(en.common.rows(String(COUNT), false)).waitFor();
    };

    await page.keyboard.press('Enter');
    await heading(page, 'kind-8').waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await page.getByRole('link', { name: en.common.back }).click();
    await whereItWas();

    await page.keyboard.press('Enter');
    await heading(page, 'kind-8').waitFor();
    await page.goBack();
    await whereItWas();

    await page.keyboard.press('Enter');
    await heading(page, 'kind-8').waitFor();
    await page.keyboard.press('u');
    await whereItWas();
  });

  test('of somebody who has signed out is not shown to the next one, not even over Back', async ({
    stage,
    open,
  }) => {
    await publish(stage.admin, 'sources', 'left', { ...openSource(), subject: '{{ payload.name }}' });
    await postWebhook(stage, 'left', { type: 'order', name: 'Grace Hopper' });
    const { page, goTo } = await open({ as: null });
    await goTo('/events?source=left');
    await signIn(page, stage.tokenOf('operator'));
    await page.getByText('Grace Hopper').first().waitFor();
    await page.getByRole('link', { name: en.nav.send }).first().click();
    await heading(page, en.send.title).waitFor();
    await button(page, en.account.signOut).click();
    await signIn(page, stage.tokenOf('viewer'));
    await heading(page, en.send.title).waitFor();

    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/v1/events?*', async (route) => {
      await released;
      await route.continue();
    });
    await page.goBack();
    await heading(page, en.events.title).waitFor();
    await page.locator('.loading').waitFor();
    expect(await page.getByText('Grace Hopper').count()).toBe(0);
    release();
    await page.getByRole('listitem').filter({ hasText: 'order' }).first().waitFor();
    expect(await page.getByText('Grace Hopper').count()).toBe(0);
  });
});

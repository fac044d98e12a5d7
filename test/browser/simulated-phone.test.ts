import { describe, expect } from 'vitest';
import { NO_PACE, postWebhook, publish } from './support/sources.ts';
import { test } from './support/test.ts';

const ANNA = '4915112395001';

describe('A link on the simulated phone', () => {
  test('opens the page of the relay in a tab of its own, and pressing it brings the answer to the phone', async ({
    stage,
  }) => {
    await publish(stage.admin, 'accounts', 'default', NO_PACE);
    await publish(stage.admin, 'recipients', 'phone-owners', { people: { Anna: ANNA } });
    await publish(stage.admin, 'sources', 'phone-shop', {
      verify: { scheme: 'none' },
      routes: [
        {
          name: 'ask',
          when: 'event.type == blank',
          to: ['phone-owners'],
          actions: { approve: { label: 'Approve' } },
          send: { kind: 'text', message: '*Refund 12 EUR?*\n\nApprove: {{ actions.approve.url }}' },
        },
        {
          name: 'answered',
          when: 'event.type == "action.approve"',
          to: ['phone-owners'],
          send: { kind: 'text', message: '{{ payload.by.name }} approved the refund' },
        },
      ],
    });
    await postWebhook(stage, 'phone-shop', {});
    const context = await stage.browser.newContext({
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
    });
    const phone = await context.newPage();
    await phone.goto(`${stage.phoneUrl}/`);
    await phone.getByRole('link', { name: /Refund 12 EUR/ }).tap();
    const link = phone.locator('article').getByRole('link', { name: `${stage.url}/a/` });
    const [page] = await Promise.all([context.waitForEvent('page'), link.tap()]);
    expect(page.url().startsWith(`${stage.url}/a/`)).toBe(true);
    expect(await page.locator('blockquote').textContent()).toBe('*Refund 12 EUR?*');
    await page.getByRole('button', { name: 'Approve' }).tap();
    await page.getByRole('heading', { name: 'Done', exact: true }).waitFor();
    await phone.locator('article', { hasText: 'Anna approved the refund' }).waitFor();
    // The page of a stranger's link knows nothing of the phone.
    expect(await page.evaluate(() => window.opener === null && document.referrer === '')).toBe(true);
    await context.close();
  });
});

import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { en } from '../../console/texts/en.ts';
import { clicksIn } from './support/clicks.ts';
import { freeStripeSecret, NO_PACE, postStripe, publish } from './support/sources.ts';
import { button, heading, test } from './support/test.ts';

/** Writes at the end of a text in the editor. */
async function append(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: label, exact: true }).first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(text);
}

describe('A Stripe source', () => {
  test('goes from the gallery to a changed message on the phone', async ({ stage, open }) => {
    await publish(stage.admin, 'accounts', 'default', NO_PACE);
    await freeStripeSecret(stage);
    const { page, goTo } = await open();

    // From the gallery.
    await goTo('/');
    const clicks = await clicksIn(page);
    await page.getByRole('link', { name: en.nav.sources }).first().click();
    await page.getByRole('link', { name: en.sources.add }).first().click();
    await page.getByRole('searchbox', { name: en.sources.searchProviders }).fill('strip');
    await page.getByRole('link', { name: 'Stripe' }).click();
    await heading(page, en.sources.addOne('Stripe')).waitFor();
    await page.getByLabel(en.sources.numbers).fill('+49 151 87654399');
    await page.getByText(en.sources.readAs('+4915187654399')).waitFor();
    // The customer's thanks are a template, which is changed below.
    await page.getByLabel(en.sources.customers).check();
    await button(page, en.sources.publish).click();
    await heading(page, 'stripe').waitFor();
    await heading2(page, en.sources.waiting).waitFor();

    // The first webhook, signed by Stripe's own SDK: the page turns by itself.
    await postStripe(stage, 'stripe', 'first');
    await page.getByText(en.sources.works).waitFor();
    // Its secret is set already. Customers are asked for by one more click than a message needs.
    expect(await clicks()).toBe(5);
    await page.getByRole('link', { name: en.sources.openEvent }).click();
    await page.getByRole('heading', { level: 1, name: /Zoë Schmidt/ }).waitFor();
    await page.getByText(en.states.sent, { exact: true }).first().waitFor();

    // Its text, tried on this very event.
    const event = page.url().split('/').at(-1) ?? '';
    await page.getByRole('link', { name: en.events.routes.template }).first().click();
    await append(page, en.params.message, ' Thank you, {{ payload.data.object.customer_details.name');
    const phone = page.getByRole('complementary', { name: en.templates.phone });
    await page.keyboard.type(' }}!');
    await phone.getByText('Thank you, Zoë Schmidt!').waitFor();
    await button(page, `${en.templates.publish} …`).click();
    const dialog = page.getByRole('dialog', { name: en.templates.publishTitle });
    await dialog.getByText(en.templates.wouldChange('1', '1', '0')).waitFor();
    await dialog.getByRole('button', { name: en.templates.publish, exact: true }).click();
    await page.getByText(en.templates.isPublished).waitFor();

    // Replayed, it arrives on the phone.
    const simulator = await stage.browser.newPage();
    await simulator.goto(stage.phoneUrl);
    await simulator.getByText('live', { exact: true }).waitFor();
    await goTo(`/events/${event}`);
    await button(page, en.events.replayButton).click();
    await page.getByRole('dialog').getByRole('button', { name: en.events.replayNow, exact: true }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(event));
    await simulator.getByText('Thank you, Zoë Schmidt!').first().waitFor();
    await simulator.close();
  });
});

const heading2 = (page: Page, name: string) => page.getByRole('heading', { level: 2, name });

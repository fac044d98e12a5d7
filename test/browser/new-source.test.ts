import { describe } from 'vitest';
import { en } from '../../console/texts/en.ts';
import { heading, test } from './support/test.ts';

describe('A new source', () => {
  test('speaks its language, and has the links that its owner makes possible', async ({ open }) => {
    const { page, goTo, watch } = await open();
    // Its secret is not set here.
    watch.expectRefusal(422, '/config');
    const language = page.getByRole('textbox', { name: en.sources.locale });
    await goTo('/sources/add/zendesk');
    await heading(page, en.sources.addOne('Zendesk')).waitFor();
    await page.getByLabel(en.sources.numbers).fill('+49 151 87654399');
    await language.fill('en-GB');
    await page.getByText('New ticket').first().waitFor();

    await page.getByLabel('The subdomain of your Zendesk').fill('No such name!');
    await page.getByText(en.sources.notLike('acme')).waitFor();
    await page.getByLabel('The subdomain of your Zendesk').fill('teashop');
    await page.getByText('https://teashop.zendesk.com/agent/tickets/').first().waitFor();

    await language.fill('de-DE');
    await page.getByText('Neues Ticket').first().waitFor();
    await page.getByText('https://teashop.zendesk.com/agent/tickets/').first().waitFor();
  });
});

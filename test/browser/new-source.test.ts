import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import github from '../../assets/providers/github.json' with { type: 'json' };
import { en } from '../../console/texts/en.ts';
import { GHOST } from '../config/ghost.ts';
import { violationsOf } from './support/axe.ts';
import { clicksIn, NO_PACE, phoneOf, postWebhook, publish, textRoute } from './support/sources.ts';
import { button, heading, signIn, signOut, test } from './support/test.ts';

const SECRET = 'secret-of-the-webhooks-of-code';
const NAME = 'GITHUB_WEBHOOK_SECRET';

test('a new source speaks its language, and has links to what it is about', async ({ open }) => {
  const { page, goTo, watch } = await open();
  // Its secret is not set here.
  watch.expectRefusal(422, '/config');
  const language = page.getByRole('textbox', { name: en.account.language });
  await goTo('/sources/add/zendesk');
  await heading(page, en.sources.addOne('Zendesk')).waitFor();
  await page.getByLabel(en.common.numbers).fill('+49 151 87654399');
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

test('a new source waits for its secret: five clicks and a pasted line', async ({ stage, open }) => {
  await publish(stage.admin, 'accounts', 'default', NO_PACE);
  const { page, goTo, watch, context } = await open({ as: null });
  watch.expectRefusal(422, '/config');
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stage.url });
  await goTo('/');
  await signIn(page, stage.tokenOf('editor'), 'Ada Lovelace');
  await heading(page, en.nav.now).waitFor();
  const clicks = await clicksIn(page);
  await page.getByRole('link', { name: en.nav.sources }).first().click();
  await page.getByRole('link', { name: en.sources.add }).first().click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
  await page.keyboard.type('github');
  await page.getByRole('link', { name: 'GitHub', exact: true }).click();
  await heading(page, en.sources.addOne('GitHub')).waitFor();
  await page.getByLabel(en.common.numbers).click();
  await page.keyboard.type('+49 151 00000111');
  await page.getByText(en.sources.readAs('+4915100000111')).waitFor();
  // Its routes are sentences, with their Liquid folded away.
  const route = page.getByLabel('When an issue is opened, to team', { exact: true });
  await route.waitFor();
  expect(await page.getByText('payload.action', { exact: false }).first().isVisible()).toBe(false);

  // Nothing is in force before the secret is there. The form is kept, for this person alone.
  await page.getByText(en.sources.draftHelp(NAME)).waitFor();
  expect(await button(page, en.sources.publish).count()).toBe(0);
  const other = await context.newPage();
  await other.goto(`${stage.url}/admin/sources`);
  const kept = other.getByRole('listitem').filter({ hasText: en.sources.draftWaits(NAME) });
  await kept.getByRole('link', { name: 'github' }).waitFor();
  expect(await violationsOf(other)).toEqual([]);
  await other.close();
  expect(JSON.stringify((await stage.admin('GET', '/sources')).body)).not.toContain('"github"');

  // The line that sets it, with its value.
  await page.getByLabel(en.sources.secretValue(NAME)).fill(SECRET);
  await button(page, en.common.copy).last().click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${NAME}="${SECRET}"`);
  await stage.setSecret(NAME, SECRET);
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await button(page, en.sources.publish).click();
  await heading(page, 'github').waitFor();
  await page.getByRole('heading', { level: 2, name: en.sources.waiting }).waitFor();
  const sample = github.samples.find(({ name }) => name === 'issues opened');
  const body = JSON.stringify(sample?.payload);
  await postWebhook(stage, 'github', body, {
    'x-github-event': 'issues',
    'x-github-delivery': 'first-delivery',
    'x-hub-signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
  });
  await page.getByText(en.sources.works).waitFor();
  // Five, and the one that copied the line.
  expect(await clicks()).toBe(6);
  await expect.poll(() => phoneOf(stage, '4915100000111')).toContain('4915100000111');
  await page.getByText(/^When an issue is opened, to (github-)?team$/).waitFor();

  // The draft is gone.
  await page.getByRole('link', { name: en.nav.sources }).first().click();
  await heading(page, en.nav.sources).waitFor();
  expect(await page.getByText(en.sources.drafts, { exact: true }).count()).toBe(0);
});

test('a draft is discarded, and is not left behind by whoever signs out', async ({ stage, open }) => {
  const { page, goTo, watch } = await open({ as: null });
  watch.expectRefusal(422, '/config');
  await goTo('/sources/add/gitlab');
  await signIn(page, stage.tokenOf('editor'), 'Grace Hopper');
  const fill = async (): Promise<void> => {
    await page.getByLabel(en.common.name, { exact: true }).fill('kept');
    await button(page, en.sources.keepDraft).click();
    await heading(page, en.nav.sources).waitFor();
  };
  const draft = page.getByRole('listitem').filter({ hasText: 'kept' });
  await fill();
  await draft.getByRole('link', { name: 'kept' }).click();
  await expect.poll(() => page.getByLabel(en.common.name, { exact: true }).inputValue()).toBe('kept');
  await goTo('/sources');
  await draft.getByRole('button', { name: en.sources.discard }).click();
  await draft.waitFor({ state: 'detached' });

  await goTo('/sources/add/gitlab');
  await fill();
  await signOut(page);
  await heading(page, en.signIn.title).waitFor();
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('kept');
});

test('a new source sends a sample to the phone of whoever set it up', async ({ stage, open }) => {
  await publish(stage.admin, 'accounts', 'default', NO_PACE);
  await publish(stage.admin, 'recipients', 'sampled', { numbers: ['4915100000112'] });
  await publish(stage.admin, 'sources', 'sampled', {
    provider: 'stripe',
    secrets: ['STRIPE_WEBHOOK_SECRET'],
    routes: [
      textRoute(['sampled'], 'Sample of {{ payload.data.object.customer_details.name }}', {
        when: 'event.type == "checkout.session.completed"',
      }),
    ],
  });
  const { page, goTo } = await open();
  await goTo('/sources/sampled');
  await button(page, en.sources.trySamples).click();
  await page.getByText('Sample of Ada Lovelace').first().waitFor();
  await page.getByLabel(en.sources.ownNumber).fill('+49 151 00000113');
  await button(page, en.sources.sendMe(1)).click();
  await page.getByText(en.sources.sampleSent('+4915100000113')).waitFor();
  await expect.poll(() => phoneOf(stage, '4915100000113')).toContain('Sample of Ada Lovelace');
  // To nobody else.
  expect(await phoneOf(stage, '4915100000112')).not.toContain('Sample of');
});

test("a sender of the set's own is offered first, makes a source, and shows samples and events", async ({
  stage,
  open,
}) => {
  await publish(stage.admin, 'providers', 'ghost', GHOST);
  await stage.setSecret('GHOST_WEBHOOK_SECRET', SECRET);
  const { page, goTo } = await open({ width: 390 });
  await goTo('/sources/add');
  expect(await page.locator('.sources-card').first().innerText()).toBe('Ghost');
  await page.getByRole('link', { name: 'Ghost', exact: true }).click();
  await page.getByLabel(en.common.numbers).fill('+49 151 00000114');
  await page.getByText('Ghost: post.published').waitFor();
  await button(page, en.sources.publish).click();
  await heading(page, 'ghost').waitFor();
  const body = JSON.stringify({ id: 8, type: 'post.published', title: 'A tea of our own' });
  const now = Date.now();
  const signature = createHmac('sha256', SECRET).update(`${body}${now}`).digest('hex');
  const signed = { 'x-ghost-signature': `sha256=${signature}, t=${now}` };
  await postWebhook(stage, 'ghost', body, signed);
  await page.getByText(en.sources.works).waitFor();
  await button(page, en.sources.trySamples).click();
  await button(page, en.sources.sendMe(1)).waitFor();
  await goTo('/events');
  await page.getByRole('link', { name: 'post.published' }).first().click();
  await page.getByText('Ghost: A tea of our own').waitFor();
});

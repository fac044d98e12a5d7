import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished } from 'vitest';
import { eventually } from '../eventually.ts';
import { violationsOf } from './support/axe.ts';
import { NO_PACE, phoneOf, postWebhook, publish, publishRoutes, textRoute } from './support/sources.ts';
import type { Stage } from './support/stage.ts';
import { test, visit } from './support/test.ts';

const ANNA = '4915112394001';
const BEN = '4915112394002';

const WORDS = {
  'en-GB': [
    'Done',
    'Undo',
    'Answered already',
    'This link is no longer in use',
    'Somebody has it',
    'Resolved',
  ],
  'de-DE': [
    'Erledigt',
    'Rückgängig machen',
    'Schon beantwortet',
    'Dieser Link gilt nicht mehr',
    'Jemand kümmert sich',
    'Behoben',
  ],
} as const;

/** Publishes a source of this route to two people, and posts one webhook. Returns the links of each. */
async function ask(stage: Stage, name: string, locale: string, message: string, more: object) {
  await publish(stage.admin, 'accounts', 'default', NO_PACE);
  const routes = [textRoute([ANNA, BEN], message, more)];
  await publishRoutes(stage, name, routes, { locale });
  const before = new Set([...(await linksTo(stage, ANNA)), ...(await linksTo(stage, BEN))]);
  await postWebhook(stage, name, { ended: false });
  return eventually(async () => {
    const [anna = '', ben = ''] = await Promise.all(
      [ANNA, BEN].map(async (phone) => (await linksTo(stage, phone)).find((one) => !before.has(one))),
    );
    expect([anna, ben]).not.toContain('');
    return { anna, ben };
  });
}

const linksTo = async (stage: Stage, phone: string): Promise<readonly string[]> =>
  (await phoneOf(stage, phone)).match(/http:\/\/[\w.:]+\/a\/[0-9a-z]{24}/g) ?? [];

const QUESTION = 'Refund 12 EUR?';
const askForOk = (stage: Stage, name: string, locale: string) =>
  ask(stage, name, locale, `${QUESTION}\n\nOK: {{ actions.approve.url }}`, {
    actions: { approve: { label: 'OK' } },
  });
const askWhoHasIt = (stage: Stage, name: string, locale: string) =>
  ask(stage, name, locale, `${name}{% unless resolved_at %} {{ actions.ack.url }}{% endunless %}`, {
    incident: { key: name, resolved: 'payload.ended' },
    actions: { ack: {} },
  });

/** Opens a page on a phone, until the test ends. */
async function onPhone(stage: Stage, hasScript: boolean): Promise<Page> {
  const context = await visit(stage, hasScript);
  onTestFinished(() => context.close());
  return context.newPage();
}

const shows = (page: Page, title: string): Promise<void> =>
  page.getByRole('heading', { name: title, exact: true }).waitFor();

describe.each(['en-GB', 'de-DE'] as const)('The page of a link, in %s', (locale) => {
  const [done, undo, answered, withdrawn, taken, resolved] = WORDS[locale];
  const name = `ask-${locale.slice(0, 2)}`;

  test('is pressed without a script, undone, pressed by keyboard, and says so', async ({ stage }) => {
    const links = await askForOk(stage, name, locale);
    const page = await onPhone(stage, false);
    await page.goto(links.anna);
    expect(await page.locator('blockquote').textContent()).toBe(QUESTION);
    const ok = page.getByRole('button', { name: 'OK' });
    const box = await ok.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(60);
    expect(box?.width).toBeGreaterThanOrEqual(340);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(844);
    await ok.tap();
    await shows(page, done);
    expect(page.url()).toBe(links.anna);
    await page.getByRole('button', { name: undo }).tap();
    await ok.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await shows(page, done);
    // An undo is taken once.
    expect(await page.getByRole('button').count()).toBe(0);
    await page.reload();
    await shows(page, done);
    await page.goto(links.ben);
    await shows(page, answered);
    expect(await page.getByRole('button').count()).toBe(0);
  });

  test('meets WCAG 2.2 AA in each state, loads nothing, and works with a keyboard', async ({ stage }) => {
    const { admin, url } = stage;
    const links = await askForOk(stage, name, locale);
    const page = await onPhone(stage, true);
    const requests: string[] = [];
    page.on('request', (request) => void requests.push(request.url()));
    const meets = async (what: string): Promise<void> =>
      expect([what, await violationsOf(page)]).toEqual([what, []]);
    await page.goto(links.anna);
    await meets('asked');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toBe('OK');
    await page.keyboard.press('Enter');
    await shows(page, done);
    await meets(done);
    for (const path of [links.ben, `${url}/a/0123456789abcdefghjkmnpq`, `${url}/a/0123`]) {
      await page.goto(path);
      await meets(path);
    }
    const again = await askForOk(stage, name, locale);
    const routes = [textRoute([ANNA, BEN], QUESTION)];
    await publishRoutes(stage, name, routes, { locale });
    await page.goto(again.anna);
    await shows(page, withdrawn);
    await meets(withdrawn);
    const incident = await askWhoHasIt(stage, `${name}-alerts`, locale);
    const { body } = await admin('GET', `/incidents?source=${name}-alerts`);
    const [id = ''] = /inc_[\w-]+/.exec(JSON.stringify(body)) ?? [];
    for (const [act, title] of [
      ['acknowledge', taken],
      ['resolve', resolved],
    ] as const) {
      await admin('POST', `/incidents/${id}/${act}`);
      await page.goto(incident.anna);
      await shows(page, title);
      await meets(title);
    }
    expect(await page.getByRole('button').count()).toBe(0);
    const own = `${new URL(url).origin}/a/`;
    expect(requests.filter((one) => !one.startsWith(own) && !one.endsWith('/favicon.ico'))).toEqual([]);
  });
});

test('an alert is acknowledged by a thumb, and the other hears who has it', async ({ stage }) => {
  const links = await askWhoHasIt(stage, 'acked', 'en-GB');
  const page = await onPhone(stage, false);
  await page.goto(links.anna);
  await page.getByRole('button', { name: 'I have it' }).tap();
  await shows(page, 'Done');
  const hears = (phone: string, text: RegExp): Promise<void> =>
    expect.poll(() => phoneOf(stage, phone)).toMatch(text);
  await hears(BEN, /has it: acked/);
  expect(await phoneOf(stage, ANNA)).not.toMatch(/has it: acked/);
  await postWebhook(stage, 'acked', { ended: true });
  for (const phone of [ANNA, BEN]) await hears(phone, /"message":"acked"/);
});

test('a link on the simulated phone opens in a tab of its own, and is answered', async ({ stage }) => {
  await publish(stage.admin, 'accounts', 'default', NO_PACE);
  await publish(stage.admin, 'recipients', 'phone-owners', { people: { Anna: '4915112395001' } });
  const message = '*Refund 12 EUR?*\n\nApprove: {{ actions.approve.url }}';
  const routes = [
    textRoute(['phone-owners'], message, {
      name: 'ask',
      when: 'event.type == blank',
      actions: { approve: { label: 'Approve' } },
    }),
    textRoute(['phone-owners'], '{{ payload.by.name }} approved the refund', {
      name: 'answered',
      when: 'event.type == "action.approve"',
    }),
  ];
  await publishRoutes(stage, 'phone-shop', routes);
  await postWebhook(stage, 'phone-shop', {});
  const phone = await onPhone(stage, true);
  await phone.goto(`${stage.phoneUrl}/`);
  await phone.getByRole('link', { name: /Refund 12 EUR/ }).tap();
  const link = phone.locator('article').getByRole('link', { name: `${stage.url}/a/` });
  const [page] = await Promise.all([phone.context().waitForEvent('page'), link.tap()]);
  expect(await page.locator('blockquote b').textContent()).toBe('Refund 12 EUR?');
  await page.getByRole('button', { name: 'Approve' }).tap();
  await shows(page, 'Done');
  await phone.locator('article', { hasText: 'Anna approved the refund' }).waitFor();
  // The page of a stranger's link knows nothing of the phone.
  expect(await page.evaluate(() => window.opener === null && document.referrer === '')).toBe(true);
});

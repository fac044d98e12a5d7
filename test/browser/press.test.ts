import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { violationsOf } from './support/axe.ts';
import { NO_PACE, postWebhook, publish } from './support/sources.ts';
import type { Stage } from './support/stage.ts';
import { test } from './support/test.ts';

const ANNA = '4915112394001';
const BEN = '4915112394002';

const WORDS = {
  'en-GB': {
    ask: 'Refund 12 EUR?',
    done: 'Done',
    undo: 'Undo',
    answered: 'Answered already',
    withdrawn: 'This link is no longer in use',
    taken: 'Somebody has it',
    resolved: 'Resolved',
  },
  'de-DE': {
    ask: '12 EUR erstatten?',
    done: 'Erledigt',
    undo: 'Rückgängig machen',
    answered: 'Schon beantwortet',
    withdrawn: 'Dieser Link gilt nicht mehr',
    taken: 'Jemand kümmert sich',
    resolved: 'Behoben',
  },
} as const;

/** Publishes a source that asks two people, asks once, and returns the link of each. */
async function ask({ admin, phoneUrl, url }: Stage, name: string, locale: keyof typeof WORDS) {
  await publish(admin, 'accounts', 'default', NO_PACE);
  await publish(admin, 'sources', name, {
    verify: { scheme: 'none' },
    locale,
    routes: [
      {
        name: 'ask',
        to: [ANNA, BEN],
        actions: { approve: { label: 'OK' } },
        send: { kind: 'text', message: `${WORDS[locale].ask}\n\nOK: {{ actions.approve.url }}` },
      },
    ],
  });
  const before = new Set([...(await linksTo(phoneUrl, ANNA)), ...(await linksTo(phoneUrl, BEN))]);
  await fetch(`${url}/hooks/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  const found = { anna: '', ben: '' };
  await eventually(async () => {
    found.anna = (await linksTo(phoneUrl, ANNA)).find((link) => !before.has(link)) ?? '';
    found.ben = (await linksTo(phoneUrl, BEN)).find((link) => !before.has(link)) ?? '';
    expect(Object.values(found)).not.toContain('');
  });
  return found;
}

async function linksTo(phoneUrl: string, phone: string): Promise<readonly string[]> {
  const answer = await fetch(`${phoneUrl}/_control/calls?phone=${phone}&limit=1000`);
  return (await answer.text()).match(/http:\/\/[\w.:]+\/a\/[0-9a-z]{24}/g) ?? [];
}

const visit = (stage: Stage, javaScriptEnabled: boolean): Promise<BrowserContext> =>
  stage.browser.newContext({
    javaScriptEnabled,
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });

const shows = (page: Page, title: string): Promise<void> =>
  page.getByRole('heading', { name: title, exact: true }).waitFor();

describe.each(['en-GB', 'de-DE'] as const)('The page of a link, in %s', (locale) => {
  const words = WORDS[locale];
  const name = `ask-${locale.slice(0, 2)}`;

  test('is pressed by a thumb without a script, undone, pressed again, and says so to the other', async ({
    stage,
  }) => {
    const links = await ask(stage, name, locale);
    const context = await visit(stage, false);
    const page = await context.newPage();
    await page.goto(links.anna);
    expect(await page.locator('blockquote').textContent()).toBe(words.ask);
    const ok = page.getByRole('button', { name: 'OK' });
    const box = await ok.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(60);
    expect(box?.width).toBeGreaterThanOrEqual(340);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(844);
    await ok.tap();
    await shows(page, words.done);
    expect(page.url()).toBe(links.anna);
    await page.getByRole('button', { name: words.undo }).tap();
    await page.getByRole('button', { name: 'OK' }).tap();
    await shows(page, words.done);
    await page.reload();
    await shows(page, words.done);
    await page.goto(links.ben);
    await shows(page, words.answered);
    expect(await page.getByRole('button').count()).toBe(0);
    await context.close();
  });

  test('is undone with a keyboard alone, and without a script', async ({ stage }) => {
    const links = await ask(stage, name, locale);
    const context = await visit(stage, false);
    const page = await context.newPage();
    await page.goto(links.anna);
    for (const title of [words.done, null, words.done]) {
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await (title === null ? page.getByRole('button', { name: 'OK' }).waitFor() : shows(page, title));
    }
    await context.close();
  });

  test('meets WCAG 2.2 AA where there is nothing to press any more', async ({ stage }) => {
    const { admin, url } = stage;
    const links = await ask(stage, name, locale);
    const context = await visit(stage, true);
    const page = await context.newPage();
    await publish(admin, 'sources', name, {
      verify: { scheme: 'none' },
      locale,
      routes: [{ name: 'ask', to: [ANNA, BEN], send: { kind: 'text', message: words.ask } }],
    });
    await page.goto(links.anna);
    await shows(page, words.withdrawn);
    expect(await violationsOf(page)).toEqual([]);
    const alerts = `${name}-alerts`;
    const incident = { key: 'disk', resolved: 'payload.ended' };
    await publish(admin, 'sources', alerts, {
      verify: { scheme: 'none' },
      locale,
      routes: [
        {
          name: 'all',
          to: [ANNA, BEN],
          incident,
          actions: { ack: {} },
          send: {
            kind: 'text',
            message: `${alerts}{% unless resolved_at %} {{ actions.ack.url }}{% endunless %}`,
          },
        },
      ],
    });
    const before = new Set(await linksTo(stage.phoneUrl, ANNA));
    await postWebhook(stage, alerts, { ended: false });
    const link = await eventually(async () => {
      const found = (await linksTo(stage.phoneUrl, ANNA)).find((one) => !before.has(one)) ?? '';
      expect(found).not.toBe('');
      return found;
    });
    const { body } = await admin('GET', `/incidents?source=${alerts}`);
    const [id = ''] = /inc_[\w-]+/.exec(JSON.stringify(body)) ?? [];
    await admin('POST', `/incidents/${id}/acknowledge`);
    await page.goto(link);
    await shows(page, words.taken);
    expect(await violationsOf(page)).toEqual([]);
    await admin('POST', `/incidents/${id}/resolve`);
    await page.goto(link);
    await shows(page, words.resolved);
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.getByRole('button').count()).toBe(0);
    expect(page.url().startsWith(url)).toBe(true);
    await context.close();
  });

  test('meets WCAG 2.2 AA in each state, loads nothing, and works with a keyboard', async ({ stage }) => {
    const links = await ask(stage, name, locale);
    const context = await visit(stage, true);
    const page = await context.newPage();
    const requests: string[] = [];
    page.on('request', (request) => void requests.push(request.url()));
    await page.goto(links.anna);
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toBe('OK');
    await page.keyboard.press('Enter');
    await page.waitForFunction((done) => document.querySelector('h1')?.textContent === done, words.done);
    expect(await violationsOf(page)).toEqual([]);
    for (const path of [links.ben, `${stage.url}/a/0123456789abcdefghjkmnpq`, `${stage.url}/a/0123`]) {
      await page.goto(path);
      expect([path, await violationsOf(page)]).toEqual([path, []]);
    }
    const { origin } = new URL(stage.url);
    expect(
      requests.filter((one) => !one.startsWith(`${origin}/a/`) && !one.endsWith('/favicon.ico')),
    ).toEqual([]);
    await context.close();
  });
});

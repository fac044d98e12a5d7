import type { Locator, Page, Route } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { de } from '../../console/texts/de.ts';
import { en } from '../../console/texts/en.ts';
import { violationsOf } from './support/axe.ts';
import { dialogsOf, setTable } from './support/dialogs.ts';
import { stopsOf } from './support/phone.ts';
import { seed } from './support/seed.ts';
import { messagesOf, postWebhook, publish, publishRoutes, textRoute } from './support/sources.ts';
import { button, heading, test } from './support/test.ts';

/** Every page that the navigation and its pages lead to, but those of one thing. */
const PAGES = [
  '/',
  ...'search incidents silences events messages sources sources/add sources/add/github templates charts send'
    .split(' ')
    .map((path) => `/${path}`),
  ...'recipients recipients/opted-out on-call accounts rejections versions sessions doctor'
    .split(' ')
    .map((path) => `/${path}`),
];

/** All that a person reads or hears of a page, besides code, and texts of others: a document's, a webhook's, a message's. */
const textsOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const others =
      'noscript, code, pre, textarea, .bubble, .cm-editor, [dir=auto], [lang=en], .markdown em, .markdown strong';
    const found = new Set<string>();
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
      const of = node.parentElement;
      if (of === null || of.closest(`script, style, ${others}`) !== null) continue;
      // A sentence with a name in it is one text: what somebody else wrote may stand in quotes around the name.
      const isWhole = of.querySelector(':scope > code') !== null;
      const parts = isWhole ? [...of.childNodes] : [node];
      found.add(parts.map((one) => (one.nodeName === 'CODE' ? '`name`' : (one.textContent ?? ''))).join(''));
    }
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]'))
      if (element.closest(others) === null)
        for (const name of ['aria-label', 'title', 'placeholder'])
          found.add(element.getAttribute(name) ?? '');
    return [...found].map((text) => text.trim()).filter((text) => /\p{L}{2}/u.test(text));
  });

const ENGLISH =
  /\b(the|is|are|were|must|has|have|been|with|without|which|there|and|or|not|of|to|it|that|this|your|you|for|from|by|what|when|who)\b/i;

/** Without names, the relay's sentences, and what somebody else has written. */
const own = (text: string): string =>
  text.replaceAll(
    /\u2068[^\u2069]*\u2069|`[^`]*`|„[^“]*“|"[^"]*"|'[^']*'|[\w]+(?:-[\w]+)+|\w+\/[\w ]+|Isle of Man/g,
    '',
  );

/** The words of a catalogue that German does not share. */
const words = (part: object): readonly string[] =>
  Object.values(part).flatMap((one: unknown) =>
    typeof one === 'string' ? [one] : typeof one === 'object' && one !== null ? words(one) : [],
  );
const german = new Set(words(de));
const onlyEnglish = new Set(words(en).filter((text) => !german.has(text)));

const isEnglish = (text: string): boolean =>
  (/ /.test(text) && ENGLISH.test(own(text))) || (onlyEnglish.has(text) && !/^[a-z]+$/.test(text));

const DESK = { width: 1280, height: 800 };
const HAND = { width: 390, height: 844 };

/** In a payload, a text, a list, a silence: wherever a number can stand. */
const NUMBER = '4915199887766';

/** Buttons that change nothing but what this browser shows. */
const HARMLESS = [
  en.now.done,
  en.now.showAgain,
  en.common.show,
  en.account.signOut,
  en.common.copy,
  en.common.close,
  en.common.more,
  en.common.again,
  en.common.live,
  en.common.liveStopped,
  en.common.liveLost,
  en.common.search,
  en.common.search,
  en.doctor.again,
  ...Object.values(en.charts.ranges),
  en.versions.changes,
];

const digitsIn = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const texts: string[] = [];
    const read = (root: Document | ShadowRoot): void => {
      for (const element of root.querySelectorAll('*')) {
        if (element.shadowRoot !== null) read(element.shadowRoot);
        for (const { value } of element.attributes) texts.push(value);
        if ('value' in element) texts.push(String(element.value));
      }
      texts.push(root instanceof Document ? root.body.innerText : (root.textContent ?? ''));
    };
    read(document);
    return texts.join('\n').replaceAll(/[\s()/-]/g, '');
  });

/** The names of all buttons of a page, without those of the frame around it. */
const buttonsOn = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main button')].map(
      (button) => button.getAttribute('aria-label') ?? button.textContent.trim(),
    ),
  );

const FAILURE = { title: 'Internal error', status: 500, detail: 'It broke. Try again.' };

/** The API's answers: none at all, or a failure. */
const HANGS = (_route: Route): Promise<void> => Promise.resolve();
const FAILS = (route: Route): Promise<void> =>
  route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify(FAILURE) });

/** The language with the longer words. */
const LOOK = { width: 390, language: 'de' } as const;

/** A source, and a problem, with names that no phone is wide enough for. */
const SOURCE = 'kubernetes-production-frankfurt';
const LONG = {
  alertname: 'CertificateExpiresSoon',
  instance: 'node-5-9.production.frankfurt.example.com:9100',
};

/** The place of the last of them on the screen. */
const boxOf = (all: Locator): Promise<{ readonly top: number; readonly bottom: number }> =>
  all.last().evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return { top, bottom };
  });

test('every page meets WCAG 2.2 AA, on a desk and a phone, light and dark', async ({ stage, open }) => {
  const { page, goTo, watch } = await open();
  // Asked whether a new source could be published, the relay says which secret is missing.
  watch.expectRefusal(422, '/config');
  const found: string[] = [];
  for (const path of [...PAGES, ...(await seed(stage))]) {
    await goTo(path);
    found.push(...(await violationsOf(page)).map((one) => `${path} at ${one}`));
  }
  expect(found).toEqual([]);
});

test.for(['de', 'en'] as const)(
  'every page fits a phone in %s: nothing is wider or cut, what is tapped is 44 px high; German is German',
  async (language, { stage, open }) => {
    const { page, goTo, watch } = await open({ width: 390, language });
    watch.expectRefusal(422, '/config');
    const found: string[] = [];
    for (const path of [...PAGES, ...(await seed(stage))]) {
      await goTo(path);
      const stops = await stopsOf(page);
      const texts = language === 'de' ? (await textsOf(page)).filter(isEnglish) : [];
      found.push(...[...stops, ...texts].map((one) => `${path}: ${one}`));
    }
    expect(found).toEqual([]);
  },
);

test('the language is the browser’s, and another one when somebody chooses it', async ({ open }) => {
  const { page, goTo } = await open({ language: 'de' });
  await goTo('/messages');
  await heading(page, de.nav.messages).waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
  await page.locator('.avatar').click();
  await page.getByLabel(de.account.language).first().selectOption('en');
  await heading(page, en.nav.messages).waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
  await page.reload();
  await heading(page, en.nav.messages).waitFor();
});

test('a viewer sees no number and no button that changes anything', async ({ stage, open }) => {
  const { admin } = stage;
  await publish(admin, 'recipients', 'viewed', { numbers: [NUMBER] });
  await publishRoutes(stage, 'viewed', [
    textRoute(NUMBER, 'Call {{ payload.phone }}, says {{ payload.name }}'),
  ]);
  const event = await postWebhook(stage, 'viewed', { type: 'call', name: 'Wilhelmine', phone: `+${NUMBER}` });
  const { page, goTo } = await open({ as: 'viewer' });
  const [message = ''] = await messagesOf(stage, event);
  for (const path of [...PAGES, `/events/${event}`, `/messages/${message}`, '/sources/viewed']) {
    await goTo(path);
    const text = await digitsIn(page);
    expect(text, path).not.toContain(NUMBER);
    expect(text, path).not.toContain(NUMBER.slice(2));
    if (path !== '/sources/viewed') expect(text, path).not.toContain('Wilhelmine');
    expect(
      (await buttonsOn(page)).filter((name) => !HARMLESS.some((one) => name.startsWith(one))),
      path,
    ).toEqual([]);
  }
  await goTo(`/messages/${message}`);
  await page
    .getByText(/^\+49\d*•+\d\d$/)
    .first()
    .waitFor();

  // To an editor all of it is there, so that it was looked for in the right places.
  const editor = await open();
  await editor.goTo(`/messages/${message}`);
  expect(await digitsIn(editor.page)).toContain(NUMBER);
  expect(await digitsIn(editor.page)).toContain('Wilhelmine');
  await editor.goTo(`/events/${event}`);
  expect(await buttonsOn(editor.page)).toContain(en.events.replayButton);
});

test('a page meets WCAG 2.2 AA while it loads, and if it could not be loaded', async ({ open }) => {
  const { page, goTo, watch } = await open();
  await goTo('/accounts');
  let answer = HANGS;
  await page.route(/\/admin\/api\/v1\//, (route) => answer(route));
  const menu = page.getByRole('navigation').first();
  // In the frame, and before it is known who is signed in.
  const pages: readonly (() => Promise<unknown>)[] = [
    () => menu.getByRole('link', { name: en.nav.charts, exact: true }).click(),
    () => page.reload(),
  ];
  for (const show of pages) {
    answer = HANGS;
    await show();
    await page.locator('.loading').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  }
  watch.expectRefusal(500, '/session');
  watch.expectRefusal(500, '/stats/series');
  for (const path of ['/messages', '/incidents', '/sources']) watch.allowRefusal(500, path);
  answer = FAILS;
  await page.reload();
  await page.getByRole('alert').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.unroute(/\/admin\/api\/v1\//);
  await goTo('/accounts');
  await page.route(/\/admin\/api\/v1\//, (route) => answer(route));
  await menu.getByRole('link', { name: en.nav.charts, exact: true }).click();
  await page.getByRole('alert').waitFor();
  expect(await violationsOf(page)).toEqual([]);
});

test('dialogs meet WCAG 2.2 AA, close by Escape, and give the focus back', async ({ stage, open }) => {
  const paths = await setTable(stage);
  const { page, goTo } = await open();
  const found: string[] = [];
  for (const [name, path, show] of dialogsOf(en, paths)) {
    await page.setViewportSize(DESK);
    await goTo(path);
    await show(page);
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    found.push(...(await violationsOf(page)).map((one) => `${name} at ${one}`));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // The page gets it back once the dialog has gone.
    await page.waitForFunction(() => document.activeElement !== document.body);
  }
  await stage.admin('DELETE', '/recipients/odd');
  expect(found).toEqual([]);
});

test('dialogs fit a phone, with their buttons in sight', async ({ stage, open }) => {
  const paths = await setTable(stage);
  const { page, goTo } = await open(LOOK);
  const found: string[] = [];
  for (const [name, path, show] of dialogsOf(de, paths)) {
    await goTo(path);
    await show(page);
    await page.getByRole('dialog').waitFor();
    if (name === 'an account')
      for (const label of [de.accounts.isPaced, de.accounts.isCapped]) await page.getByLabel(label).check();
    found.push(...(await stopsOf(page)).map((one) => `${name}: ${one}`));
    const foot = page.locator('.dialog-foot');
    if ((await foot.count()) > 0 && (await boxOf(foot)).bottom > HAND.height)
      found.push(`${name}: its buttons are out of sight`);
  }
  await stage.admin('DELETE', '/recipients/odd');
  expect(found).toEqual([]);
});

test('a problem with a long name fits a phone, wherever it is shown', async ({ stage, open }) => {
  const { admin } = stage;
  const route = textRoute(['4915100000171', '4915100000172'], '{{ item.labels.alertname }}', {
    each: 'payload.alerts',
    incident: { key: '{{ item.fingerprint }}', resolved: 'item.status == "resolved"' },
  });
  await publishRoutes(stage, SOURCE, [route]);
  onTestFinished(async () => void (await admin('DELETE', `/sources/${SOURCE}`)));
  await postWebhook(stage, SOURCE, {
    alerts: ['a', 'b'].map((fingerprint) => ({ fingerprint, status: 'firing', labels: LONG })),
  });
  const { page, goTo } = await open(LOOK);
  await goTo('/');
  const card = page.getByRole('listitem').filter({ hasText: `${SOURCE}: ` });
  await card.getByRole('button', { name: de.common.show }).click();
  const incident = card.getByRole('link', { name: LONG.alertname }).last();
  await incident.waitFor();
  expect(await stopsOf(page)).toEqual([]);
  await incident.click();
  // Announcements do not cover a button, nor do the buttons cover the end of the page.
  await page.getByText(de.incidents.receiverStates.notified, { exact: true }).first().waitFor();
  await button(page, de.incidents.acknowledge).click();
  await page.getByRole('dialog').waitFor();
  expect(await stopsOf(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: de.incidents.acknowledge }).click();
  await page.getByText(de.incidents.acknowledged).waitFor();
  const [said, bar] = [await boxOf(page.locator('.toast')), await boxOf(page.locator('.act-bar'))];
  expect(said.bottom).toBeLessThanOrEqual(bar.top);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  expect((await boxOf(page.locator('main > section'))).bottom).toBeLessThanOrEqual(bar.top);
  await button(page, de.incidents.resolve).click();
  await page.getByRole('dialog').waitFor();
  expect(await stopsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: de.incidents.lookAtEvent }).click();
  await page.getByRole('heading', { name: de.events.items }).waitFor();
  expect(await stopsOf(page)).toEqual([]);
});

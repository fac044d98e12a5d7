import type { BrowserContext, Page } from 'playwright-core';
import { expect, test as base } from 'vitest';
import { en } from '../../../console/texts/en.ts';
import { startStage, type Role, type Stage } from './stage.ts';
import { watch, type Watch } from './watch.ts';

/** The settings of a browser. */
export interface Look {
  /** The role of the person who is signed in. Null if nobody is. */
  readonly as?: Role | null;
  /** In pixels. 1280 is a desk, 390 a phone. */
  readonly width?: 1280 | 390;
  readonly language?: 'en' | 'de';
}

/** A browser of its own: nothing is shared with another one but the relay. */
export interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly watch: Watch;
  /** Goes to a page of the console, such as `/events`, and waits until it shows all that it asks for. */
  readonly goTo: (path: string) => Promise<void>;
}

interface Fixtures {
  /** A relay, a phone and a browser, for all files. */
  readonly stage: Stage;
  /** Opens a browser. When the test ends, nothing may have gone wrong in it: `watch.ts`. */
  readonly open: (look?: Look) => Promise<Opened>;
}

/** A page shows what it is about as soon as it has it; no machine is so slow. */
const PATIENCE_MS = 120_000;

export const test = base.extend<Fixtures>({
  stage: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern which fixtures it needs
    async ({}, use) => {
      const stage = await startStage();
      await use(stage);
      await stage.close();
    },
    { scope: 'worker' },
  ],
  open: async ({ stage }, use) => {
    const opened: Opened[] = [];
    await use(async (look) => {
      const one = await openBrowser(stage, look);
      opened.push(one);
      return one;
    });
    const troubles = opened.flatMap(({ watch }) => watch.troubles());
    await Promise.all(opened.map(({ context }) => context.close()));
    expect(troubles).toEqual([]);
  },
});

async function openBrowser(
  stage: Stage,
  { as = 'editor', width = 1280, language = 'en' }: Look = {},
): Promise<Opened> {
  const context = await stage.browser.newContext({
    viewport: { width, height: width === 390 ? 844 : 800 },
    colorScheme: 'light',
    locale: language,
    reducedMotion: 'reduce',
    isMobile: width === 390,
    hasTouch: width === 390,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const watched = await watch(context, [new URL(stage.url).host]);
  if (as !== null) await context.addCookies([await sessionOf(stage, as)]);
  const page = await context.newPage();
  return {
    page,
    context,
    watch: watched,
    goTo: async (path) => {
      // A Chromium without a screen draws the page that is in front; a click waits for a frame.
      await page.bringToFront();
      await page.goto(`${stage.url}/admin${path === '/' ? '' : path}`);
      await settled(page, watched);
    },
  };
}

/** True if the page has its heading, and nothing on it is loading. */
const isSettled = (): boolean =>
  document.querySelector('h1') !== null && document.querySelector('.loading, [aria-busy=true]') === null;

async function settled(page: Page, { waiting }: Watch): Promise<void> {
  // An answer can lead to the next question: it has been asked two frames later.
  const isQuiet = async (): Promise<boolean> =>
    waiting() === 0 &&
    (await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))),
    )) === true &&
    (await page.evaluate(isSettled)) &&
    waiting() === 0;
  await expect.poll(isQuiet, { timeout: PATIENCE_MS, interval: 20 }).toBe(true);
}

type Cookie = Parameters<BrowserContext['addCookies']>[0][number];

/** One session for all browsers of a role: signing in is another test's. */
const sessions = new Map<string, Promise<Cookie>>();

function sessionOf({ url, tokenOf }: Stage, role: Role): Promise<Cookie> {
  const token = tokenOf(role);
  const made = sessions.get(token) ?? newSession(url, token);
  sessions.set(token, made);
  return made;
}

async function newSession(url: string, token: string): Promise<Cookie> {
  const answer = await fetch(`${url}/admin/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ token }),
  });
  const [pair = ''] = answer.headers.get('set-cookie')?.split(';') ?? [];
  const at = pair.indexOf('=');
  if (!answer.ok || at < 0) throw new Error(`no session: ${answer.status} ${await answer.text()}`);
  return { name: pair.slice(0, at), value: pair.slice(at + 1), url, httpOnly: true, sameSite: 'Strict' };
}

/** Types a token and a name into the form. */
export async function signIn(page: Page, token: string, name = 'Ada'): Promise<void> {
  await page.getByLabel(en.signIn.token).fill(token);
  await page.getByLabel(en.signIn.name).fill(name);
  await page.getByRole('button', { name: en.signIn.title }).click();
}

/** Behind the person's name. */
export async function signOut(page: Page): Promise<void> {
  await page.locator('.avatar').click();
  await button(page, en.account.signOut).click();
}

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true });
/** The section of a page with this heading. */
export const panel = (page: Page, name: string | RegExp) =>
  page.locator('section', { has: page.getByRole('heading', { name }) });
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** A phone in somebody's hand, who is not signed in. */
export const visit = (stage: Stage, javaScriptEnabled = true): Promise<BrowserContext> =>
  stage.browser.newContext({
    javaScriptEnabled,
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });

/** The name of the element that has the focus, as a person sees or hears it. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    // The editor of a template is in a root of its own.
    const host = document.activeElement;
    const at = host?.shadowRoot?.activeElement ?? host;
    const label = at instanceof HTMLInputElement || at instanceof HTMLSelectElement ? at.labels?.[0] : null;
    return (at?.getAttribute('aria-label') ?? label?.textContent ?? at?.textContent ?? '').trim();
  });

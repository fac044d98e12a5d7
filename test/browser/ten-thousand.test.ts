import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import * as z from 'zod';
import { en } from '../../console/texts/en.ts';
import { longestTaskOf } from './support/tasks.ts';
import { postWebhook, publish } from './support/sources.ts';
import type { Stage } from './support/stage.ts';
import { test } from './support/test.ts';

const COUNT = 10_000;
/** As many as one event may make. */
const EACH = 1_000;
const LONGEST_TASK_MS = 50;
const FRAMES = 20_000;
const BURST = 200;

let made: Promise<void> | undefined;

const many = (stage: Stage): Promise<void> => (made ??= postMany(stage));

/** Ten thousand messages that wait: nothing of it is sent while the others run. */
async function postMany(stage: Stage): Promise<void> {
  await publish(stage.admin, 'sources', 'many', {
    provider: 'generic',
    verify: { scheme: 'none' },
    limit: false,
    routes: [
      {
        name: 'all',
        each: 'payload.people',
        to: '{{ item.phone }}',
        delay: '1d',
        send: { kind: 'text', message: 'Dear {{ item.name }}, your parcel is on its way.' },
      },
    ],
  });
  for (let first = 0; first < COUNT; first += EACH) {
    const people = Array.from({ length: EACH }, (_, index) => ({
      phone: `+${4_915_200_000_000 + first + index}`,
      name: `Person ${first + index}`,
    }));
    await postWebhook(stage, 'many', { type: 'parcel', id: first, people });
  }
}

/** Scrolls to the end of what is loaded; gives how many rows were drawn at once. */
const scrollDown = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    let mostRows = 0;
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- only this function is there in the page
    const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let at = scrollY; at + innerHeight < document.documentElement.scrollHeight - 1;) {
      at += 2_400;
      scrollTo(0, at);
      await frame();
      mostRows = Math.max(mostRows, document.querySelectorAll('.row').length);
    }
    await frame();
    return mostRows;
  });

/** Scrolls on until all rows are loaded. Returns the most rows that were drawn at once. */
async function loadAll(page: Page, isAll: () => Promise<boolean>): Promise<number> {
  for (let mostRows = 0; ;) {
    mostRows = Math.max(mostRows, await scrollDown(page));
    if (await isAll()) return mostRows;
  }
}

describe('A list of ten thousand messages', () => {
  test(
    'is scrolled without a task over 50 ms, and draws only what is seen',
    { timeout: 120_000 },
    async ({ stage, open }) => {
      await many(stage);
      const { page, goTo } = await open();
      await goTo('/messages?source=many');
      // The list grows as it is read.
      const all = page.getByText(en.common.rows(COUNT.toLocaleString('en'), false));
      let mostRows = 0;
      const longest = await longestTaskOf(page, async () => {
        mostRows = await loadAll(page, () => all.isVisible());
      });
      process.stdout.write(`10,000 rows, scrolled: longest task ${longest} ms\n`);
      expect(longest).toBeLessThanOrEqual(LONGEST_TASK_MS);
      expect(mostRows).toBeLessThan(100);
      // It was scrolled to its end, indeed.
      expect(await page.evaluate(() => scrollY)).toBeGreaterThan(COUNT * 30);
    },
  );

  test(
    'is live through 20,000 frames without a task over 50 ms, and shows the last state of each row',
    { timeout: 180_000 },
    async ({ stage, open }) => {
      await many(stage);
      const { page, goTo } = await open();
      // Behind the relay's own frames on the same connection.
      await page.addInitScript(() => {
        Reflect.set(
          window,
          'WebSocket',
          class extends WebSocket {
            constructor(url: string) {
              super(url);
              Reflect.set(window, 'tail', this);
            }
          },
        );
      });
      let isLast = false;
      // At the end the page shows the frames, not the relay's list, which does not know them.
      await page.route(/\/messages\?/, (route) =>
        isLast ? route.fulfill({ json: { items: [], next_cursor: null } }) : route.fallback(),
      );
      await goTo('/messages?source=many');
      const all = page.getByText(en.common.rows(COUNT.toLocaleString('en'), false));
      await loadAll(page, () => all.isVisible());
      await page.evaluate(() => scrollTo(0, 0));
      const ids = z.object({ items: z.array(z.object({ id: z.string() })) });
      const { items } = ids.parse((await stage.admin('GET', '/messages?source=many&limit=200')).body);
      const frame = (n: number) => ({
        type: 'message',
        at: new Date().toISOString(),
        // Half of them are about rows that are shown.
        message: n % 2 === 0 ? items[(n / 2) % items.length]?.id : `msg_${String(n).padStart(16, '0')}`,
        event: null,
        source: 'many',
        route: 'all',
        kind: 'text',
        state: n >= FRAMES - 2 * items.length ? 'sent' : n % 3 === 0 ? 'sending' : 'retrying',
        account: 'default',
      });
      const longest = await longestTaskOf(page, async () => {
        for (let n = 0; n < FRAMES; n += BURST) {
          isLast = n >= FRAMES / 2;
          await receive(
            page,
            Array.from({ length: BURST }, (_, index) => JSON.stringify(frame(n + index))),
          );
        }
        const first = page.locator('.row').first();
        await expect.poll(() => first.innerText(), { timeout: 30_000 }).toContain(en.states.sent);
      });
      process.stdout.write(`20,000 frames, 10,000 rows: longest task ${longest} ms\n`);
      expect(longest).toBeLessThanOrEqual(LONGEST_TASK_MS);
    },
  );
});

/** The page receives these frames in one go, as from a network that brings many at once. */
const receive = (page: Page, frames: readonly string[]): Promise<void> =>
  page.evaluate((frames) => {
    const socket: unknown = Reflect.get(window, 'tail');
    if (!(socket instanceof WebSocket)) throw new Error('no connection');
    for (const data of frames) socket.dispatchEvent(new MessageEvent('message', { data }));
  }, frames);

import { describe, expect } from 'vitest';
import * as z from 'zod';
import { en } from '../../console/texts/en.ts';
import { button, heading, test } from './support/test.ts';

const ANSWER = z.object({
  items: z.array(z.object({ path: z.string(), status: z.number(), body: z.unknown() })),
});
const NOTHING = { items: [], next_cursor: null };

describe('The first screen', () => {
  test('is there after three requests: the page, its script, and one of the API', async ({ stage, open }) => {
    const { page, goTo } = await open();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url().slice(stage.url.length)));
    await goTo('/');
    await heading(page, en.now.title).waitFor();
    await page.getByRole('region', { name: en.now.needs }).waitFor();
    // Below it is the live connection, which is not a request and comes after it.
    await page.getByText(en.common.live, { exact: true }).waitFor();
    expect(asked).toEqual([
      '/admin',
      expect.stringMatching(/^\/console\/assets\/index-[\w-]+\.js$/),
      expect.stringMatching(/^\/admin\/api\/v1\/many\?/),
    ]);
    // Spam is left out by the relay: here it would have taken the place of rejections that need somebody.
    const paths = new URL(`${stage.url}${asked[2] ?? ''}`).searchParams.get('paths');
    expect(paths?.split(' ')).toContain('/rejections?limit=100&spam=false');
  });

  test('is not calm while a part of its answer is missing, and asks for it again', async ({ open }) => {
    const { page, goTo } = await open();
    let isMissing = true;
    await page.route(/\/many\?/, async (route) => {
      const answer = await route.fetch();
      const { items } = ANSWER.parse(await answer.json());
      const json = {
        items: items.map((part) => ({
          ...part,
          ...(isMissing && part.path === '/status' && { status: 503, body: {} }),
          // Other tests may leave more that needs somebody: it is left out.
          ...(/^\/(rejections|events|open-incidents)/.test(part.path) && { body: NOTHING }),
          ...(part.path === '/stats' && { body: { sources: {}, accounts: {} } }),
        })),
      };
      await route.fulfill({ json });
    });
    await goTo('/');
    const needs = page.getByRole('region', { name: en.now.needs });
    await needs.getByRole('alert').waitFor();
    expect(await page.getByText(en.now.calmText).count()).toBe(0);
    isMissing = false;
    await button(page, en.common.again).click();
    await needs.getByRole('alert').waitFor({ state: 'detached' });
  });
});

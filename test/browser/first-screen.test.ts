import { describe, expect } from 'vitest';
import { en } from '../../console/texts/en.ts';
import { heading, test } from './support/test.ts';

describe('The first screen', () => {
  test('is there after three requests: the page, its script, and one of the API', async ({ stage, open }) => {
    const { page, goTo } = await open();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url().slice(stage.url.length)));
    await goTo('/');
    await heading(page, en.now.title).waitFor();
    await page.getByRole('region', { name: en.now.needs }).waitFor();
    // Below it is the live connection, which is no request and comes after it.
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
});

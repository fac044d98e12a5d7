import { describe, expect } from 'vitest';
import { violationsOf } from './support/axe.ts';
import { PAGES_OF_THE_CONSOLE } from './support/pages.ts';
import { seed } from './support/seed.ts';
import { test } from './support/test.ts';

describe('WCAG 2.2 AA', () => {
  test(
    'is met by every page with data, on a desk and on a phone, light and dark',
    { timeout: 150_000 },
    async ({ stage, open }) => {
      const paths = [...PAGES_OF_THE_CONSOLE, ...(await seed(stage))];
      const { page, goTo, watch } = await open();
      // Asked whether a new source could be published, the relay says which secret is missing.
      watch.expectRefusal(422, '/config');
      const found: string[] = [];
      for (const path of paths) {
        await goTo(path);
        found.push(...(await violationsOf(page)).map((one) => `${path} at ${one}`));
      }
      expect(found).toEqual([]);
    },
  );

  test('is met by the sign-in', async ({ open }) => {
    const { page, goTo } = await open({ as: null });
    await goTo('/');
    expect(await violationsOf(page)).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2 AA. */
const ALL: RunOptions = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] };
/** All that another theme can break. */
const OF_COLOURS: RunOptions = {
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

/** The violations of WCAG 2.2 AA on a page at both sizes and in both themes, the page being left as large as it was: the rule, the place and the reason. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  // The browser itself hands it to the page, which its policy does not prevent.
  await page.evaluate(AXE);
  const found: string[] = [];
  const before = page.viewportSize();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const { violations } = await run(page, colorScheme === 'light' ? ALL : OF_COLOURS);
      for (const { id, nodes } of violations)
        for (const { target, failureSummary } of nodes)
          found.push(`${size.width} ${colorScheme}: ${id} at ${target.join(' ')}: ${failureSummary ?? ''}`);
    }
  }
  if (before !== null) await page.setViewportSize(before);
  return found;
}

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

const run = (page: Page, options: RunOptions): Promise<AxeResults> =>
  page.evaluate((options) => window.axe.run(document, { ...options, resultTypes: ['violations'] }), options);

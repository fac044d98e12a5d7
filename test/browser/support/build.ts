import type { TestProject } from 'vitest/node';
import { startChromium } from '../../../scripts/chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Why the tests are skipped; empty: there is a Chromium. */
    noChromium: string;
  }
}

/** The console is built once for all tests, unless it is there and newer than its sources. */
export default async function setup(project: TestProject): Promise<void> {
  let reason = '';
  try {
    await (await startChromium()).close();
  } catch (thrown) {
    reason = String(thrown).split('\n')[0] ?? '';
    process.stderr.write(`The tests of the console are skipped. ${reason}\n`);
  }
  project.provide('noChromium', reason);
  await import('../../../scripts/console.ts');
}

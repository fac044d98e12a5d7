import { defineConfig } from 'vitest/config';

/**
 * The console as a person meets it: a real Chromium, the relay on workerd, the simulated gateway. Run by
 * `npm run test:browser`.
 */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    // One relay, one phone, one browser for all files; what they publish is named after them.
    isolate: false,
    maxWorkers: 1,
    globalSetup: ['test/browser/support/build.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Rarely, a Chromium without a screen stops drawing a page, whatever the page does, and every click in it waits for a
    // frame. A new page draws again. The report counts who needed it.
    retry: 1,
  },
});

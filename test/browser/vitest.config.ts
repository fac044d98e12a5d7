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
    setupFiles: ['test/browser/support/skip.ts'],
    // Guards for what never comes.
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
  },
});

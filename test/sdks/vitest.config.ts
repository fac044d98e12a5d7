import { defineConfig } from 'vitest/config';

/** Providers' own packages check what the tests sign. Run by `npm run test:sdks`, which installs them. */
export default defineConfig({
  test: {
    include: ['test/sdks/*.test.ts'],
    setupFiles: ['test/clock/setup-date.ts'],
    testTimeout: 60_000,
  },
});

import { defineConfig } from 'vitest/config';

/** The packages as people install them: packed, in an empty folder with an empty home, on the oldest Node. Run by `npm run test:package`. */
export default defineConfig({
  test: {
    include: ['test/package/**/*.test.ts'],
    globalSetup: ['test/package/global-setup.ts'],
    // They install from the registry.
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 180_000,
  },
});

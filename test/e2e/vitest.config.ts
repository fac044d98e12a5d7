import { defineConfig } from 'vitest/config';
import '../clock/run.ts';

/** The proof on the real runtime: production bundle, workerd, store on disk. Run by `npm run test:e2e`. */
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    globalSetup: ['test/e2e/global-setup.ts'],
    setupFiles: ['test/clock/run.ts'],
    // Each measures its own relay, which has the machine for itself.
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});

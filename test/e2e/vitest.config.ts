import { defineConfig } from 'vitest/config';
import '../clock/run.ts';

/** The proof on the real runtime: production bundle, workerd, store on disk. Run by `npm run test:e2e`. */
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    globalSetup: ['test/e2e/global-setup.ts'],
    setupFiles: ['test/clock/run.ts'],
    // Each has a relay of its own, and as much load as the machine bears.
    fileParallelism: false,
    // Guards for what never comes.
    testTimeout: 900_000,
    hookTimeout: 600_000,
  },
});

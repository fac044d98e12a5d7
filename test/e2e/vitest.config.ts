import { defineConfig } from 'vitest/config';
import '../clock/run.ts';

/** The proof on the real runtime: production bundle, workerd, store on disk. Run by `npm run test:e2e`. */
export default defineConfig({
  test: {
    // Those in `test/cost` measure in Node, and need the machine for themselves, too.
    include: ['test/e2e/**/*.test.ts', 'test/cost/**/*.test.ts'],
    globalSetup: ['test/e2e/global-setup.ts'],
    setupFiles: ['test/clock/run.ts'],
    // Each measures its own relay, which has the machine for itself.
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});

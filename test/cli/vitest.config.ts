import { defineConfig } from 'vitest/config';
import '../clock/run.ts';

/** The command line as people run it: child processes that talk to a relay on workerd. */
export default defineConfig({
  test: {
    name: 'cli',
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    globalSetup: ['global-setup.ts'],
    setupFiles: ['../clock/run.ts'],
    // All talk to one relay, and each publishes what it needs.
    fileParallelism: false,
    // After the others, which are two at a time.
    sequence: { groupOrder: 1 },
    // One process: the command line runs in it, and keeps nothing between two runs.
    isolate: false,
    env: { TZ: 'UTC' },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

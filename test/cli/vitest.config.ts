import { defineConfig } from 'vitest/config';
import '../clock/run.ts';
import { WORKERS } from '../workers.ts';

/** The command line as people run it: child processes that talk to a relay on workerd. */
export default defineConfig({
  test: {
    name: 'cli',
    root: import.meta.dirname,
    include: ['**/*.process.test.ts'],
    globalSetup: ['global-setup.ts'],
    setupFiles: ['../clock/run.ts', 'place.setup.ts'],
    maxWorkers: WORKERS,
    // The command line runs in the worker's process, and keeps nothing between two runs.
    isolate: false,
    env: { TZ: 'UTC' },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});

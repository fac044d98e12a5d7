import { defineConfig } from 'vitest/config';

/** The command line as a person meets it: shells in pseudo-terminals, on a fresh clone. Run by `npm run test:journey`. */
export default defineConfig({
  test: {
    include: ['test/journey/**/*.test.ts'],
    // Two relays that start at once take the same port for a socket of their own.
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 300_000,
  },
});

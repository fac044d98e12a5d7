import { defineConfig } from 'vitest/config';

/** What an outbox has in memory: `npx vitest run --config test/simulation/memory/vitest.config.ts`, beside `npm test`. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.process.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});

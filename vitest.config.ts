import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import './test/clock/run.ts';
import { conformanceBindings } from './test/conformance/senders/keys.ts';

/** The moment that the tests run at: test/clock/moments.ts. */
const TEST_CLOCK = process.env['TEST_CLOCK'] ?? '';

/** Limits for what never comes, by which no machine is too slow: waits are for a state and not for a time. */
const PATIENCE = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 30_000 } } };

const NODE_TESTS = [
  'test/simulator/**/*.test.ts',
  'test/scripts/**/*.test.ts',
  'test/conformance/node/**/*.test.ts',
];

export default defineConfig({
  test: {
    // The relay's log lines are shown only for tests that fail.
    silent: 'passed-only',
    projects: [
      {
        plugins: [
          cloudflareTest(({ inject }) => ({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: {
                GATEWAY_BASE_URL: `${inject('simulatorUrl')}/api`,
                GATEWAY_EMAIL: 'relay@example.com',
                GATEWAY_API_KEY: 'gateway-key-of-the-tests',
                GATEWAY_SALES_EMAIL: 'sales@example.com',
                GATEWAY_SALES_API_KEY: 'gateway-key-of-sales',
                ADMIN_TOKEN: 'admin-token-of-the-tests',
                STRIPE_SECRET: 'whsec_test_secret',
                STRIPE_SECRET_NEXT: 'whsec_test_secret_next',
                HOOK_SECRET: 'hook-secret',
                NOTIFY_PATH: 'path-of-the-owner',
                BASIC_SECRET: 'user:pass:word',
                SLACK_SECRET: '8f742231b10e8888abcd99yyyzzz85a5',
                ...conformanceBindings(),
              },
            },
          })),
        ],
        test: {
          name: 'workerd',
          ...PATIENCE,
          include: ['test/**/*.test.ts'],
          exclude: [...NODE_TESTS, 'test/e2e/**', 'test/cli/**'],
          // The gateway that messages go to: one simulator for all, over HTTP.
          globalSetup: ['test/simulator.setup.ts'],
          setupFiles: ['test/clock/setup-workerd.ts'],
          provide: { testClock: TEST_CLOCK },
        },
      },
      {
        test: {
          name: 'node',
          ...PATIENCE,
          include: NODE_TESTS,
          setupFiles: ['test/clock/setup-date.ts'],
          provide: { testClock: TEST_CLOCK },
        },
      },
      // The command line, as a process of its own against a running relay.
      './test/cli/vitest.config.ts',
    ],
  },
});

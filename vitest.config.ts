import { globSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { configDefaults, defineConfig } from 'vitest/config';
import type { Plugin } from 'vitest/config';
import { startSimulator, type Simulator } from './simulator/simulator.ts';
import { ConformanceReporter } from './test/conformance/page/report.ts';
import './test/clock/run.ts';
import { WORKERS } from './test/workers.ts';
import { usesDeployment } from './test/runtime/bindings.ts';
import { deploymentBindings, deploymentClasses } from './test/runtime/deployments.ts';
import { answersBindings } from './test/docs/answers-secrets.ts';
import { conformanceBindings } from './test/conformance/senders/keys.ts';
import { startChannel } from './test/integration/channel-server.ts';
import { makerBindings } from './test/gateway/makers/secrets.ts';
import { connectedBindings } from './test/outbox/connected-accounts.ts';

/** The moment that the tests run at: test/clock/moments.ts. */
const TEST_CLOCK = process.env['TEST_CLOCK'] ?? '';

/** Limits for what never comes, by which no machine is too slow: waits are for a state and not for a time. */
const PATIENCE = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 30_000 } } };

const NODE_TESTS = [
  'test/console/**/*.test.ts',
  'test/simulator/**/*.test.ts',
  'test/shared/**/*.test.ts',
  'test/scripts/**/*.test.ts',
  'test/bench/**/*.test.ts',
  'test/schemas/**/*.test.ts',
  // The simulated platform is one process of Node.
  'test/simulation/**/*.test.ts',
  'test/recipes/**/*.test.ts',
  // They call git and patch.
  'test/patch/**/*.test.ts',
  'test/conformance/node/**/*.test.ts',
];

const WORKERD_TESTS = globSync('test/**/*.test.ts', { cwd: import.meta.dirname, exclude: ['test/sdks/**'] })
  .filter(
    (file) =>
      ![
        ...NODE_TESTS,
        'test/sdks/**',
        'test/e2e/**',
        'test/cost/**',
        'test/journey/**',
        'test/browser/**',
        'test/package/**',
        'test/cli/**',
      ].some((glob) => matchesGlob(file, glob)),
  )
  .map((file) => join(import.meta.dirname, file));

/** A runtime takes seconds to start, so files share it; those that use what a deployment has one of have deployments of their own. */
const DEPLOYMENTS = WORKERD_TESTS.filter(usesDeployment);
const SHARED = WORKERD_TESTS.filter((file) => !usesDeployment(file));

/** The gateway that messages go to, over HTTP: one for each runtime, so that files of two never meet in its script. */
const simulators: Pick<Simulator, 'close'>[] = [];

const closeSimulators: Plugin = {
  name: 'hookbell:close-simulators',
  configureVitest: ({ vitest }) =>
    vitest.onClose(async () => {
      await Promise.all(simulators.splice(0).map((simulator) => simulator.close()));
    }),
};

/** The relay and its objects, as `wrangler.toml` has them. */
const relay = (deployments = 0) =>
  cloudflareTest(async () => {
    const simulator = await startSimulator({ port: 0 });
    simulators.push(simulator);
    const channel = await startChannel();
    simulators.push(channel);
    return {
      // As it is written, and not the bundle of it that is deployed.
      main: deployments > 0 ? './test/runtime/main.ts' : './src/index.ts',
      wrangler: { configPath: './wrangler.toml' },
      miniflare: {
        ...deploymentBindings(deployments),
        bindings: {
          GATEWAY_BASE_URL: `${simulator.url}/api`,
          GATEWAY_EMAIL: 'relay@example.com',
          GATEWAY_API_KEY: 'gateway-key-of-the-tests',
          GATEWAY_SALES_EMAIL: 'sales@example.com',
          GATEWAY_SALES_API_KEY: 'gateway-key-of-sales',
          PUBLIC_URL: 'https://relay.example.com',
          ADMIN_TOKEN: 'admin-token-of-the-tests',
          STRIPE_SECRET: 'whsec_test_secret',
          STRIPE_SECRET_NEXT: 'whsec_test_secret_next',
          HOOK_SECRET: 'hook-secret',
          ...answersBindings(),
          TURNSTILE_SECRET: 'turnstile-secret-of-the-tests',
          NOTIFY_PATH: 'path-of-the-owner',
          NOTIFY_ESCAPE: `${channel.url}/escape`,
          BASIC_SECRET: 'user:pass:word',
          SLACK_SECRET: '8f742231b10e8888abcd99yyyzzz85a5',
          ...conformanceBindings(),
          ...connectedBindings(),
          GATEWAY_STAND_INS: `${simulator.url}/makers`,
          ...makerBindings(),
        },
      },
    };
  });

const WORKERD = {
  ...PATIENCE,
  maxWorkers: WORKERS,
  provide: { testClock: TEST_CLOCK },
};

export default defineConfig({
  test: {
    // The relay's log lines are shown only for tests that fail.
    silent: 'passed-only',
    reporters: [...configDefaults.reporters, new ConformanceReporter()],
    projects: [
      {
        plugins: [closeSimulators, deploymentClasses(DEPLOYMENTS.length), relay(DEPLOYMENTS.length)],
        test: {
          ...WORKERD,
          name: 'workerd',
          isolate: false,
          include: DEPLOYMENTS,
          setupFiles: [
            'test/runtime/imports.setup.ts',
            'test/clock/setup-date.ts',
            'test/runtime/fresh.setup.ts',
            'test/runtime/deployment.setup.ts',
            'test/clock/setup-workerd.ts',
          ],
        },
      },
      {
        plugins: [closeSimulators, relay()],
        test: {
          ...WORKERD,
          name: 'workerd-shared',
          include: SHARED,
          isolate: false,
          setupFiles: [
            'test/runtime/imports.setup.ts',
            'test/clock/setup-workerd.ts',
            'test/runtime/assets.setup.ts',
            'test/runtime/clean.setup.ts',
          ],
        },
      },
      {
        test: {
          name: 'node',
          isolate: false,
          ...PATIENCE,
          maxWorkers: WORKERS,
          include: NODE_TESTS,
          // They read numbers, sources and accounts, as the command line does.
          setupFiles: ['test/clock/setup-date.ts', 'cli/facts.ts'],
          provide: { testClock: TEST_CLOCK },
        },
      },
      // The command line, as a process of its own against a running relay.
      './test/cli/vitest.config.ts',
    ],
  },
});

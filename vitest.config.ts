import { join } from 'node:path';
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { configDefaults, defineConfig, type Plugin } from 'vitest/config';
import { startSimulator, type Simulator } from './simulator/simulator.ts';
import { BINDINGS } from './test/bindings.ts';
import './test/clock/run.ts';
import { startChannel } from './test/integration/channel-server.ts';
import { SlowestReporter } from './test/slowest.ts';

/** A guard against what never comes, by which no machine is too slow: waits are for a state. */
const GUARD_MS = 300_000;

const SHARED = {
  testTimeout: GUARD_MS,
  hookTimeout: GUARD_MS,
  expect: { poll: { timeout: GUARD_MS / 2 } },
  // Reads what it needs from `TEST_CLOCK`: see test/clock/moments.ts.
  provide: { testClock: process.env['TEST_CLOCK'] ?? '' },
};

/** Tests of the folders of `src` run in Node, but those with this ending, and those of the whole relay. */
const ON_WORKERD = 'test/**/*.workerd.test.ts';

/** Projects that `init` makes of every recipe. */
const RECIPES = 'test/cli/recipes/**/*.test.ts';

/** The gateways and channels that messages go to, over HTTP: each file of tests has its own. */
const servers: Pick<Simulator, 'close'>[] = [];

const closeServers: Plugin = {
  name: 'hookbell:close-servers',
  configureVitest: ({ vitest }) =>
    vitest.onClose(async () => {
      await Promise.all(servers.splice(0).map((server) => server.close()));
    }),
};

/** Tests on workerd, each file in a runtime of its own: the Worker that a deploy uploads, its objects, KV and assets. */
const onWorkerd = (name: string, include: readonly string[], exclude: readonly string[] = []) => ({
  plugins: [
    closeServers,
    cloudflareTest(async () => {
      const simulator = await startSimulator({ port: 0 });
      const channel = await startChannel();
      servers.push(simulator, channel);
      return {
        main: './dist/worker/index.js',
        wrangler: { configPath: './wrangler.toml' },
        miniflare: {
          bindings: {
            ...BINDINGS,
            GATEWAY_BASE_URL: `${simulator.url}/api`,
            GATEWAY_STAND_INS: `${simulator.url}/makers`,
            NOTIFY_ESCAPE: `${channel.url}/escape`,
          },
        },
      };
    }),
  ],
  test: {
    ...SHARED,
    name,
    include: [...include],
    exclude: [...exclude],
    setupFiles: ['test/clock/setup-workerd.ts'],
  },
});

/** Tests in Node, whose files share what they import: they have functions to test, and leave nothing behind. */
const inNode = (name: string, include: readonly string[], exclude: readonly string[] = []) => ({
  resolve: {
    alias: {
      'cloudflare:workers': join(import.meta.dirname, 'test/platform/workers.ts'),
      'cloudflare:sockets': join(import.meta.dirname, 'test/platform/sockets.ts'),
    },
  },
  test: {
    ...SHARED,
    name,
    isolate: false,
    include: [...include],
    exclude: [ON_WORKERD, '**/*.process.test.ts', ...exclude],
    setupFiles: ['test/clock/setup-date.ts', 'test/platform/node.setup.ts'],
  },
});

/** `npm test` runs the first two. CONTRIBUTING.md has the commands of the others. */
export default defineConfig({
  test: {
    maxWorkers: '100%',
    // The relay's log lines are shown only for tests that fail.
    silent: 'passed-only',
    reporters: [...configDefaults.reporters, new SlowestReporter()],
    projects: [
      // All that the others do not name, so that no folder is forgotten.
      inNode(
        'rules',
        ['test/**/*.test.ts'],
        [
          RECIPES,
          'test/{admin,api-docs,bench,browser,conformance,docs,e2e,integration,journey}/**',
          'test/{package,recipes,schemas,scripts,sdks}/**',
        ],
      ),
      onWorkerd(
        'trip',
        ['test/integration/**/*.test.ts', ON_WORKERD],
        ['test/{admin,api-docs,conformance,docs}/**'],
      ),
      onWorkerd('api', ['test/admin/**/*.test.ts', 'test/{api-docs,docs}/**/*.workerd.test.ts']),
      inNode('providers', ['test/conformance/**/*.test.ts']),
      onWorkerd('providers-workerd', ['test/conformance/**/*.workerd.test.ts']),
      inNode('repository', [RECIPES, 'test/{api-docs,bench,docs,recipes,schemas,scripts}/**/*.test.ts']),
      {
        test: {
          ...SHARED,
          name: 'memory',
          include: ['test/simulation/memory/*.process.test.ts'],
          testTimeout: 600_000,
        },
      },
      // The command line as processes, against a running relay.
      './test/cli/vitest.config.ts',
    ],
  },
});

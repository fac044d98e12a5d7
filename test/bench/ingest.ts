import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { buildBundles, bundleHelper, type Bundles } from '../e2e/build.ts';
import { postOnce } from '../e2e/poster.ts';
import { startRelay, type Relay } from '../e2e/relay.ts';
import { freePort, startRuntime, type Runtime } from '../e2e/runtime.ts';
import { makeWebhooks, proofConfig, type SignedWebhook } from '../e2e/webhook.ts';

/** So many are not measured: code is still interpreted by then, and connections are being opened. */
const WARM_UP = 500;
const REQUESTS = 6_000;
const ROUNDS = 3;
const RECEIVERS = 640;
/** How the relay must compare with the bare Worker at so many connections. */
const BUDGETS = [
  { connections: 16, ratio: 0.85 },
  { connections: 64, ratio: 1.1 },
] as const;

interface Contest {
  readonly relay: Relay;
  readonly bare: Runtime;
}

/**
 * `npm run bench`: how many webhooks of 1 KiB a second the relay accepts while it delivers, against a bare Worker that
 * makes one durable insert of the same body, on the same workerd. Fails when a ratio is below its budget.
 */
async function main(): Promise<void> {
  const bundles = buildBundles();
  const gateway = new Worker(join(import.meta.dirname, 'gateway.ts'));
  const port = await new Promise<number>((resolve, reject) => {
    gateway.once('message', resolve).once('error', reject);
  });
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-bench-'));
  const running: { kill(): Promise<void> }[] = [];
  try {
    const relay = await startRelay(bundles, `http://127.0.0.1:${port}/api`, join(folder, 'relay'));
    running.push(relay);
    const bare = await startBare(bundles, join(folder, 'bare'));
    running.push(bare);
    await relay.publish(proofConfig({}, {}));
    await compare({ relay, bare });
  } finally {
    await Promise.all(running.map((one) => one.kill()));
    await gateway.terminate();
    rmSync(folder, { recursive: true });
  }
}

async function compare(contest: Contest): Promise<void> {
  process.stdout.write('| connections | relay, events/s | bare insert, requests/s | ratio | budget |\n');
  process.stdout.write('| ----------: | -------------: | ----------------------: | ----: | -----: |\n');
  for (const { connections, ratio: budget } of BUDGETS) {
    const rounds = [];
    // In turns, so that whatever else the machine does meets both.
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure(contest, connections, round));
    const relay = median(rounds.map((round) => round.relay));
    const bare = median(rounds.map((round) => round.bare));
    const ratio = median(rounds.map((round) => round.relay / round.bare));
    process.stdout.write(
      `| ${connections} | ${Math.round(relay)} | ${Math.round(bare)} | ${ratio.toFixed(2)} | ≥ ${budget} |\n`,
    );
    if (ratio < budget) process.exitCode = 1;
  }
}

async function measure({ relay, bare }: Contest, connections: number, round: number) {
  const webhooks = makeWebhooks(`bench-${connections}-${round}`, WARM_UP + REQUESTS, RECEIVERS);
  const relayRate = await rate(relay.hookUrl, webhooks, connections);
  await relay.drained(60_000);
  return { relay: relayRate, bare: await rate(bare.url, webhooks, connections) };
}

/** Answers a second over so many connections, each with one request at a time. */
async function rate(url: string, webhooks: readonly SignedWebhook[], connections: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const postEach = async (some: readonly SignedWebhook[]): Promise<void> => {
    const queue = some.values();
    const lane = async (): Promise<void> => {
      for (const webhook of queue) {
        const { status, text } = await postOnce(agent, url, webhook);
        if (status !== 202) throw new Error(`POST ${url}: ${status} ${text}`);
      }
    };
    await Promise.all(Array.from({ length: connections }, lane));
  };
  try {
    await postEach(webhooks.slice(0, WARM_UP));
    const startedAt = performance.now();
    await postEach(webhooks.slice(WARM_UP));
    return ((webhooks.length - WARM_UP) * 1_000) / (performance.now() - startedAt);
  } finally {
    agent.destroy();
  }
}

const startBare = async ({ compatibilityDate }: Bundles, storeDir: string): Promise<Runtime> =>
  startRuntime({
    port: await freePort(),
    storeDir,
    compatibilityDate,
    readyPath: '/',
    workers: [
      {
        name: 'bare',
        module: bundleHelper('test/bench/bare-worker.ts'),
        objects: [{ binding: 'STORE', className: 'BareStore' }],
      },
    ],
  });

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

// An exit ends the runtimes as well; a signal alone would leave them behind.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
await main();

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { table } from '../../scripts/docs/page.ts';
import { buildBundles, type Bundles } from '../e2e/build.ts';
import { startGateway, type Gateway } from '../e2e/gateway.ts';
import { postAll } from '../e2e/poster.ts';
import '../e2e/program.ts';
import { PATIENCE_MS } from '../e2e/real-time.ts';
import { startRelay } from '../e2e/relay.ts';
import { makeWebhooks, proofConfig } from '../e2e/webhook.ts';
import { lookUntil } from '../eventually.ts';
import { fillStore } from './fill-store.ts';
import { median, peakMib } from './measure.ts';
import { writePage } from './page.ts';

/** The start of a relay after an hour of N calls: the medians of a few starts. */
interface BusyHour {
  readonly claims: number;
  readonly acceptedMs: number;
  readonly sentMs: number;
  readonly memoryMib: number;
}

/** Calls of the hour before: with a cap, nothing is sent after 36,000. */
const HOURS = [0, 10_000, 35_000];
const HOURS_OF_A_CHECK = [0, 35_000];
/** The memory of an object after the busiest hour, as a multiple of that after an idle one. */
const MOST_RATIO = 1.5;

const MINUTE = 60_000;
/** The receivers that have had all that they may after the smallest hour. */
const RECEIVERS = 250;
const PER_HOUR = 20;
const STARTS = 3;
/** The calls that one request writes. */
const PORTION = 50_000;

/**
 * `npx node test/bench/busy-hour.ts`: writes an hour of N calls into an outbox's store, a step after the other, and starts the relay on it
 * after each step, under a heap that is smaller than the platform's. Writes docs/guarantees/busy-hour.md; `--check`: fewer steps,
 * writes nothing, and fails if the busiest hour takes half as much memory again as an idle one.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  const hours = await busyHours(buildBundles(), values.check ? HOURS_OF_A_CHECK : HOURS);
  const text = table(
    ['calls in the hour before', 'first 202 after', 'first send after', 'memory'],
    hours.map(({ claims, acceptedMs, sentMs, memoryMib }) => [
      claims.toLocaleString('en'),
      `${acceptedMs} ms`,
      `${sentMs} ms`,
      `${Math.round(memoryMib)} MiB`,
    ]),
  );
  const ratio = (hours.at(-1)?.memoryMib ?? Number.NaN) / (hours[0]?.memoryMib ?? Number.NaN);
  process.stdout.write(`${text}\n\nmemory: ${ratio.toFixed(2)} times that after an idle hour\n`);
  if (!values.check) await writePage({ 'busy hour': text }, 'guarantees/busy-hour.md');
  else if (!(ratio <= MOST_RATIO)) process.exitCode = 1;
}

async function busyHours(bundles: Bundles, steps: readonly number[]): Promise<readonly BusyHour[]> {
  const storeDir = mkdtempSync(join(tmpdir(), 'hookbell-busy-'));
  const gateway = await startGateway();
  // Recent enough to be within the hour when all is measured.
  const hour = { startAt: Date.now() - 20 * MINUTE, everyMs: (15 * MINUTE) / Math.max(...steps) };
  const hours: BusyHour[] = [];
  try {
    const relay = await startRelay(bundles, gateway.baseUrl, storeDir, true);
    await relay.publish(proofConfig({}, { per_recipient: { per_hour: PER_HOUR } }));
    await relay.kill();
    let written = 0;
    for (const claims of steps) {
      const portions = Array.from({ length: Math.ceil((claims - written) / PORTION) }, (_, index) => {
        const from = written + index * PORTION;
        return { ...hour, from, to: Math.min(claims, from + PORTION), receivers: RECEIVERS };
      });
      await fillStore(bundles, storeDir, portions);
      written = claims;
      const starts: Omit<BusyHour, 'claims'>[] = [];
      for (let start = 0; start < STARTS; start += 1)
        starts.push(await restart(bundles, gateway, storeDir, claims, start));
      hours.push({
        claims,
        acceptedMs: median(starts.map(({ acceptedMs }) => acceptedMs)),
        sentMs: median(starts.map(({ sentMs }) => sentMs)),
        memoryMib: median(starts.map(({ memoryMib }) => memoryMib)),
      });
    }
    return hours;
  } finally {
    await gateway.close();
    rmSync(storeDir, { recursive: true });
  }
}

/** One start. Of three receivers the first has had no message that hour, the others all that they may. */
async function restart(
  bundles: Bundles,
  gateway: Gateway,
  storeDir: string,
  claims: number,
  start: number,
): Promise<Omit<BusyHour, 'claims'>> {
  const relay = await startRelay(bundles, gateway.baseUrl, storeDir, true);
  const webhooks = makeWebhooks(`busy-${claims}-${start}`, 3, 3);
  const came = async () => {
    const calls = await gateway.calls();
    return webhooks.flatMap(({ id }) => calls.find(({ params }) => params['message'] === id) ?? []);
  };
  const startedAt = Date.now();
  await postAll(relay.hookUrl, webhooks.slice(0, 1), 1);
  const acceptedMs = Date.now() - startedAt;
  await postAll(relay.hookUrl, webhooks.slice(1), 1);
  await lookUntil(came, ({ length }) => length > 0, { withinMs: PATIENCE_MS, eachMs: 20 });
  await lookUntil(
    () => relay.status(),
    ({ sending }) => sending === 0,
    { withinMs: PATIENCE_MS, eachMs: 20 },
  );
  const arrived = await came();
  const memoryMib = peakMib(relay.pid()) ?? Number.NaN;
  await relay.kill();
  const [first, ...others] = arrived;
  if (first?.params['message'] !== webhooks[0]?.id || (claims > 0 && others.length > 0))
    throw new Error(`after ${claims} calls, sent to the wrong receivers: ${JSON.stringify(arrived)}`);
  return { acceptedMs, sentMs: new Date(first?.at ?? 0).getTime() - startedAt, memoryMib };
}

await main();

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lookUntil } from '../eventually.ts';
import { bundleHelper, type Bundles } from './build.ts';
import type { BusyHour } from './busy-hour-worker.ts';
import { startGateway, type Gateway } from './gateway.ts';
import { postAll } from './poster.ts';
import { startRelay } from './relay.ts';
import { freePort, startRuntime } from './runtime.ts';
import { makeWebhooks, proofConfig } from './webhook.ts';

/** The start of a relay after an hour of N claims: the medians of a few starts. */
export interface BusyHourReport {
  readonly claims: number;
  readonly acceptedAfterMs: number;
  readonly sentAfterMs: number;
  readonly memoryMib: number;
  /** Each start on its own. */
  readonly starts: readonly Restart[];
}

/** One start of a relay after an hour of N claims. */
interface Restart {
  /** From the first webhook, which starts the object, to its 202, and to its call at the gateway (ms). */
  readonly acceptedAfterMs: number;
  readonly sentAfterMs: number;
  /** The most that was resident (MiB). */
  readonly memoryMib: number;
  /** The receivers, by number, whose messages came: 0 has had none that hour, 1 and 2 all that they may. */
  readonly arrived: readonly number[];
}

const MINUTE = 60_000;
/** The receivers that have had all that they may after the smallest hour. */
const RECEIVERS = 250;
const PER_HOUR = 20;
const STARTS = 3;
/** The claims that one call writes. */
const PORTION = 50_000;

/**
 * Writes an hour of N claims into an outbox's store, a step after the other, and after each step starts the relay
 * on it, under a heap that is smaller than the platform's.
 */
export async function busyHours(
  bundles: Bundles,
  steps: readonly number[],
): Promise<readonly BusyHourReport[]> {
  const storeDir = mkdtempSync(join(tmpdir(), 'hookbell-busy-'));
  const gateway = await startGateway();
  // Recent enough to be within the hour when all is measured.
  const hour = { startAt: Date.now() - 20 * MINUTE, everyMs: (15 * MINUTE) / Math.max(...steps) };
  const reports: BusyHourReport[] = [];
  try {
    const relay = await startRelay(bundles, gateway.baseUrl, storeDir, true);
    await relay.publish(proofConfig({}, { per_recipient: { per_hour: PER_HOUR } }));
    await relay.kill();
    let written = 0;
    for (const claims of steps) {
      if (claims > written) await fill(bundles, storeDir, { ...hour, from: written, to: claims });
      written = claims;
      const starts: Restart[] = [];
      for (let start = 0; start < STARTS; start += 1)
        starts.push(await restart(bundles, gateway, storeDir, `busy-${claims}-${start}`));
      reports.push({ claims, ...medians(starts), starts });
    }
    return reports;
  } finally {
    await gateway.close();
    rmSync(storeDir, { recursive: true });
  }
}

async function fill(
  { compatibilityDate }: Bundles,
  storeDir: string,
  { from, to, ...hour }: Omit<BusyHour, 'receivers'>,
): Promise<void> {
  const runtime = await startRuntime({
    port: await freePort(),
    storeDir,
    compatibilityDate,
    readyPath: '/',
    workers: [
      {
        name: 'relay',
        module: bundleHelper('test/e2e/busy-hour-worker.ts'),
        objects: [{ binding: 'OUTBOX', className: 'Outbox' }],
      },
    ],
  });
  for (let at = from; at < to; at += PORTION) {
    const portion: BusyHour = { ...hour, from: at, to: Math.min(to, at + PORTION), receivers: RECEIVERS };
    const response = await fetch(runtime.url, { method: 'POST', body: JSON.stringify(portion) });
    if (!response.ok) throw new Error(`the hour was not written: ${runtime.output().slice(-2_000)}`);
  }
  await runtime.kill();
}

/** A limit for what never comes. */
const COMES_WITHIN_MS = 60_000;

async function restart(
  bundles: Bundles,
  gateway: Gateway,
  storeDir: string,
  label: string,
): Promise<Restart> {
  const relay = await startRelay(bundles, gateway.baseUrl, storeDir, true);
  const webhooks = makeWebhooks(label, 3, 3);
  const came = async () => {
    const calls = await gateway.calls();
    return webhooks.flatMap(({ id }, receiver) => {
      const call = calls.find(({ params }) => params['message'] === id);
      return call === undefined ? [] : [{ receiver, at: call.at }];
    });
  };
  const startedAt = Date.now();
  await postAll(relay.hookUrl, webhooks.slice(0, 1), 1);
  const acceptedAfterMs = Date.now() - startedAt;
  await postAll(relay.hookUrl, webhooks.slice(1), 1);
  const patience = { withinMs: COMES_WITHIN_MS, eachMs: 20 };
  const first = await lookUntil(came, ({ length }) => length > 0, patience);
  const { sending } = await lookUntil(
    () => relay.status(),
    (now) => now.sending === 0,
    patience,
  );
  if (first.length === 0 || sending > 0)
    throw new Error(`${sending} are still being sent, and no message came`);
  const arrived = await came();
  const memoryMib = relay.peakMemoryMib();
  await relay.kill();
  return {
    acceptedAfterMs,
    sentAfterMs: new Date(arrived[0]?.at ?? 0).getTime() - startedAt,
    memoryMib,
    arrived: arrived.map(({ receiver }) => receiver),
  };
}

function medians(starts: readonly Restart[]) {
  const median = (value: (start: Restart) => number): number =>
    starts.map(value).toSorted((a, b) => a - b)[Math.floor(starts.length / 2)] ?? 0;
  return {
    acceptedAfterMs: median((start) => start.acceptedAfterMs),
    sentAfterMs: median((start) => start.sentAfterMs),
    memoryMib: median((start) => start.memoryMib),
  };
}

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bundles } from '../e2e/build.ts';
import type { Relay } from '../e2e/relay.ts';
import { contestantOf, pause, startPaid } from './contestants.ts';
import { fillStore } from './fill-store.ts';
import type { Filling } from './fill-worker.ts';
import { grownFigures, inTurns, peakMib, quantile, type GrownFigure, type Lab } from './measure.ts';
import { paymentConfig } from './payment.ts';

/** The lists that people read; the filters find nothing, or little. */
const LISTS: Readonly<Record<string, string>> = {
  'GET /events': '/events?limit=50',
  '… ?type (none)': '/events?limit=50&type=none',
  'GET /messages': '/messages?limit=50',
  '… ?state=dead': '/messages?limit=50&state=dead',
  '… ?phone (none)': '/messages?limit=50&phone=4900000000',
  'status of the account': '/accounts/default/status',
};

/** A relay whose one outbox holds N messages. */
export interface FilledRelay {
  readonly stored: number;
  /** Bytes on disk. */
  readonly bytes: number;
  readonly storeDir: string;
  readonly relay: Relay;
}

const DAY = 24 * 3_600_000;
/** The events that one call writes. */
const PORTION = 20_000;

/** Starts a relay for each number of stored messages, on stores that are filled by the relay's own statements. */
export async function fillAll(
  bundles: Bundles,
  gatewayUrl: string,
  folder: string,
  sizes: readonly number[],
  filled: FilledRelay[],
): Promise<void> {
  for (const stored of sizes) {
    const storeDir = join(folder, `stored-${stored}`);
    const relay = await startPaid(bundles, gatewayUrl, storeDir, paymentConfig());
    await pause(relay);
    await relay.kill();
    const hour = { startAt: Date.now() - 20 * DAY, everyMs: (19 * DAY) / stored };
    const portions = Array.from({ length: Math.ceil(stored / PORTION) }, (_, index): Filling => {
      const from = index * PORTION;
      return { ...hour, from, to: Math.min(stored, from + PORTION) };
    });
    await fillStore(bundles, storeDir, portions);
    await relay.start();
    filled.push({ stored, bytes: (await relay.status()).storage.bytes, storeDir, relay });
  }
}

const ACCEPTING = [
  'accepted, p50, 1 connection, ms',
  'accepted, p99, 1 connection, ms',
  'accepted, p50, 16 connections, ms',
  'accepted, CPU, 16 connections, ms',
] as const;

const EVENTS = 150;
const READS = 7;
/** No further round begins after this. */
const WITHIN_MS = 75_000;

/** In turns; the accounts are paused, so that only accepting is measured. */
export async function measureStored(
  lab: Lab,
  filled: readonly FilledRelay[],
  rounds: number,
): Promise<readonly GrownFigure[]> {
  const all = await inTurns(filled, rounds, WITHIN_MS, ({ relay }) => storedRound(lab, relay));
  return grownFigures([...ACCEPTING, ...Object.keys(LISTS).map((name) => `\`${name}\`, ms`)], all);
}

async function storedRound(lab: Lab, relay: Relay): Promise<readonly number[]> {
  const contestant = contestantOf(relay, 'hookbell (paused)');
  const { p50, p99 } = await lab.measure(contestant, { count: EVENTS, connections: 1 });
  const atOnce = await lab.measure(contestant, { count: 3 * EVENTS, connections: 16 });
  const lists: number[] = [];
  for (const [name, path] of Object.entries(LISTS)) {
    const waits: number[] = [];
    for (let read = 0; read < READS; read += 1) {
      const startedAt = performance.now();
      const answer = await relay.admin('GET', path);
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${name}: ${text}`);
      waits.push(performance.now() - startedAt);
    }
    lists.push(quantile(waits, 0.5));
  }
  return [p50, p99, atOnce.p50, atOnce.cpuMs ?? Number.NaN, ...lists];
}

const RESTARTS = [
  'first request answered after, ms',
  'first call to the gateway after, ms',
  'peak memory after two seconds of sending, MiB',
] as const;
const STARTS = 3;
const SEND_MS = 2_000;

/** Has all that is stored wait to be sent; kills each relay and starts it again, in turns. */
export async function measureRestarts(
  bundles: Bundles,
  filled: readonly FilledRelay[],
  lab: Lab,
): Promise<readonly GrownFigure[]> {
  for (const { relay, storeDir } of filled) {
    // From now on nothing holds it back.
    const resumed = await relay.admin('POST', '/accounts/default/resume', {});
    if (!resumed.ok) throw new Error(`resume: ${resumed.status} ${await resumed.text()}`);
    await relay.kill();
    await fillStore(bundles, storeDir, [{ state: 'queued' }]);
  }
  return grownFigures(RESTARTS, await inTurns(filled, STARTS, Infinity, (one) => restart(one, lab)));
}

async function restart({ relay }: FilledRelay, lab: Lab): Promise<readonly number[]> {
  const called = lab.nextCall();
  await relay.start();
  const startedAt = performance.now();
  await relay.status();
  const answeredMs = performance.now() - startedAt;
  const calledMs = Math.max(0, (await called) - startedAt);
  await sleep(SEND_MS);
  const memoryMib = peakMib(relay.pid()) ?? 0;
  await relay.kill();
  return [answeredMs, calledMs, memoryMib];
}

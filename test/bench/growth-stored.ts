import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bundles } from '../e2e/build.ts';
import { startRelay, type Relay } from '../e2e/relay.ts';
import { freePort } from '../e2e/runtime.ts';
import { contestantOf } from './contestants.ts';
import { fillStore } from './fill-store.ts';
import type { Filling } from './growth-worker.ts';
import { median, peakMib, quantile, type Lab } from './measure.ts';
import { paymentConfig } from './payment.ts';

/** The lists that people read; the filters find nothing, or little. */
const LISTS = {
  'GET /events': '/events?limit=50',
  '… ?type (none)': '/events?limit=50&type=none',
  'GET /messages': '/messages?limit=50',
  '… ?state=dead': '/messages?limit=50&state=dead',
  '… ?phone (none)': '/messages?limit=50&phone=4900000000',
  'status of the account': '/accounts/default/status',
} as const;
const LIST_NAMES = [
  'GET /events',
  '… ?type (none)',
  'GET /messages',
  '… ?state=dead',
  '… ?phone (none)',
  'status of the account',
] as const satisfies readonly (keyof typeof LISTS)[];

/** A relay whose one outbox holds N messages. */
export interface FilledRelay {
  readonly stored: number;
  /** Bytes on disk. */
  readonly bytes: number;
  readonly storeDir: string;
  readonly relay: Relay;
}

const FILLS = 'test/bench/growth-worker.ts';
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
    const vars = { CALLS_PER_RUN: '10000' };
    const relay = await startRelay(bundles, gatewayUrl, storeDir, false, { vars });
    await relay.publish(paymentConfig());
    const paused = await relay.admin('POST', '/accounts/default/pause', { reason: 'the bench' });
    await relay.kill();
    if (!paused.ok) throw new Error(`pause: ${paused.status} ${await paused.text()}`);
    const hour = { startAt: Date.now() - 20 * DAY, everyMs: (19 * DAY) / stored };
    const portions = Array.from({ length: Math.ceil(stored / PORTION) }, (_, index): Filling => {
      const from = index * PORTION;
      return { ...hour, from, to: Math.min(stored, from + PORTION) };
    });
    await fillStore(bundles, storeDir, FILLS, portions);
    await relay.start();
    filled.push({ stored, bytes: (await relay.status()).storage.bytes, storeDir, relay });
  }
}

/** One figure at each number of stored messages. */
export interface StoredFigure {
  readonly name: string;
  /** Medians of the rounds. */
  readonly values: readonly number[];
  /** Of the most to the fewest: the median of the rounds' ratios, since whatever else the machine did met both. */
  readonly ratio: number;
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
): Promise<{ readonly accepting: readonly StoredFigure[]; readonly reading: readonly StoredFigure[] }> {
  /** By round, size and figure. */
  const all: (readonly (readonly number[])[])[] = [];
  const startedAt = performance.now();
  // The first round warms up.
  for (let round = 0; round <= rounds && performance.now() < startedAt + WITHIN_MS; round += 1) {
    const figures = new Map<FilledRelay, readonly number[]>();
    const turns = round % 2 === 1 ? filled : filled.toReversed();
    for (const one of turns) figures.set(one, await storedRound(lab, one.relay));
    if (round > 0) all.push(filled.map((one) => figures.get(one) ?? []));
  }
  const figures = [...ACCEPTING, ...LIST_NAMES].map((name, figure): StoredFigure => {
    const each = all.map((sizes) => sizes.map((values) => values[figure] ?? Number.NaN));
    return {
      name,
      values: filled.map((_, size) => median(each.map((values) => values[size] ?? Number.NaN))),
      ratio: median(each.map((values) => (values.at(-1) ?? Number.NaN) / (values[0] ?? Number.NaN))),
    };
  });
  return { accepting: figures.slice(0, ACCEPTING.length), reading: figures.slice(ACCEPTING.length) };
}

async function storedRound(lab: Lab, relay: Relay): Promise<readonly number[]> {
  const contestant = contestantOf(relay, 'hookbell (paused)');
  const { p50, p99 } = await lab.measure(contestant, { count: EVENTS, connections: 1 });
  const atOnce = await lab.measure(contestant, { count: 3 * EVENTS, connections: 16 });
  const lists: number[] = [];
  for (const name of LIST_NAMES) {
    const waits: number[] = [];
    for (let read = 0; read < READS; read += 1) {
      const startedAt = performance.now();
      const answer = await relay.admin('GET', LISTS[name]);
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${name}: ${text}`);
      waits.push(performance.now() - startedAt);
    }
    lists.push(quantile(waits, 0.5));
  }
  return [p50, p99, atOnce.p50, atOnce.cpuMs ?? Number.NaN, ...lists];
}

/** The figures of a relay that starts with N messages waiting. */
export interface RestartFigures {
  readonly waiting: number;
  /** From the first request to its answer, and to the first call of the gateway (ms). */
  readonly answeredMs: number;
  readonly calledMs: number;
  /** After it has sent for a while. */
  readonly memoryMib: number;
}

const STARTS = 3;
const SEND_MS = 2_000;

/** Has all that is stored wait to be sent; kills each relay and starts it again, in turns. */
export async function measureRestarts(
  bundles: Bundles,
  filled: readonly FilledRelay[],
  gateway: FirstCalls,
): Promise<readonly RestartFigures[]> {
  for (const { relay, storeDir } of filled) {
    // From now on nothing holds it back.
    const resumed = await relay.admin('POST', '/accounts/default/resume', {});
    if (!resumed.ok) throw new Error(`resume: ${resumed.status} ${await resumed.text()}`);
    await relay.kill();
    await fillStore(bundles, storeDir, FILLS, [{ state: 'queued' }]);
  }
  const starts = new Map<FilledRelay, Omit<RestartFigures, 'waiting'>[]>();
  for (let start = 0; start < STARTS; start += 1)
    for (const one of filled) starts.set(one, [...(starts.get(one) ?? []), await restart(one, gateway)]);
  return filled.map((one) => {
    const of = starts.get(one) ?? [];
    return {
      waiting: one.stored,
      answeredMs: median(of.map(({ answeredMs }) => answeredMs)),
      calledMs: median(of.map(({ calledMs }) => calledMs)),
      memoryMib: median(of.map(({ memoryMib }) => memoryMib)),
    };
  });
}

async function restart(
  { relay }: FilledRelay,
  gateway: FirstCalls,
): Promise<Omit<RestartFigures, 'waiting'>> {
  const called = gateway.next();
  await relay.start();
  const startedAt = performance.now();
  await relay.status();
  const answeredMs = performance.now() - startedAt;
  const calledMs = Math.max(0, (await called) - startedAt);
  await sleep(SEND_MS);
  const memoryMib = peakMib(relay.pid()) ?? 0;
  await relay.kill();
  return { answeredMs, calledMs, memoryMib };
}

export interface FirstCalls {
  /** Ends in `/api`. */
  readonly url: string;
  /** The time when the next call comes. */
  next(): Promise<number>;
  close(): void;
}

/** A gateway that says yes, and when it was called first. */
export async function firstCalls(): Promise<FirstCalls> {
  let onCall: ((at: number) => void) | null = null;
  const server = createServer((request, response) => {
    onCall?.(performance.now());
    onCall = null;
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ success: true, message: 'ok', data: { status_code: 200 } }));
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${port}/api`,
    next: () =>
      new Promise((resolve) => {
        onCall = resolve;
      }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

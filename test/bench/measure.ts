import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Contestant } from './contestants.ts';
import type { LoadDone, LoadOrder } from './generator.ts';
import { PAYMENT, type Shape } from './payment.ts';
import { CONTROL, newTimes, type Times } from './shared.ts';

/** One run against one contestant. */
export interface Measured {
  readonly count: number;
  readonly acceptedPerSecond: number;
  /** Messages. Null: it delivers nothing. */
  readonly deliveredPerSecond: number | null;
  readonly p50: number;
  readonly p99: number;
  /** CPU of the contestant's process for an event, until the last is delivered and recorded. */
  readonly cpuMs: number | null;
  /** From the moment the sender has its 202 to the gateway's call, median; earlier counts as 0. */
  readonly toCallMs: number | null;
  /** CPU of the generator's thread for an event. */
  readonly generatorCpuMs: number;
}

interface Load {
  readonly count: number;
  readonly connections: number;
  /** No more are sent after this. */
  readonly withinMs?: number;
  /** Each waits for the delivery of the one before it, and this much longer. */
  readonly aloneMs?: number | null;
  readonly shape?: Shape;
  /** Instead of the contestant's own. */
  readonly paths?: readonly string[];
}

/** The last call's record is on disk by then. */
const SETTLE_MS = 150;
const GIVE_UP_MS = 120_000;

/** The load generator and the gateway, each in a thread of its own. */
export class Lab {
  /** Ends in `/api`. */
  readonly gatewayUrl: string;
  readonly #times: Times;
  readonly #generator: Worker;
  readonly #gateway: Worker;
  #run = 0;

  private constructor(times: Times, gateway: Worker, port: number) {
    this.#times = times;
    this.#gateway = gateway;
    this.#generator = new Worker(join(import.meta.dirname, 'generator.ts'), { workerData: times });
    this.gatewayUrl = `http://127.0.0.1:${port}/api`;
  }

  static async open(): Promise<Lab> {
    const times = newTimes();
    const gateway = new Worker(join(import.meta.dirname, 'gateway.ts'), { workerData: times });
    const port = await new Promise<number>((resolve, reject) => {
      gateway.once('message', resolve).once('error', reject);
    });
    return new Lab(times, gateway, port);
  }

  /** From now on the gateway takes this long for each call. */
  answerAfter(ms: number): void {
    Atomics.store(this.#times.control, CONTROL.answerAfterMs, ms);
  }

  /** The time when the gateway is called next. */
  async nextCall(): Promise<number> {
    const { control } = this.#times;
    const before = Atomics.load(control, CONTROL.calls);
    while (Atomics.load(control, CONTROL.calls) === before) await sleep(1);
    return performance.now();
  }

  async close(): Promise<void> {
    await Promise.all([this.#generator.terminate(), this.#gateway.terminate()]);
  }

  /** Posts at most N events, waits until all that was accepted is delivered, and says how it went. */
  async measure(
    { port, path, pid, name, delivers }: Contestant,
    { connections, withinMs = GIVE_UP_MS, aloneMs = null, shape = PAYMENT, paths = [path], ...load }: Load,
  ): Promise<Measured> {
    const { control, sent, accepted, called } = this.#times;
    this.#run += 1;
    const messages = Math.max(1, shape.items);
    for (const times of [sent, accepted, called]) times.fill(0, 0, load.count * messages);
    for (const [cell, value] of [this.#run, 0].entries()) Atomics.store(control, cell, value);
    const cpuBefore = cpuOf(pid);
    const order = { port, paths, shape, run: this.#run, count: load.count, connections, withinMs, aloneMs };
    const { failed, cpuMs, count } = await this.#load(order);
    if (failed !== null) throw new Error(`${name}: ${failed}`);
    if (delivers) await this.#delivered(name, count * messages);
    await sleep(SETTLE_MS);
    const cpuAfter = cpuOf(pid);
    const startedAt = Math.min(...sent.subarray(0, count));
    const perSecond = (ends: Float64Array, number: number): number =>
      (number * 1_000) / (ends.subarray(0, number).reduce((last, at) => Math.max(last, at), 0) - startedAt);
    const waits = Array.from(accepted.subarray(0, count), (at, index) => at - (sent[index] ?? 0));
    const toCalls = Array.from(called.subarray(0, count), (at, index) =>
      Math.max(0, at - (accepted[index] ?? 0)),
    );
    return {
      count,
      acceptedPerSecond: perSecond(accepted, count),
      deliveredPerSecond: delivers ? perSecond(called, count * messages) : null,
      p50: quantile(waits, 0.5),
      p99: quantile(waits, 0.99),
      cpuMs: cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / count,
      toCallMs: delivers ? quantile(toCalls, 0.5) : null,
      generatorCpuMs: cpuMs / count,
    };
  }

  async #load(order: LoadOrder): Promise<LoadDone> {
    const { promise, resolve, reject } = Promise.withResolvers<LoadDone>();
    this.#generator.once('message', resolve).once('error', reject);
    this.#generator.postMessage(order, []);
    return promise.finally(() => this.#generator.removeAllListeners('error'));
  }

  async #delivered(name: string, count: number): Promise<void> {
    const { control } = this.#times;
    const deadline = performance.now() + GIVE_UP_MS;
    while (Atomics.load(control, CONTROL.called) < count) {
      if (performance.now() > deadline)
        throw new Error(`${name}: ${Atomics.load(control, CONTROL.called)} of ${count} were delivered`);
      await sleep(5);
    }
  }
}

/** User and system time of a process, in ms; null where there is no `/proc`. */
function cpuOf(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  // After the name, which may have spaces: the 12th and 13th of the fields that follow it.
  const fields = (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The most memory that it ever had resident, in MiB; null where there is no `/proc`. */
export function peakMib(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib) / 1_024;
}

export const quantile = (numbers: readonly number[], share: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ??
  Number.NaN;

/** Of an even number of values the mean of the middle two: there are few rounds. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/** Measures all in turns, every second round the other way round; the first warms up. By round, in the order of `all`. */
export async function inTurns<One, Figures>(
  all: readonly One[],
  rounds: number,
  withinMs: number,
  measure: (one: One) => Promise<Figures>,
): Promise<readonly (readonly Figures[])[]> {
  const found: Figures[][] = [];
  const startedAt = performance.now();
  for (let round = 0; round <= rounds && performance.now() < startedAt + withinMs; round += 1) {
    const isBackwards = round % 2 === 0;
    const figures: Figures[] = [];
    for (const one of isBackwards ? all.toReversed() : all) figures.push(await measure(one));
    if (round > 0) found.push(isBackwards ? figures.toReversed() : figures);
  }
  return found;
}

/** One figure at each step of a growth. */
export interface GrownFigure {
  readonly name: string;
  /** Medians of the rounds. */
  readonly values: readonly number[];
  /** Of the last step to the first: the median of the rounds' ratios, since whatever else the machine did met both. */
  readonly ratio: number;
}

/** `rounds`: for each round and step, the figures in the order of their names. */
export const grownFigures = (
  names: readonly string[],
  rounds: readonly (readonly (readonly number[])[])[],
): readonly GrownFigure[] =>
  names.map((name, figure) => {
    const each = rounds.map((steps) => steps.map((values) => values[figure] ?? Number.NaN));
    return {
      name,
      values: (each[0] ?? []).map((_, step) => median(each.map((values) => values[step] ?? Number.NaN))),
      ratio: median(each.map((values) => (values.at(-1) ?? Number.NaN) / (values[0] ?? Number.NaN))),
    };
  });

import { PLACES } from '../simulation.ts';
import type { TraceEntry } from '../simulation.ts';
import { passTime } from '../run/pass-time.ts';
import type { Globals, WorkerExports } from './bundle.ts';
import type { Fault, MOMENTS } from './fault-plan.ts';
import { ALL_MACHINES, ONE_MACHINE } from './isolate.ts';
import { Platform } from './platform.ts';
import type { Scheduler } from './scheduler.ts';
import { NO_PLANTED_FAULT } from './seams.ts';

export const START = Date.UTC(2026, 5, 1);
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;

/** Properties are tried with the same inputs each time. */
export const RUNS = { seed: 1, numRuns: 60 } as const;

/** Work that has not ended after this time never ends (simulated ms). */
const LONGEST_MS = 60 * MINUTE;

/** The answer of an object's method. */
export type Answer = { readonly value: unknown } | { readonly error: string };

export const errorOf = (answer: Answer): string => ('error' in answer ? answer.error : '');

/** The elements of an answer that is a list. */
export const listOf = (answer: Answer): unknown[] => ('value' in answer ? [answer.value].flat() : []);

/** Objects as a test's Worker calls them. */
export interface Objects {
  getByName(name: string): Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>;
}

export interface Env {
  readonly CONFIG: KVNamespace;
  readonly OUTBOX: Objects;
  readonly REGISTRY: Objects;
}

export interface BenchOptions {
  readonly seed?: number;
  readonly faults?: readonly Fault[];
  /** The only faults that happen; null: all. */
  readonly only?: ReadonlySet<string> | null;
  readonly callsPerInvocation?: number;
  readonly isEverywhere?: boolean;
}

/** A platform whose Worker is written in the test. */
export interface Bench {
  readonly platform: Platform;
  readonly trace: readonly TraceEntry[];
  /** Simulated ms since the start. */
  readonly now: () => number;
  /** Calls a method of an object, by way of a request at a place. */
  call(method: string, ...args: readonly unknown[]): Promise<Answer>;
  /** The same, and lets time pass until it is answered. */
  ask(method: string, ...args: readonly unknown[]): Promise<Answer>;
  callAt(place: string, object: string, method: string, ...args: readonly unknown[]): Promise<Answer>;
  /** Lets simulated time pass (ms). */
  pass(ms: number): Promise<void>;
  /** Lets time pass until this has ended. */
  until<Value>(work: Promise<Value>): Promise<Value>;
}

/** The end of an outbox's instance, at such a moment, after as many of them as are let pass. */
export const evict = (moment: (typeof MOMENTS)[number], skip: number, after: number): Fault => ({
  kind: 'evict',
  name: `evict ${moment} ${skip} ${after}`,
  at: START + after,
  object: 'Outbox/',
  moment,
  skip,
  loss: 'connection',
});

/** Returns the Worker's exports besides its `fetch`, which calls the object and method that the request names. */
export type WorkerOf = (globals: Globals) => WorkerExports;

export function startBench(worker: WorkerOf, options: BenchOptions = {}): Bench {
  const trace: TraceEntry[] = [];
  const platform = new Platform({
    program: (_modules, globals) => ({ default: { fetch: callObject }, ...worker(globals) }),
    seed: options.seed ?? 1,
    startAt: START,
    duration: Infinity,
    faults: () => options.faults ?? [],
    seams: NO_PLANTED_FAULT,
    machines: options.isEverywhere === true ? ALL_MACHINES : ONE_MACHINE,
    keepsIdle: true,
    callsPerInvocation: options.callsPerInvocation ?? 10_000,
    only: options.only ?? null,
    onTrace: (entry) => void trace.push(entry),
  });
  const pass = (ms: number): Promise<void> => passTime(platform, platform.scheduler.now + ms);
  const callAt: Bench['callAt'] = async (place, object, method, ...args) => {
    const body = JSON.stringify({ object, method, args });
    const response = await platform.request(
      place,
      new Request('https://relay.example', { method: 'POST', body }),
    );
    return await response.json<Answer>();
  };
  const until: Bench['until'] = async (work) => {
    const state = { isOver: false };
    const end = (): void => void (state.isOver = true);
    void work.then(end, end);
    for (const limit = platform.scheduler.now + LONGEST_MS; !state.isOver; await pass(SECOND))
      if (platform.scheduler.now > limit) throw new Error('it does not end');
    return await work;
  };
  const call: Bench['call'] = (method, ...args) => callAt(PLACES[0], 'one', method, ...args);
  const ask: Bench['ask'] = (method, ...args) => until(call(method, ...args));
  return { platform, trace, now: () => platform.scheduler.now - START, call, ask, callAt, pass, until };
}

/** `setTimeout` as a test's Worker has it. */
export function timerOf({ setTimeout }: Globals): (run: () => void, ms: number) => void {
  if (typeof setTimeout !== 'function') throw new Error('the simulated platform has no `setTimeout`');
  return (run, ms) => void Reflect.apply(setTimeout, undefined, [run, ms]);
}

/** The `fetch` of a test's Worker. */
async function callObject(request: Request, env: Env): Promise<Response> {
  const { object, method, args } = await request.json<{ object: string; method: string; args: unknown[] }>();
  try {
    const value = await env.OUTBOX.getByName(object)[method]?.(...args);
    return Response.json({ value: value ?? null });
  } catch (thrown) {
    return Response.json({ error: thrown instanceof Error ? thrown.message : String(thrown) });
  }
}

/** Lets the time of a scheduler pass that no platform belongs to. In a macrotask: it runs microtasks by itself. */
export function passSteps(scheduler: Scheduler, until: number): Promise<void> {
  return new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        while (scheduler.step(until));
        scheduler.passTo(until);
        resolve();
      } catch (thrown) {
        reject(thrown instanceof Error ? thrown : new Error(String(thrown)));
      }
    });
  });
}

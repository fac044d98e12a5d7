import type { Random } from '../simulation.ts';
import type { Globals } from './bundle.ts';
import { seededCrypto } from './crypto.ts';
import { refusing } from './refusing.ts';
import { currentInvocation, io, type Invocation } from './owner.ts';
import type { Scheduler, Step } from './scheduler.ts';

/** The least time for an interval, so that one of 0 ms lets time pass. */
const LEAST_INTERVAL_MS = 1;

export interface GlobalsHost {
  readonly scheduler: Scheduler;
  readonly random: Random;
  /** The clock of the machine (whole ms), which may differ from the simulated time. */
  clock(): number;
  fetch(input: unknown, init: unknown): Promise<Response>;
  readonly log: (level: string, line: string) => void;
}

/** The globals that code of an isolate sees instead of Node's own. */
export function globalsOf(host: GlobalsHost): Globals {
  const { scheduler, random } = host;
  const timers = createTimers(scheduler);
  const globals: Globals = {
    Date: createDate(() => host.clock()),
    Math: seededMath(random),
    // It does not go back with the clock.
    performance: refusing('`performance`', { now: () => Math.floor(scheduler.now), timeOrigin: 0 }),
    crypto: seededCrypto(random),
    fetch: (input: unknown, init?: unknown) => host.fetch(input, init),
    console: consoleOf(host),
    ...timers,
    scheduler: refusing('`scheduler`', {
      wait: (ms: number) =>
        io<void>(
          currentInvocation('scheduler.wait'),
          ({ resolve }) => void scheduler.after(ms, () => resolve()),
        ),
    }),
    AbortSignal: withTimeouts(scheduler),
    globalThis: undefined,
    self: undefined,
    process: undefined,
    setImmediate: undefined,
    caches: undefined,
  };
  return {
    ...globals,
    globalThis: { ...globals, Object, Array, JSON, Intl, Promise, URL, TextEncoder, TextDecoder },
  };
}

/** A `Date` whose now is the machine's. Dates that are made elsewhere are its instances, too. */
function createDate(now: () => number): unknown {
  const SimulatedDate = function (this: unknown, ...args: unknown[]): Date | string {
    if (new.target === undefined) return new Date(now()).toString();
    if (args.length === 0) return new Date(now());
    const date: unknown = Reflect.construct(Date, args);
    return date instanceof Date ? date : new Date(Number.NaN);
  };
  SimulatedDate.prototype = Date.prototype;
  return Object.assign(SimulatedDate, { now, parse: Date.parse, UTC: Date.UTC });
}

function seededMath(random: Random): unknown {
  const names = Object.getOwnPropertyNames(Math).map((name) => [name, Reflect.get(Math, name)] as const);
  return { ...Object.fromEntries(names), random: () => random.next() };
}

interface Timer {
  step: Step;
  readonly invocation: Invocation;
}

function createTimers(
  scheduler: Scheduler,
): Pick<Globals, 'setTimeout' | 'clearTimeout' | 'setInterval' | 'clearInterval'> {
  const timers = new Map<number, Timer>();
  let last = 0;

  const start = (run: () => unknown, ms: number, isRepeated: boolean): number => {
    const invocation = currentInvocation('setTimeout');
    const { owner } = invocation;
    const id = (last += 1);
    const delay = isRepeated ? Math.max(LEAST_INTERVAL_MS, ms) : ms;
    const fire = (): void => {
      const timer = timers.get(id);
      if (timer === undefined || !owner.isAlive) return;
      owner.deliver(invocation, () => {
        // It may have been cleared while it waited at the gate.
        if (!timers.has(id)) return;
        if (isRepeated) timer.step = scheduler.after(delay, fire);
        else stop(id);
        void run();
      });
    };
    owner.begin();
    timers.set(id, { step: scheduler.after(delay, fire), invocation });
    return id;
  };
  const stop = (id: unknown): void => {
    const timer = typeof id === 'number' ? timers.get(id) : undefined;
    if (timer === undefined) return;
    timers.delete(Number(id));
    timer.step.cancel();
    timer.invocation.owner.end();
  };
  return {
    setTimeout: (run: (...args: unknown[]) => unknown, ms = 0, ...args: unknown[]) =>
      start(() => run(...args), ms, false),
    setInterval: (run: (...args: unknown[]) => unknown, ms = 0, ...args: unknown[]) =>
      start(() => run(...args), ms, true),
    clearTimeout: stop,
    clearInterval: stop,
  };
}

function consoleOf({ log }: GlobalsHost): unknown {
  const levels = ['debug', 'log', 'info', 'warn', 'error'] as const;
  return Object.fromEntries(
    levels.map((level) => [level, (...texts: unknown[]) => log(level, texts.map(String).join(' '))]),
  );
}

/** `AbortSignal.timeout` by the simulated time. */
function withTimeouts(scheduler: Scheduler): unknown {
  const timeout = (ms: number): AbortSignal => {
    const controller = new AbortController();
    scheduler.after(ms, () =>
      controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
    );
    return controller.signal;
  };
  return new Proxy(AbortSignal, {
    get: (signal, key): unknown => (key === 'timeout' ? timeout : Reflect.get(signal, key)),
  });
}

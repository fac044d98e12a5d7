import type { Random } from '../simulation.ts';
import type { Program, WorkerExports } from './bundle.ts';
import { globalsOf } from './globals.ts';
import { PLACES } from '../simulation.ts';
import type { Scheduler } from './scheduler.ts';
import type { Seams } from './seams.ts';

/** The class that the Worker's objects extend: `cloudflare:workers` gives it. */
class DurableObject {
  readonly ctx: object;
  readonly env: object;

  constructor(ctx: object, env: object) {
    this.ctx = ctx;
    this.env = env;
  }
}

export interface IsolateHost {
  readonly program: Program;
  readonly seams: Seams;
  readonly count: (what: string) => void;
  /** Returns by how much the clock of a machine is off (ms). */
  readonly clockOffMs: (machine: string) => number;
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly machines: readonly Machine[];
  /** The bindings as they are at a place. */
  env(place: string): object;
  fetch(input: unknown, init: unknown): Promise<Response>;
  readonly connect: (address: { hostname: string }) => object;
  log(isolate: string, level: string, line: string): void;
}

/** The code, evaluated once: a memory of its own, on a machine with a clock of its own. */
export class Isolate {
  readonly id: string;
  readonly place: string;
  readonly env: object;
  readonly #exports: WorkerExports;

  constructor(host: IsolateHost, place: string, machine: string, generation: number) {
    this.id = `${machine}.${generation}`;
    this.place = place;
    this.env = host.env(place);
    const { scheduler, seams } = host;
    const globals = globalsOf({
      scheduler,
      random: host.random.fork(this.id),
      clock: () => seams.clock(Math.floor(scheduler.now + host.clockOffMs(machine))),
      fetch: (input, init) => host.fetch(input, init),
      log: (level, line) => host.log(this.id, level, line),
    });
    this.#exports = host.program(
      { 'cloudflare:workers': { DurableObject }, 'cloudflare:sockets': { connect: host.connect } },
      globals,
    );
  }

  /** Makes an object of one of the Worker's classes; throws what its constructor throws. */
  construct(className: string, state: object): object {
    const found = this.#exports[className];
    const made: unknown = typeof found === 'function' ? Reflect.construct(found, [state, this.env]) : null;
    if (typeof made !== 'object' || made === null)
      throw new Error(`the Worker exports no class ${className}`);
    return made;
  }

  /** Handles a request, by the Worker's `fetch`. */
  async fetch(request: Request, context: object): Promise<Response> {
    const handler: unknown = this.#exports['default'];
    const handle: unknown =
      typeof handler === 'object' && handler !== null ? Reflect.get(handler, 'fetch') : null;
    if (typeof handle !== 'function') throw new Error('the Worker exports no `fetch`');
    const response: unknown = await Reflect.apply(handle, handler, [request, this.env, context]);
    if (!(response instanceof Response)) throw new TypeError('the Worker returned no response');
    return response;
  }
}

export interface Machine {
  readonly name: string;
  readonly place: string;
}

/** A small deployment: one machine for all places and objects, so that what they share in memory meets. */
export const ONE_MACHINE: readonly Machine[] = [{ name: `${PLACES[0]}-1`, place: PLACES[0] }];

/** Two machines where the objects live, and one at each other place. */
export const ALL_MACHINES: readonly Machine[] = PLACES.flatMap((place, index) =>
  Array.from({ length: index === 0 ? 2 : 1 }, (_, number) => ({ name: `${place}-${number + 1}`, place })),
);

/** The isolates that are there: one a machine, made when the first event needs it. */
export class Isolates {
  readonly #host: IsolateHost;
  readonly #current = new Map<string, Isolate>();
  #generation = 0;

  constructor(host: IsolateHost) {
    this.#host = host;
  }

  /** An isolate for an object that starts. */
  forObject(random: Random): Isolate {
    return this.at(PLACES[0], random);
  }

  /** An isolate for a request. */
  at(place: string, random: Random): Isolate {
    const { machines } = this.#host;
    const near = machines.filter((machine) => machine.place === place);
    return this.#on(random.pick(near.length > 0 ? near : machines));
  }

  #on({ name, place }: Machine): Isolate {
    const known = this.#current.get(name);
    if (known !== undefined) return known;
    this.#generation += 1;
    const isolate = new Isolate(this.#host, place, name, this.#generation);
    this.#current.set(name, isolate);
    this.#host.count('isolates');
    return isolate;
  }

  /** The isolate of a machine is not used for what comes from now on; returns it. */
  replace(machine: string): Isolate | null {
    const isolate = this.#current.get(machine) ?? null;
    this.#current.delete(machine);
    return isolate;
  }
}

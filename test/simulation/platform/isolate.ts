import type { Random } from '../simulation.ts';
import type { Program, WorkerExports } from './bundle.ts';
import { globalsOf } from './globals.ts';
import { PLACES } from '../simulation.ts';
import type { Parts } from './parts.ts';
import type { Scheduler } from './scheduler.ts';

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
  readonly parts: Pick<Parts, 'scheduler' | 'faults' | 'seams' | 'trace' | 'count'>;
  readonly random: Random;
  readonly scheduler: Scheduler;
  /** The bindings as they are at a place. */
  env(place: string): object;
  fetch(input: unknown, init: unknown): Promise<Response>;
  connect(address: { hostname: string }): object;
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
    const { scheduler, faults, seams } = host.parts;
    const globals = globalsOf({
      scheduler,
      random: host.random.fork(this.id),
      clock: () => seams.clock(Math.floor(scheduler.now + faults.clockOffMs(machine))),
      fetch: (input, init) => host.fetch(input, init),
      log: (level, line) => host.log(this.id, level, line),
    });
    this.#exports = host.program(
      { 'cloudflare:workers': { DurableObject }, 'cloudflare:sockets': { connect: host.connect } },
      globals,
    );
  }

  classOf(name: string): new (state: object, env: object) => object {
    const found = this.#exports[name];
    if (typeof found !== 'function') throw new Error(`the Worker exports no class ${name}`);
    return found as new (state: object, env: object) => object;
  }

  /** The Worker's `fetch`. */
  get handler(): { fetch(request: Request, env: object, context: object): Promise<Response> } {
    return this.#exports['default'] as {
      fetch(request: Request, env: object, context: object): Promise<Response>;
    };
  }
}

/** Machines: the first place has two, which run the objects as well; the others have one. */
const MACHINES: readonly { readonly name: string; readonly place: string }[] = PLACES.flatMap(
  (place, index) =>
    index === 0
      ? [
          { name: `${place}-1`, place },
          { name: `${place}-2`, place },
        ]
      : [{ name: `${place}-1`, place }],
);

/** The names of the machines that objects are on. */
export const OBJECT_MACHINES: readonly string[] = MACHINES.filter(({ place }) => place === PLACES[0]).map(
  ({ name }) => name,
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
    return this.#on(random.pick(OBJECT_MACHINES));
  }

  /** An isolate for a request. */
  at(place: string, random: Random): Isolate {
    const machines = MACHINES.filter((machine) => machine.place === place);
    if (machines.length === 0) throw new Error(`there is no place ${place}`);
    return this.#on(random.pick(machines).name);
  }

  #on(machine: string): Isolate {
    const known = this.#current.get(machine);
    if (known !== undefined) return known;
    const place = MACHINES.find(({ name }) => name === machine)?.place ?? '';
    this.#generation += 1;
    const isolate = new Isolate(this.#host, place, machine, this.#generation);
    this.#current.set(machine, isolate);
    this.#host.parts.count('isolates');
    return isolate;
  }

  /** The isolate of a machine is not used for what comes from now on; returns it. */
  replace(machine: string): Isolate | null {
    const isolate = this.#current.get(machine) ?? null;
    this.#current.delete(machine);
    return isolate;
  }

  get machines(): readonly string[] {
    return MACHINES.map(({ name }) => name);
  }
}

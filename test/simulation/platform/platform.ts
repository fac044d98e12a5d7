import { BINDINGS, Finding } from '../simulation.ts';
import type { Simulation, TraceEntry } from '../simulation.ts';
import { assetsOf } from './assets.ts';
import { FaultsInForce } from './faults-in-force.ts';
import { Isolates } from './isolate.ts';
import { Kv } from './kv.ts';
import { namespaceOf } from './namespace.ts';
import { Network } from './network.ts';
import { latencyFrom } from './latency.ts';
import { LOST, type Loss } from './loss.ts';
import { ObjectHost } from './object.ts';
import type { Owner } from './owner.ts';
import type { Parts } from './parts.ts';
import type { PlatformOptions } from './platform-options.ts';
import { SeededRandom } from './random.ts';
import { Scheduler } from './scheduler.ts';
import { FrontDoor } from './worker.ts';

/** A deploy reaches objects within this time (ms). */
const DEPLOY_MS = 300_000;

/** A deployment of the Worker on a platform that is simulated, from a seed. */
export class Platform implements Simulation {
  readonly seed: number;
  readonly duration: number;
  readonly startedAt: number;
  readonly random: SeededRandom;
  readonly bindings: Record<string, string> = { ...BINDINGS };
  readonly scheduler: Scheduler;
  readonly counts: Record<string, number> = {};
  isCalm = false;
  failure: unknown = null;
  readonly #options: PlatformOptions;
  readonly #parts: Parts;
  readonly #faults: FaultsInForce;
  readonly #kv: Kv;
  readonly #network: Network;
  readonly #door: FrontDoor;
  readonly #objects = new Map<string, ObjectHost>();
  readonly #lossListeners: ((object: string) => void)[] = [];
  readonly #decided = new Map<string, number>();
  readonly #isolates: Isolates;

  constructor(options: PlatformOptions) {
    const { seed, startAt, duration } = options;
    this.#options = options;
    this.seed = seed;
    this.startedAt = startAt;
    this.duration = duration;
    const all = new SeededRandom(`seed ${seed}`);
    this.random = all.fork('world');
    const random = all.fork('platform');
    this.scheduler = new Scheduler(startAt, random.fork('order'));
    const { scheduler } = this;
    const trace = (entry: Omit<TraceEntry, 'at'>): void => this.trace(entry);
    const count = (what: string, by?: number): void => this.count(what, by);
    const machines = options.machines.map(({ name }) => name);
    this.#faults = new FaultsInForce(
      {
        scheduler,
        random: random.fork('faults in force'),
        trace,
        count,
        loseIsolate: (machine) => this.#lose(machine, 'memory'),
        deploy: () => this.#deploy(random.fork(`deploy ${scheduler.now}`), machines),
      },
      options.faults(random.fork('faults'), machines).filter(({ name }) => options.only?.has(name) ?? true),
    );
    const parts: Parts = {
      scheduler,
      random,
      faults: this.#faults,
      seams: options.seams,
      isolates: () => this.#isolates,
      callsPerInvocation: options.callsPerInvocation,
      keepsIdle: options.keepsIdle,
      latency: latencyFrom(random.fork('latency')),
      trace,
      count,
      callIsOut: (owner: Owner) => this.#objectOf(owner)?.callIsOut(),
      lost: (object) => {
        for (const listener of this.#lossListeners) listener(object);
      },
    };
    this.#parts = parts;
    this.#kv = new Kv(parts);
    this.#network = new Network(parts);
    this.#door = new FrontDoor(parts);
    this.#isolates = new Isolates({
      program: options.program,
      seams: options.seams,
      count,
      clockOffMs: (machine) => this.#faults.clockOffMs(machine),
      random: random.fork('isolates'),
      scheduler,
      machines: options.machines,
      env: (place) => this.#env(place),
      fetch: (input, init) => this.#network.fetch(input, init),
      connect: (address) => this.#network.connect(address),
      log: (isolate, level, line) => this.#log(isolate, level, line),
    });
  }

  #env(place: string): object {
    const find = (className: string, name: string): ObjectHost => this.#object(className, name);
    return {
      ...this.bindings,
      CONFIG: this.#kv.at(place),
      ASSETS: assetsOf(this.#parts),
      OUTBOX: namespaceOf('Outbox', find, this.#parts),
      REGISTRY: namespaceOf('Registry', find, this.#parts),
    };
  }

  #object(className: string, name: string): ObjectHost {
    const id = `${className}/${name}`;
    let object = this.#objects.get(id);
    if (object === undefined) this.#objects.set(id, (object = new ObjectHost(className, name, this.#parts)));
    return object;
  }

  #objectOf(owner: Owner): ObjectHost | undefined {
    return [...this.#objects.values()].find(({ instance }) => instance === owner);
  }

  /** The isolate of a machine is gone, and what is in it. */
  #lose(machine: string, loss: Loss): void {
    const isolate = this.#isolates.replace(machine);
    if (isolate === null) return;
    this.#door.lose(isolate);
    for (const object of this.#objects.values())
      if (object.instance?.isolate === isolate) object.kill(loss, LOST[loss].message);
  }

  /** New requests meet new code at once; objects within minutes, each machine at a moment of its own. */
  #deploy(random: SeededRandom, machines: readonly string[]): void {
    for (const machine of machines) {
      const isolate = this.#isolates.replace(machine);
      if (isolate === null) continue;
      this.scheduler.after(random.next() * DEPLOY_MS, () => {
        for (const object of this.#objects.values())
          if (object.instance?.isolate === isolate) object.kill('code', 'a deploy');
      });
    }
  }

  #log(isolate: string, level: string, line: string): void {
    this.count(`log.${level}`);
    if (this.#options.onTrace !== null) this.trace({ who: `log ${isolate}`, what: level, detail: { line } });
  }

  now(): number {
    return Math.floor(this.scheduler.now);
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.scheduler.after(ms, resolve));
  }

  spawn(name: string, activity: () => Promise<void>): void {
    this.scheduler.after(0, () => {
      activity().catch((thrown: unknown) => this.fail(thrown, name));
    });
  }

  fail(thrown: unknown, where: string): void {
    const reason = thrown instanceof Error ? thrown.stack : String(thrown);
    this.failure ??= thrown instanceof Finding ? thrown : new Error(`${where}: ${reason}`, { cause: thrown });
  }

  request(place: string, request: Request): Promise<Response> {
    return this.#door.request(place, request);
  }

  outside: Simulation['outside'] = (host, answer, isUp = () => true) => {
    const guarded: typeof answer = (call) => {
      try {
        return answer(call);
      } catch (thrown) {
        this.fail(thrown, host);
        return { kind: 'hang' };
      }
    };
    this.#network.outside(host, { answer: guarded, isUp });
  };

  report(rule: string, message: string): void {
    this.trace({ who: 'model', what: 'finding', detail: { rule, message } });
    this.fail(new Finding(rule, message), 'model');
  }

  onLoss(listener: (object: string) => void): void {
    this.#lossListeners.push(listener);
  }

  bytesOnDisk(className = ''): number {
    const own = [...this.#objects.values()].filter(({ id }) => id.startsWith(className));
    return own.reduce((sum, { disk }) => sum + disk.bytes, 0);
  }

  snapshot(object: string): () => void {
    const host = this.#objects.get(object);
    if (host === undefined) throw new Error(`no object is called ${object}`);
    const restore = host.disk.snapshot();
    return () => {
      host.kill('connection', 'its disk is restored');
      restore();
    };
  }

  clockOffMs(from: number): number {
    return this.#faults.worstClockMs(from);
  }

  faultAt(): number {
    return this.#faults.lastAt;
  }

  diskFullSince(from: number): number | null {
    return this.#faults.diskFullSince(from);
  }

  kvFailedUntil(from: number): number | null {
    return this.#faults.kvFailedUntil(from);
  }

  trace(entry: Omit<TraceEntry, 'at'>): void {
    this.#options.onTrace?.({ at: this.scheduler.now, ...entry });
  }

  decide(what: string): boolean {
    const number = this.#decided.get(what) ?? 0;
    this.#decided.set(what, number + 1);
    return this.#options.only?.has(`${what}#${number}`) ?? true;
  }

  /** The number of decisions on each kind of action. */
  get decided(): ReadonlyMap<string, number> {
    return this.#decided;
  }

  count(what: string, by = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + by;
  }

  /** Gives back what the run has used. */
  close(): void {
    for (const { disk } of this.#objects.values()) disk.close();
    this.#objects.clear();
  }

  calm(): void {
    this.isCalm = true;
    this.#faults.end();
    this.trace({ who: 'platform', what: 'faults end' });
  }
}

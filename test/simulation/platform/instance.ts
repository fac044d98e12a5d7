import type { Disk } from './disk.ts';
import type { Isolate } from './isolate.ts';
import { remoteError } from './loss.ts';
import { currentInvocation, isInCode, runIn, type Ending, type Invocation, type Owner } from './owner.ts';
import { refusing } from './refusing.ts';
import type { Scheduler } from './scheduler.ts';
import type { SqlHost } from './sql.ts';
import { storageOf } from './storage.ts';

/** A call of another part of the Worker. */
export interface Call {
  readonly method: string;
  readonly args: readonly unknown[];
  readonly answer: Ending<unknown>;
}

export interface InstanceHost {
  readonly name: string;
  readonly className: string;
  readonly scheduler: Scheduler;
  readonly disk: Disk;
  readonly sql: SqlHost;
  readonly isolate: Isolate;
  readonly callsPerInvocation: number;
  /** An event is about to be let in; false: the instance is gone instead. */
  beforeEvent(): boolean;
  setAlarm(at: number | null): void;
  /** True if the output gate holds. */
  waitsForDisk(): boolean;
  /** The code asks for a new instance, since it could not go on. */
  reset(reason: unknown): void;
}

interface Waiting {
  readonly invocation: Invocation;
  readonly run: () => void;
}

/** An object in memory, from its constructor until it is evicted: gates, events and I/O. */
export class Instance implements Owner {
  readonly startedAt: number;
  readonly #host: InstanceHost;
  readonly #calls = new Set<Call>();
  readonly #waiting: Waiting[] = [];
  #object: object = {};
  #isAlive = true;
  #isDraining = false;
  #storageOperations = 0;
  #section: object | null = null;
  #underWay = 0;
  #lastEventAt: number;

  constructor(host: InstanceHost) {
    this.#host = host;
    this.startedAt = host.scheduler.now;
    this.#lastEventAt = this.startedAt;
  }

  get className(): string {
    return this.#host.className;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get isolate(): Isolate {
    return this.#host.isolate;
  }

  /** Nothing is under way: the platform may evict it after a while. */
  get isIdle(): boolean {
    return this.#underWay === 0 && this.#waiting.length === 0 && !this.#host.disk.hasUnflushed;
  }

  get lastEventAt(): number {
    return this.#lastEventAt;
  }

  /** Runs the constructor of the class; throws what it throws. */
  construct(): void {
    const { isolate, className } = this.#host;
    this.#object = runIn(this.invocation(), () => isolate.construct(className, this.#state()));
  }

  invocation(section: object | null = null): Invocation {
    return { owner: this, callsLeft: this.#host.callsPerInvocation, section };
  }

  /** It is gone: its code never goes on. Returns the calls that get no answer. */
  kill(): readonly Call[] {
    this.#isAlive = false;
    this.#waiting.length = 0;
    return [...this.#calls];
  }

  begin(): void {
    this.#underWay += 1;
  }

  end(): void {
    this.#underWay -= 1;
  }

  released(send: () => void): void {
    if (!this.#host.waitsForDisk()) return send();
    this.#host.disk.whenFlushed(() => {
      if (this.#isAlive) send();
    });
  }

  deliver(invocation: Invocation, run: () => void): void {
    if (!this.#isAlive) return;
    // Behind those that may enter as well, and not behind those that wait until this one's section has ended.
    const isNext = !this.#waiting.some((one) => this.#mayEnter(one.invocation));
    if (isNext && this.#mayEnter(invocation)) this.#enter({ invocation, run });
    else this.#waiting.push({ invocation, run });
  }

  #mayEnter({ section }: Invocation): boolean {
    return this.#storageOperations === 0 && (this.#section === null || this.#section === section);
  }

  #enter({ invocation, run }: Waiting): void {
    // An event that code brings about by itself (it aborts a call) does not let the instance go first.
    if (!isInCode() && !this.#host.beforeEvent()) return;
    this.#lastEventAt = this.#host.scheduler.now;
    runIn(invocation, run);
  }

  /** The gate has opened: what waits is let in one by one, each in a step of its own. */
  #drain(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    this.#host.scheduler.after(0, () => {
      this.#isDraining = false;
      const index = this.#waiting.findIndex(({ invocation }) => this.#mayEnter(invocation));
      const [next] = index < 0 ? [] : this.#waiting.splice(index, 1);
      if (next === undefined || !this.#isAlive) return;
      this.#enter(next);
      if (this.#waiting.length > 0) this.#drain();
    });
  }

  /** Handles a call of one of its methods. */
  call(call: Call): void {
    const { method, args, answer } = call;
    this.#calls.add(call);
    const finish = (end: () => void): void => {
      this.#calls.delete(call);
      end();
    };
    this.handle(method, args, {
      resolve: (value) => finish(() => answer.resolve(value)),
      reject: (error) => finish(() => answer.reject(remoteError(error))),
    });
  }

  /**
   * Runs a method as an event of its own. Its result, as it was when the method ended, leaves through the output
   * gate.
   */
  handle(method: string, args: readonly unknown[], ending: Ending<unknown>): void {
    const invocation = this.invocation();
    this.begin();
    this.deliver(invocation, () => {
      const handler: unknown = Reflect.get(this.#object, method);
      const work = async (): Promise<unknown> => {
        if (typeof handler !== 'function')
          throw new TypeError(`The RPC receiver does not implement the method "${method}".`);
        const value: unknown = await Reflect.apply(handler, this.#object, args);
        return method === 'fetch' ? value : structuredClone(value);
      };
      void work()
        .finally(() => this.end())
        .then(
          (value) => this.released(() => ending.resolve(value)),
          (error: unknown) => this.released(() => ending.reject(error)),
        );
    });
  }

  /** `ctx`. Anything else that the platform has is not simulated. */
  #state(): object {
    const { name, className } = this.#host;
    return refusing(`the state of an object`, {
      id: {
        name,
        toString: () => `${className}/${name}`,
        equals: (other: unknown) => String(other) === `${className}/${name}`,
      },
      storage: storageOf({
        disk: this.#host.disk,
        sql: this.#host.sql,
        setAlarm: (at) => this.#host.setAlarm(at),
        gated: (value) => this.#gated(value),
        isAlive: () => this.#isAlive,
      }),
      waitUntil: (work: Promise<unknown>) => {
        this.begin();
        void Promise.resolve(work).then(
          () => this.end(),
          () => this.end(),
        );
      },
      blockConcurrencyWhile: (work: () => Promise<unknown>) => this.#block(work),
    });
  }

  /** No other event is let in until `work` has ended; if it throws, the object is reset. */
  #block(work: () => Promise<unknown>): Promise<unknown> {
    if (this.#section !== null)
      throw new Error('the simulated platform has one `blockConcurrencyWhile` at a time');
    const section = {};
    this.#section = section;
    this.begin();
    const open = (): void => {
      this.#section = null;
      this.end();
      this.#drain();
    };
    return runIn(this.invocation(section), async () => await work()).then(
      (value) => {
        open();
        return value;
      },
      (error: unknown) => {
        open();
        if (this.#isAlive) this.#host.reset(error);
        throw error;
      },
    );
  }

  /** A storage operation that is awaited: no other event is let in meanwhile (the input gate). */
  #gated<Value>(value: () => Value): Promise<Value> {
    currentInvocation('storage');
    this.#storageOperations += 1;
    this.begin();
    const invocation = this.invocation();
    return new Promise((resolve) => {
      this.#host.scheduler.after(0, () => {
        this.#storageOperations -= 1;
        this.end();
        if (!this.#isAlive) return;
        runIn(invocation, () => resolve(value()));
        if (this.#waiting.length > 0) this.#drain();
      });
    });
  }
}

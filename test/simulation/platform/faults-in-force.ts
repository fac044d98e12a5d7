import type { Random, TraceEntry } from '../simulation.ts';
import type { Fault, FaultKind } from './fault-plan.ts';
import type { Loss } from './loss.ts';
import type { Scheduler, Step } from './scheduler.ts';

/** The time that the platform's own work takes when nothing is wrong, in ms. */
const FLUSH_MS = { least: 1, most: 8 };
const ALARM_LATE_MS = 100;

interface FaultsHost {
  readonly scheduler: Scheduler;
  readonly random: Random;
  trace(entry: Omit<TraceEntry, 'at'>): void;
  count(what: string): void;
  loseIsolate(machine: string): void;
  deploy(): void;
}

type Of<Kind extends FaultKind> = Extract<Fault, { kind: Kind }>;

/** The faults that are in force now; the parts of the platform ask here what goes wrong. */
export class FaultsInForce {
  readonly #host: FaultsHost;
  readonly #active = new Set<Fault>();
  readonly #hits = new Set<Fault>();
  readonly #left = new Map<Fault, number>();
  readonly #steps: Step[];
  /** When one of them last changed anything (ms). */
  lastAt = -Infinity;

  constructor(host: FaultsHost, plan: readonly Fault[]) {
    this.#host = host;
    this.#steps = plan.map((fault) => host.scheduler.at(fault.at, () => this.#begin(fault)));
  }

  #begin(fault: Fault): void {
    const { scheduler } = this.#host;
    if (fault.kind === 'isolate lost' || fault.kind === 'deploy') {
      this.#hit(fault);
      return fault.kind === 'deploy' ? this.#host.deploy() : this.#host.loseIsolate(fault.machine);
    }
    this.#active.add(fault);
    if ('skip' in fault) this.#left.set(fault, fault.skip);
    else this.#steps.push(scheduler.at(fault.until, () => this.#active.delete(fault)));
  }

  /** Nothing more goes wrong. */
  end(): void {
    for (const step of this.#steps) step.cancel();
    this.#active.clear();
  }

  /** It has changed what happens: until then it was only there. */
  #hit(fault: Fault): void {
    this.lastAt = this.#host.scheduler.now;
    if (this.#hits.has(fault)) return;
    this.#hits.add(fault);
    const { name, kind } = fault;
    const detail = Object.fromEntries(
      Object.entries(fault).filter(([key]) => !['name', 'kind', 'at'].includes(key)),
    );
    this.#host.count('faults');
    this.#host.count(`fault.${kind}`);
    this.#host.trace({ who: 'platform', what: name, detail });
  }

  #find<Kind extends FaultKind>(
    kinds: readonly Kind[],
    isMeant: (fault: Of<Kind>) => boolean,
  ): Of<Kind> | null {
    if (this.#active.size === 0) return null;
    for (const fault of this.#active) {
      const isOne = (one: Fault): one is Of<Kind> => kinds.some((kind) => kind === one.kind);
      if (isOne(fault) && isMeant(fault)) return fault;
    }
    return null;
  }

  /** A fault that waits for this moment, if it has come to its turn. */
  #take<Kind extends 'evict' | 'request lost' | 'call lost' | 'alarm twice' | 'outbox’s call lost'>(
    kind: Kind,
    isMeant: (fault: Of<Kind>) => boolean,
  ): Of<Kind> | null {
    const fault = this.#find([kind], isMeant);
    if (fault === null) return null;
    const left = this.#left.get(fault) ?? 0;
    this.#left.set(fault, left - 1);
    if (left > 0) return null;
    this.#active.delete(fault);
    this.#hit(fault);
    return fault;
  }

  #lasting<Kind extends FaultKind>(kind: Kind, isMeant: (fault: Of<Kind>) => boolean): Of<Kind> | null {
    const fault = this.#find([kind], isMeant);
    if (fault !== null) this.#hit(fault);
    return fault;
  }

  evictionAt(object: string, moment: string): Loss | null {
    return (
      this.#take('evict', (fault) => object.startsWith(fault.object) && fault.moment === moment)?.loss ?? null
    );
  }

  requestLost(): 'before' | 'after' | null {
    return this.#take('request lost', () => true)?.when ?? null;
  }

  /** `caller`: the class of the object that makes the call; null: a request makes it. */
  callLost(caller: string | null): 'before' | 'after' | null {
    const ofOutbox = caller === 'Outbox' ? this.#take('outbox’s call lost', () => true) : null;
    return (ofOutbox ?? this.#take('call lost', () => true))?.when ?? null;
  }

  repeatsAlarm(): boolean {
    return this.#take('alarm twice', () => true) !== null;
  }

  /** Of an alarm that was cut off after it had set the next one. */
  forgetsAlarmOfHandler(): boolean {
    return this.#host.random.chance(0.5);
  }

  flushMs(): number {
    const slow = this.#lasting('slow disk', () => true);
    return this.#host.random.next() * (slow?.ms ?? FLUSH_MS.most) + FLUSH_MS.least;
  }

  alarmLateMs(): number {
    const late = this.#lasting('alarm late', () => true);
    return this.#host.random.next() * (late?.ms ?? ALARM_LATE_MS);
  }

  clockOffMs(machine: string): number {
    return this.#lasting('clock', (fault) => fault.machine === machine)?.ms ?? 0;
  }

  /** By how much a clock was wrong at most since `from`. */
  worstClockMs(from: number): number {
    let worst = 0;
    for (const fault of this.#hits)
      if (fault.kind === 'clock' && fault.until >= from) worst = Math.max(worst, Math.abs(fault.ms));
    return worst;
  }

  /** The end of the last failure of KV that struck, if that is after `from`. Null if none struck. */
  kvFailedUntil(from: number): number | null {
    const ends = [...this.#hits].flatMap((fault) =>
      (fault.kind === 'KV read fails' || fault.kind === 'KV write fails') && fault.until > from
        ? [fault.until]
        : [],
    );
    return ends.length === 0 ? null : Math.max(...ends);
  }

  /** Since when a disk is full, or was until `from` at least (ms); null: none is. */
  diskFullSince(from: number): number | null {
    const times = [...this.#hits].flatMap((fault) =>
      fault.kind === 'full disk' && fault.until > from ? [fault.at] : [],
    );
    return times.length === 0 ? null : Math.min(...times);
  }

  isFull(object: string): boolean {
    return this.#lasting('full disk', (fault) => object.startsWith(fault.object)) !== null;
  }

  /** Throws if the object cannot be started now. */
  atStart(object: string): void {
    if (this.#lasting('broken start', (fault) => object.startsWith(fault.object)) !== null)
      throw new Error('internal error; the storage of the Durable Object could not be opened');
  }

  isOverloaded(object: string): boolean {
    return this.#lasting('overloaded', (fault) => object.startsWith(fault.object)) !== null;
  }

  kvBehindMs(place: string): number {
    return this.#lasting('KV behind', (fault) => fault.place === place)?.ms ?? 0;
  }

  failsKv(place: string, operation: 'get' | 'put'): boolean {
    const kind = operation === 'get' ? 'KV read fails' : 'KV write fails';
    return this.#lasting(kind, (fault) => fault.place === place) !== null;
  }
}

import { AlarmDriver } from './alarms.ts';
import { Disk } from './disk.ts';
import { Instance, type Call } from './instance.ts';
import { lossError, type Loss } from './loss.ts';
import type { Parts } from './parts.ts';
import type { Step } from './scheduler.ts';

/**
 * The time for which the platform keeps an object in memory that has nothing to do (Durable Objects, "Lifecycle"), in
 * ms: it may hibernate after 10 s.
 */
const IDLE_MS = { least: 10_000, most: 140_000 };
/** The same where it keeps none: each event meets an object that has to read its state. */
const NO_IDLE_MS = { least: 20, most: 200 };

/** One Durable Object: its disk and alarm, which stay, and the instance that is in memory, if one is. */
export class ObjectHost {
  readonly name: string;
  readonly className: string;
  readonly disk: Disk;
  readonly #parts: Parts;
  readonly #alarms: AlarmDriver;
  readonly #random;
  #instance: Instance | null = null;
  #idle: Step | null = null;

  constructor(className: string, name: string, parts: Parts) {
    this.className = className;
    this.name = name;
    this.#parts = parts;
    this.#random = parts.random.fork(this.id);
    this.disk = new Disk({
      scheduler: parts.scheduler,
      random: this.#random.fork('disk'),
      flushMs: () => parts.faults.flushMs(),
      isAtomic: () => parts.seams.isAtomic(this.id),
      atFlush: (moment) =>
        void this.#opportunity(
          moment === 'before' ? 'before its writes are on disk' : 'after its writes are on disk',
        ),
      alarmChanged: () => this.#alarms.sync(),
    });
    this.#alarms = new AlarmDriver({
      id: this.id,
      disk: this.disk,
      parts,
      start: () => void this.#instanceOrStart(),
      run: (info, ending) => this.#instanceOrStart().handle('alarm', [info], ending),
    });
  }

  get id(): string {
    return `${this.className}/${this.name}`;
  }

  get instance(): Instance | null {
    return this.#instance;
  }

  /** A call arrives. */
  receive(call: Call): void {
    const { faults } = this.#parts;
    if (faults.isOverloaded(this.id)) return call.answer.reject(lossError('overloaded'));
    try {
      this.#instanceOrStart().call(call);
    } catch (thrown) {
      call.answer.reject(thrown);
    }
  }

  #instanceOrStart(): Instance {
    if (this.#instance !== null) return this.#instance;
    const { scheduler, isolates, faults, trace } = this.#parts;
    const isolate = isolates().forObject(this.#random);
    faults.atStart(this.id);
    const instance = new Instance({
      name: this.name,
      className: this.className,
      scheduler,
      disk: this.disk,
      isolate,
      callsPerInvocation: this.#parts.callsPerInvocation,
      sql: {
        beforeStatement: (_text, { isWrite, isGrowing }) => {
          if (isGrowing && faults.isFull(this.id)) throw new Error('database or disk is full: SQLITE_FULL');
          if (isWrite) this.disk.open();
        },
        mayWrite: (text, values) => this.#parts.seams.write(this.id, text, values),
        rows: (text, values, rows) => this.#parts.seams.read(this.id, text, values, rows),
      },
      beforeEvent: () => !this.#opportunity('at an await'),
      setAlarm: (at) => this.#alarms.set(at),
      waitsForDisk: () => this.#parts.seams.waitsForDisk(this.id),
      reset: () => this.kill('connection', 'its constructor failed'),
    });
    this.#instance = instance;
    trace({ who: this.id, what: 'starts', detail: { isolate: isolate.id } });
    this.#parts.count('object.starts');
    try {
      instance.construct();
    } catch (thrown) {
      this.kill('connection', `its constructor threw ${String(thrown)}`);
      throw thrown;
    }
    this.#watchIdle(instance);
    return instance;
  }

  /** True: a fault has used this moment to end the instance. */
  #opportunity(moment: string): boolean {
    const loss = this.#instance === null ? null : this.#parts.faults.evictionAt(this.id, moment);
    if (loss === null) return false;
    this.kill(loss, moment);
    return true;
  }

  /** A fault may use the moment at which a call of this object has arrived at a server outside. */
  callIsOut(): void {
    this.#opportunity('with a call under way');
  }

  /** The instance is gone, with its memory and what was not on disk. */
  kill(loss: Loss, why: string): void {
    const instance = this.#instance;
    if (instance === null) return;
    this.#instance = null;
    this.#idle?.cancel();
    // While its disk is full, it has what it could not write in its memory alone.
    if (!instance.isIdle || this.#parts.faults.isFull(this.id)) this.#parts.lost(this.id);
    const calls = instance.kill();
    this.disk.crash();
    if (!this.#parts.seams.keepsAlarm(this.id)) this.disk.alarm = null;
    this.#parts.trace({ who: this.id, what: 'is gone', detail: { why, calls: calls.length } });
    for (const { answer } of calls) answer.reject(lossError(loss));
    this.#alarms.instanceGone();
  }

  #watchIdle(instance: Instance): void {
    const { scheduler } = this.#parts;
    const { least, most } = this.#parts.keepsIdle ? IDLE_MS : NO_IDLE_MS;
    const patience = this.#random.int(least, most);
    const look = (): void => {
      if (this.#instance !== instance) return;
      const idleFor = instance.isIdle ? scheduler.now - instance.lastEventAt : 0;
      if (idleFor >= patience) this.kill('connection', 'idle');
      else this.#idle = scheduler.after(patience - idleFor, look);
    };
    this.#idle = scheduler.after(patience, look);
  }
}

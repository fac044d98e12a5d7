import type { Disk } from './disk.ts';
import type { Ending } from './owner.ts';
import type { Parts } from './parts.ts';
import type { Step } from './scheduler.ts';

/** The platform tries an alarm that throws again, each time after twice as long, and gives it up then (Durable Objects, "Alarms"). */
const FIRST_RETRY_MS = 2_000;
const RETRIES = 6;

interface AlarmHost {
  readonly id: string;
  readonly disk: Disk;
  readonly parts: Parts;
  /** Starts the object, unless it is in memory; throws what its constructor throws. */
  start(): void;
  /** Calls the handler. It has ended once what it wrote is on disk. */
  run(info: { retryCount: number; isRetry: boolean; scheduledTime: number }, ending: Ending<unknown>): void;
}

export class AlarmDriver {
  readonly #host: AlarmHost;
  #step: Step | null = null;
  #armedFor: number | null = null;
  /** The alarm whose handler runs. */
  #running: { readonly at: number } | null = null;
  #retries = 0;

  constructor(host: AlarmHost) {
    this.#host = host;
  }

  set(at: number | null): void {
    const { parts, id, disk } = this.#host;
    const wanted = parts.seams.setAlarm(id, at);
    if (wanted === undefined) return;
    disk.alarm = wanted;
    // Another alarm has retries of its own.
    if (this.#running === null) this.#retries = 0;
    this.sync();
  }

  /** Arms the platform's clock for the alarm that is set now. */
  sync(): void {
    const { alarm } = this.#host.disk;
    if (this.#running !== null || alarm === this.#armedFor) return;
    this.#arm(alarm);
  }

  #arm(alarm: number | null, notBefore = 0): void {
    const { scheduler, faults } = this.#host.parts;
    this.#step?.cancel();
    this.#armedFor = alarm;
    if (alarm === null) return;
    const at = Math.max(alarm, notBefore, scheduler.now) + faults.alarmLateMs();
    this.#step = scheduler.at(at, () => this.#fire());
  }

  #fire(): void {
    const { disk, parts, id } = this.#host;
    const at = disk.alarm;
    this.#armedFor = null;
    if (at === null || this.#running !== null) return;
    disk.alarm = null;
    parts.count('alarms');
    parts.trace({ who: id, what: 'alarm', detail: { retry: this.#retries } });
    const failure = this.#start();
    const running = { at };
    // Before the handler is called: that may be the moment at which the instance ends.
    this.#running = running;
    if (failure !== null) return this.#ended(running, failure);
    const info = { retryCount: this.#retries, isRetry: this.#retries > 0, scheduledTime: at };
    this.#host.run(info, {
      resolve: () => this.#ended(running, null),
      reject: (thrown) => this.#ended(running, errorOf(thrown)),
    });
  }

  /** Starts the object. Returns the error that keeps it from starting; null: it starts. */
  #start(): Error | null {
    try {
      this.#host.start();
      return null;
    } catch (thrown) {
      return errorOf(thrown);
    }
  }

  #ended(running: { readonly at: number }, failure: Error | null): void {
    if (this.#running !== running) return;
    const { disk, parts, id } = this.#host;
    this.#running = null;
    if (failure === null) {
      this.#retries = 0;
      // At least once: that it has run may be forgotten.
      if (parts.faults.repeatsAlarm()) this.#again(running.at, 0);
      else this.sync();
      return;
    }
    parts.trace({ who: id, what: 'alarm failed', detail: { error: failure.message, retry: this.#retries } });
    if (disk.alarm !== null) {
      this.#retries = 0;
      return this.sync();
    }
    this.#retries += 1;
    if (this.#retries > RETRIES) {
      parts.count('alarms.given_up');
      parts.trace({ who: id, what: 'alarm given up' });
      this.#retries = 0;
      return this.sync();
    }
    this.#again(running.at, FIRST_RETRY_MS * 2 ** (this.#retries - 1));
  }

  #again(at: number, afterMs: number): void {
    const { disk, parts } = this.#host;
    disk.alarm = Math.min(disk.alarm ?? at, at);
    this.#arm(disk.alarm, parts.scheduler.now + afterMs);
  }

  /** Its instance is gone. A handler that was running is called again, which does not count as a failure of the code. */
  instanceGone(): void {
    const running = this.#running;
    if (running === null) return this.sync();
    this.#running = null;
    // The handler may have set the next alarm already: then the platform may take that one for the only one.
    if (this.#host.disk.alarm !== null && this.#host.parts.faults.forgetsAlarmOfHandler()) return this.sync();
    this.#again(running.at, FIRST_RETRY_MS);
  }
}

const errorOf = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

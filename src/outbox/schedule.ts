import type { LoadedConfig } from '../config/compiled/config.ts';
import type { Base } from './base.ts';
import { isAnythingStored, SWEEP_EACH_MS, type Housekeeping } from './housekeeping.ts';
import type { Incidents } from './incidents/incidents.ts';
import type { Timing } from './send/timing.ts';

/** The time after which an alarm follows a run (ms). One alarm serves this time, not one per event. */
export const NET_MS = 30_000;

/** The times at which an outbox needs its alarm: for a message, a notification, or housekeeping. */
export class Schedule {
  readonly #base: Base;
  readonly #timing: Timing;
  readonly #housekeeping: Housekeeping;
  readonly #incidents: Incidents;

  constructor(base: Base, timing: Timing, housekeeping: Housekeeping, incidents: Incidents) {
    this.#base = base;
    this.#timing = timing;
    this.#housekeeping = housekeeping;
    this.#incidents = incidents;
  }

  /** Sets the alarm that sends what a run leaves behind if the object stops. */
  stretchNet(): void {
    const { alarm, clock } = this.#base;
    // The platform starts a running alarm again.
    if (!alarm.isRunning) alarm.bringForward(clock() + NET_MS);
  }

  /**
   * Sets the alarm for the next thing that is due. `loaded` is null if this object has read no configuration, because
   * the policy came with the events. Then the alarm below its run finds out. `isRunning`: a run is under way, and
   * whatever waits for it needs no alarm.
   */
  arm(loaded: LoadedConfig | null, isRunning: boolean): void {
    const { alarm, clock, config, escapes, handings, owner } = this.#base;
    const now = clock();
    if (isRunning) alarm.bringForward(now + NET_MS);
    else {
      const policy = loaded === null ? config.policyNow(now) : config.policyIn(loaded);
      alarm.bringForward(policy === null ? now : this.#timing.nextRunAt(policy));
    }
    alarm.bringForward(owner.nextAt());
    alarm.bringForward(handings.nextAt());
    alarm.bringForward(escapes.nextAt());
    alarm.bringForward(this.#incidents.nextAt());
    if (loaded === null) return;
    alarm.bringForward(this.#base.canary.nextAt(config.policyIn(loaded).canary));
    alarm.bringForward(this.#housekeeping.alarmAt(loaded));
  }

  /** Rows were added: sets the alarm for the next sweep if it is not set. */
  keepAlive(): void {
    this.armLost(this.#base.clock() + SWEEP_EACH_MS);
  }

  /**
   * Sets a lost alarm again. An object that holds or watches anything must always have an alarm; the alarm itself finds
   * out when it is needed next.
   */
  armLost(at = this.#base.clock()): void {
    const { alarm, canary, heartbeats, owner, sql } = this.#base;
    if (alarm.at !== null || alarm.isRunning) return;
    if (isAnythingStored(sql) || owner.nextAt() !== null || heartbeats.isWatching || canary.isOn)
      alarm.bringForward(at);
  }
}

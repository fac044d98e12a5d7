import type { LoadedConfig } from '../config/config.ts';
import type { Alarm } from '../lib/alarm.ts';
import type { AccountConfig } from './account-config.ts';
import { isAnythingStored, SWEEP_EACH_MS, type Housekeeping } from './housekeeping.ts';
import type { Incidents } from './incidents/incidents.ts';
import type { Heartbeats } from './notify/heartbeat.ts';
import type { Notifier } from './notify/notifier.ts';
import type { Timing } from './send/timing.ts';

/** When the alarm comes below a run (ms). One alarm stands for this time, and not one for each event. */
export const NET_MS = 30_000;

interface ScheduleDeps {
  readonly sql: SqlStorage;
  readonly alarm: Alarm;
  readonly config: AccountConfig;
  readonly timing: Timing;
  readonly notifier: Notifier;
  readonly heartbeats: Heartbeats;
  readonly housekeeping: Housekeeping;
  readonly incidents: Incidents;
  readonly clock: () => number;
}

/** When an outbox's alarm is needed: for a message, a notification, or housekeeping. */
export class Schedule {
  readonly #deps: ScheduleDeps;

  constructor(deps: ScheduleDeps) {
    this.#deps = deps;
  }

  /** The alarm that sends what a run has left behind if the object stops. */
  stretchNet(): void {
    const { alarm, clock } = this.#deps;
    // The platform starts a running alarm again.
    if (!alarm.isRunning) alarm.bringForward(clock() + NET_MS);
  }

  /**
   * Sets the alarm for whatever is next. `loaded` null: this object has read no configuration, since it had the policy
   * from whoever brought the events. Then the alarm below its run finds out. `isRunning`: what waits for a run needs no
   * alarm of its own.
   */
  arm(loaded: LoadedConfig | null, isRunning: boolean): void {
    const { alarm, config, timing, notifier, housekeeping, incidents, clock } = this.#deps;
    const now = clock();
    if (isRunning) alarm.bringForward(now + NET_MS);
    else {
      const policy = loaded === null ? config.policyNow(now) : config.policyIn(loaded);
      alarm.bringForward(policy === null ? now : timing.nextRunAt(policy));
    }
    alarm.bringForward(notifier.nextAt());
    alarm.bringForward(incidents.nextAt());
    if (loaded !== null) alarm.bringForward(housekeeping.alarmAt(loaded));
  }

  /** Rows were added: sets the alarm for the next sweep if it is not set. */
  keepAlive(): void {
    this.armLost(this.#deps.clock() + SWEEP_EACH_MS);
  }

  /**
   * An object that holds or watches anything must always have an alarm. The alarm itself finds out when it is needed
   * next.
   */
  armLost(at = this.#deps.clock()): void {
    const { sql, alarm, notifier, heartbeats } = this.#deps;
    if (alarm.at !== null || alarm.isRunning) return;
    if (isAnythingStored(sql) || notifier.nextAt() !== null || heartbeats.isWatching) alarm.bringForward(at);
  }
}

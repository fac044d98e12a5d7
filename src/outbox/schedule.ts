import type { LoadedConfig } from '../config/config.ts';
import type { Alarm } from '../lib/alarm.ts';
import type { AccountConfig } from './account-config.ts';
import { isAnythingStored, SWEEP_EACH_MS, type Housekeeping } from './housekeeping.ts';
import type { Incidents } from './incidents/incidents.ts';
import type { Heartbeats } from './notify/heartbeat.ts';
import type { Notifier } from './notify/notifier.ts';
import type { Dispatch } from './send/dispatch.ts';

/** When the alarm comes below a run (ms). One alarm stands for this time, and not one for each event. */
export const NET_MS = 30_000;

interface ScheduleDeps {
  readonly sql: SqlStorage;
  readonly alarm: Alarm;
  readonly config: AccountConfig;
  readonly dispatch: Dispatch;
  readonly notifier: Notifier;
  readonly heartbeats: Heartbeats;
  readonly housekeeping: Housekeeping;
  readonly incidents: () => Incidents;
}

/** When an outbox's alarm is needed: for a message, a notification, or housekeeping. */
export class Schedule {
  readonly #deps: ScheduleDeps;

  constructor(deps: ScheduleDeps) {
    this.#deps = deps;
  }

  /**
   * There may be more to send, from `opensAt` (ms) on: notifies the current run, or sets the alarm for then. A run's
   * alarm stays pending until the run has ended, and comes again if the object stops before that.
   */
  wake(now: number, opensAt: number): void {
    const { alarm, dispatch } = this.#deps;
    if (dispatch.running) {
      this.stretchNet(now);
      dispatch.notify();
    } else alarm.bringForward(opensAt);
  }

  /** The alarm that sends what a run has left behind if the object stops. */
  stretchNet(now: number): void {
    const { alarm } = this.#deps;
    // The platform starts a running alarm again.
    if (!alarm.isRunning) alarm.bringForward(now + NET_MS);
  }

  /**
   * Sets the alarm for whatever is next. Null: this object has read no configuration, since it had the policy from whoever
   * brought the events. Then the alarm below its run finds out.
   */
  arm(loaded: LoadedConfig | null): void {
    const { alarm, config, dispatch, notifier, housekeeping, incidents } = this.#deps;
    const now = Date.now();
    // What waits for the current run needs no alarm of its own.
    if (dispatch.running) alarm.bringForward(now + NET_MS);
    else {
      const policy = loaded === null ? config.policyNow(now) : config.policyIn(loaded);
      alarm.bringForward(policy === null ? now : dispatch.timing.nextRunAt(policy));
    }
    alarm.bringForward(notifier.nextAt());
    alarm.bringForward(incidents().nextAt());
    if (loaded !== null) alarm.bringForward(housekeeping.alarmAt(loaded));
  }

  /** Something other than a message is due at this moment (ms). */
  soon(at: number): void {
    this.#deps.alarm.bringForward(at);
  }

  /** Rows were added: sets the alarm for the next sweep if it is not set. */
  keepAlive(now: number): void {
    this.armLost(now + SWEEP_EACH_MS);
  }

  /**
   * An object that holds or watches anything must always have an alarm. The alarm itself finds out when it is needed
   * next.
   */
  armLost(at = Date.now()): void {
    const { sql, alarm, notifier, heartbeats } = this.#deps;
    if (alarm.at !== null || alarm.isRunning) return;
    if (isAnythingStored(sql) || notifier.nextAt() !== null || heartbeats.isWatching) alarm.bringForward(at);
  }
}

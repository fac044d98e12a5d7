import type { LoadedConfig } from '../config/config.ts';
import type { Alarm } from '../lib/alarm.ts';
import type { AccountConfig } from './account-config.ts';
import { isAnythingStored, SWEEP_EACH_MS, type Housekeeping } from './housekeeping.ts';
import type { Heartbeats } from './notify/heartbeat.ts';
import type { Notifier } from './notify/notifier.ts';
import type { Dispatch } from './send/dispatch.ts';

interface ScheduleDeps {
  readonly sql: SqlStorage;
  readonly alarm: Alarm;
  readonly config: AccountConfig;
  readonly dispatch: Dispatch;
  readonly notifier: Notifier;
  readonly heartbeats: Heartbeats;
  readonly housekeeping: Housekeeping;
}

/** When an outbox's alarm is needed: for a message, a notification, or housekeeping. */
export class Schedule {
  readonly #deps: ScheduleDeps;

  constructor(deps: ScheduleDeps) {
    this.#deps = deps;
  }

  /**
   * There may be more to send: notifies the current run, or sets the alarm for when something can be sent. A run's
   * alarm stays pending until the run has ended, and comes again if the object stops before that.
   */
  wake(now: number): void {
    const { alarm, config, dispatch } = this.#deps;
    dispatch.claims.queue.dueAt(now);
    const policy = config.known === null ? null : config.policyIn(config.known);
    if (dispatch.running) dispatch.notify();
    else if (policy === null) alarm.bringForward(now);
    // A new message cannot go earlier than pace and circuit allow, and the alarm may be set for that time already.
    else if (alarm.at === null || alarm.at > dispatch.timing.opensAt(policy, now))
      alarm.bringForward(dispatch.timing.nextRunAt(policy));
  }

  /** Sets the alarm for whatever is next. */
  arm(loaded: LoadedConfig): void {
    const { alarm, config, dispatch, notifier, housekeeping } = this.#deps;
    alarm.bringForward(dispatch.timing.nextRunAt(config.policyIn(loaded)));
    alarm.bringForward(notifier.nextAt());
    alarm.bringForward(housekeeping.alarmAt(loaded));
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

import type { LoadedConfig } from '../config/compiled/config.ts';
import type { Base } from './base.ts';
import { isAnythingStored, type Housekeeping } from './housekeeping.ts';
import type { Incidents } from './incidents/incidents.ts';
import type { Timing } from './send/timing.ts';

/** The time after which an alarm follows a run (ms). One alarm serves this time, not one per event. */
export const NET_MS = 30_000;

export type Schedule = ReturnType<typeof createSchedule>;

/** The times at which an outbox needs its alarm: for a message, a notification, or housekeeping. */
export function createSchedule(base: Base, timing: Timing, housekeeping: Housekeeping, incidents: Incidents) {
  const { alarm, canary, clock, config, escapes, handings, heartbeats, owner, sql } = base;
  return {
    /** Sets the alarm that sends what a run leaves behind if the object stops. */
    stretchNet(): void {
      // The platform starts a running alarm again.
      if (!alarm.isRunning) alarm.bringForward(clock() + NET_MS);
    },

    /**
     * Sets the alarm for the next thing that is due. `loaded` is null if this object has read no configuration, because
     * the policy came with the events. Then the alarm below its run finds out. `isRunning`: a run is under way, and
     * whatever waits for it needs no alarm.
     */
    arm(loaded: LoadedConfig | null, isRunning: boolean): void {
      const now = clock();
      const policy = loaded === null ? config.policyNow(now) : config.policyIn(loaded);
      if (isRunning) alarm.bringForward(now + NET_MS);
      else alarm.bringForward(policy === null ? now : timing.nextRunAt(policy));
      for (const part of [owner, handings, escapes, incidents]) alarm.bringForward(part.nextAt());
      if (loaded === null) return;
      alarm.bringForward(canary.nextAt(config.policyIn(loaded).canary));
      alarm.bringForward(housekeeping.alarmAt(loaded));
    },

    /**
     * Sets the alarm if there is none. An object that holds or watches anything must always have one; the alarm itself
     * finds out when it is needed next.
     */
    armLost(at = clock()): void {
      if (alarm.at !== null || alarm.isRunning) return;
      if (isAnythingStored(sql) || owner.nextAt() !== null || heartbeats.isWatching || canary.isOn)
        alarm.bringForward(at);
    },
  };
}

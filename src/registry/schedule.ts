import type { Alarm } from '../lib/alarm.ts';
import { earliest } from '../lib/iso.ts';
import type { KvCopy } from './kv-copy.ts';
import type { Rounds } from './rounds.ts';
import type { Versions } from './versions.ts';

interface ScheduleDeps {
  readonly alarm: Alarm;
  readonly versions: Pick<Versions, 'isPublished'>;
  readonly rounds: Pick<Rounds, 'nextAt'>;
}

/** Sets the registry's alarm: for the copy to KV or the next round, whichever is first. */
export class RegistrySchedule {
  readonly #deps: ScheduleDeps;
  /**
   * The time when the copy continues (ms); null if KV has everything, or nothing was tried since the object started.
   */
  #copyAt: number | null = null;

  constructor(deps: ScheduleDeps) {
    this.#deps = deps;
  }

  /** Sets the time when the copy to KV continues (ms); null if KV has everything. */
  setCopyAt(at: number | null): void {
    this.#copyAt = at;
    this.arm();
  }

  /** Sets the alarm. Rounds are left out while an alarm runs; its end sets it again. */
  arm(): void {
    const { alarm, versions, rounds } = this.#deps;
    const roundsAt = alarm.isRunning || !versions.isPublished ? null : rounds.nextAt();
    const at = earliest([this.#copyAt, roundsAt]);
    if (at !== null) alarm.set(at);
  }

  /** Sets the alarm if it was lost. */
  armLost(copy: Pick<KvCopy, 'isBehind' | 'retryAt'>): void {
    const { alarm, versions, rounds } = this.#deps;
    if (alarm.isRunning || !versions.isPublished) return;
    alarm.bringForward(copy.isBehind ? copy.retryAt : rounds.nextAt());
  }
}

import type { Alarm } from '../lib/alarm.ts';
import { minTime, MINUTE } from '../lib/time.ts';
import { isCallLimit } from '../gateway/client.ts';
import { describeError, log } from '../lib/log.ts';
import { callsPerRun } from '../outbox/state/calls.ts';
import type { KvCopy } from './kv-copy.ts';
import type { Versions } from './versions.ts';
import { replaceRow } from '../lib/store.ts';
import { type SqlRow, Tables } from './schema.ts';

/** Outboxes have their own alarms; a round restores those that the platform gave up. */
const ROUND_EACH_MS = 60 * MINUTE;

/** The wait after a fault: KV could not be read, the run had no calls left, or the alarm failed. */
export const AGAIN_MS = 5 * MINUTE;

/** The platform opens no more connections at once. */
const AT_ONCE = 6;

/** Calls reserved for other purposes: the copy to KV, and a read of the configuration. */
const RESERVE = 10;

export const outboxesPerRun = (calls: string | undefined) => Math.max(1, callsPerRun(calls) - RESERVE);

interface RoundsDeps {
  readonly names: () => Promise<readonly string[]>;
  readonly look: (name: string) => Promise<void>;
  /** The number of outboxes that one alarm checks; each is a call. */
  readonly portion: number;
  readonly clock: () => number;
}

interface Position extends SqlRow {
  /** The time when the round begins or continues (ms). */
  due: number;
  /** Outboxes up to this name were checked in this round. */
  behind: string;
}

/** Checks every outbox hourly, a portion in each alarm: one that lost its alarm, and that nobody calls, would never send. */
export class Rounds extends Tables<RoundsDeps> {
  nextAt(): number {
    const now = this.others.clock();
    // A time far in the future comes from a clock that was ahead; it must not delay the round.
    return Math.min(this.#position?.due ?? now, now + ROUND_EACH_MS);
  }

  /** Checks the next portion if it is due. Never throws. */
  async run(): Promise<void> {
    const { clock } = this.others;
    if (clock() < this.nextAt()) return;
    const behind = this.#position?.behind ?? '';
    const next = await this.#lookFrom(behind).catch((thrown: unknown) => {
      log('error', 'outbox.sweep.failed', { error: describeError(thrown) });
      return { due: clock() + AGAIN_MS, behind };
    });
    replaceRow(this.sql, 'rounds', { one: 1, ...next });
  }

  async #lookFrom(behind: string): Promise<Position> {
    const { names, portion, clock } = this.others;
    const left = (await names()).filter((name) => name > behind).toSorted();
    const now = clock();
    for (let from = 0; from < Math.min(portion, left.length); from += AT_ONCE) {
      const some = left.slice(from, Math.min(from + AT_ONCE, portion));
      const looked = await Promise.all(some.map((name) => this.#look(name)));
      if (looked.includes(false)) return { due: now + AGAIN_MS, behind: left[from - 1] ?? behind };
    }
    const last = left.length > portion ? left[portion - 1] : undefined;
    return last === undefined ? { due: now + ROUND_EACH_MS, behind: '' } : { due: now, behind: last };
  }

  /** False if this run may make no more calls. An outbox that cannot be reached is tried in the next round. */
  async #look(name: string): Promise<boolean> {
    try {
      await this.others.look(name);
    } catch (thrown) {
      if (isCallLimit(thrown)) return false;
      log('error', 'outbox.sweep.failed', { account: name, error: describeError(thrown) });
    }
    return true;
  }

  get #position(): Position | undefined {
    return this.row('SELECT due, behind FROM rounds');
  }
}

interface ScheduleDeps {
  readonly alarm: Alarm;
  readonly versions: Pick<Versions, 'isPublished'>;
  readonly rounds: Pick<Rounds, 'nextAt'>;
}

/** Sets the registry's alarm: for the copy to KV or the next round, whichever is first. */
export class RegistrySchedule {
  readonly #deps: ScheduleDeps;
  /** When the copy continues (ms); null if KV has everything, or nothing was tried since the object started. */
  #copyAt: number | null = null;

  constructor(deps: ScheduleDeps) {
    this.#deps = deps;
  }

  setCopyAt(at: number | null): void {
    this.#copyAt = at;
    this.arm();
  }

  /** Sets the alarm. Rounds are left out while an alarm runs; its end sets it again. */
  arm(): void {
    const { alarm, versions, rounds } = this.#deps;
    const roundsAt = alarm.isRunning || !versions.isPublished ? null : rounds.nextAt();
    const at = minTime([this.#copyAt, roundsAt]);
    if (at !== null) alarm.set(at);
  }

  armLost(copy: Pick<KvCopy, 'isBehind' | 'retryAt'>): void {
    const { alarm, versions, rounds } = this.#deps;
    if (alarm.isRunning || !versions.isPublished) return;
    alarm.bringForward(copy.isBehind ? copy.retryAt : rounds.nextAt());
  }
}
